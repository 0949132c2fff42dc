/** The kill run: webhooks pour in while processes die at named points and at random, Redis too, and answers get lost. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Dice } from "../support/dice.ts";
import type { Plan } from "../support/faulty-store.ts";
import { textIn } from "../support/prosa.ts";
import { type Act, OF_GATEWAY, OF_REDIS, perform } from "./acts.ts";
import { saying, type Trouble } from "./book.ts";
import { drawn, missed } from "./deaths.ts";
import { Feeder } from "./feeder.ts";
import { rowSaid } from "./grounds.ts";
import type { Death } from "./life.ts";
import type { Report } from "./report.ts";
import { type Evidence, gather, judge, type Verdict } from "./oracles.ts";
import { Stage, type StageOptions, type StoreKind } from "./stage.ts";

export interface KillRun {
  readonly program: string;
  readonly seed: number;
  readonly store: StoreKind;
  readonly contacts: number;
  readonly each: number;
  /** Deaths to reach before the processes are left in peace. */
  readonly kills: number;
  /** What the harness does beside, in drawn order, spread over the deaths. */
  readonly acts?: readonly Act[];
  /** Share of events that are delivered again later; a fifth when absent. */
  readonly repeats?: number;
  readonly builds?: 1 | 2;
  /** Somebody looks at the paused scopes again and again and lets them go on. */
  readonly operator?: boolean;
  readonly workers?: number;
  /** Beside the listener and the workers: processes that listen and work, and take contacts as they accept. */
  readonly alls?: number;
  /** Instead of a listener and workers. */
  readonly roles?: StageOptions["roles"];
  readonly gapMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Instead of drawn ways to die. */
  readonly plan?: (role: string, dice: Dice) => Plan;
  /** Sets the scene before the first event: faults of the gateway, say. */
  readonly before?: (stage: Stage) => Promise<void>;
  /** Runs beside the feed, until it ends by itself. Answers what it broke, and when: nothing else of it excuses anything. */
  readonly during?: (stage: Stage) => Promise<readonly Trouble[]>;
  /** Somebody else's Redis. */
  readonly redisUrl?: string;
  /** Where the store writes, and arguments of the Redis server. */
  readonly disk?: string;
  readonly redisArgs?: readonly string[];
  /** What is not worked off so long after the last event is left, ms. */
  readonly drainMs?: number;
  readonly onlyOutages?: boolean;
  readonly undisturbed?: boolean;
  readonly spoilt?: boolean;
  /** Called once enough have died: from then on the run mostly waits. */
  readonly calmed?: () => void;
  readonly say?: (line: string) => void;
}

const DRAIN_MS = 120_000;
/** Looks in a row, 250 ms apart, that must find nothing: the quiet timers are due and found in that time. */
const STILL = 12;
/** A process that has just started lets timers wait so long at most for what was missed, and then looks once a second. */
const TIMERS_MS = 11_500;
/** Between two of the harness's own faults, ms. */
const BEAT_MS = 700;
/** Share of the deaths after which points that had too few come first, and how few that is. */
const MAKE_UP = 0.6;
const LEAST = 3;
/** An operator's looks at the paused scopes, ms apart: longer than a call takes. */
const LOOK_MS = 1_000;
/** Contacts whose story is told when something is wrong. */
const TOLD = 3;
function rolesOf(options: KillRun): StageOptions["roles"] {
  if (options.roles) return options.roles;
  if (options.store === "embedded") return ["all"];
  const alls = Array.from({ length: options.alls ?? 0 }, () => "all" as const);
  return [
    "ingress",
    ...alls,
    ...Array.from({ length: options.workers ?? 3 }, () => "worker" as const),
  ];
}

export async function killRun(options: KillRun): Promise<Report> {
  const [from, cpuBefore] = [performance.now(), cpuSeconds()];
  const dice = new Dice(options.seed);
  const plans = new Map<string, Dice>();
  // The first plans are asked for before the stage stands.
  const scene: { stage?: Stage } = {};
  const deaths = (): readonly Death[] => (scene.stage?.lives ?? []).flatMap((life) => life.deaths);
  const stage = await Stage.open({
    ...{ store: options.store, program: options.program, dice, recorder: true },
    ...{ roles: rolesOf(options), brief: options.kills > 0 },
    ...(options.env ? { env: options.env } : {}),
    ...(options.builds ? { builds: options.builds } : {}),
    ...(options.disk === undefined ? {} : { disk: options.disk }),
    ...(options.redisUrl === undefined ? {} : { redisUrl: options.redisUrl }),
    ...(options.redisArgs ? { redisArgs: options.redisArgs } : {}),
    plan: (role) => {
      const own = plans.get(role) ?? dice.split(role);
      plans.set(role, own);
      if (options.plan) return options.plan(role, own);
      // Nobody is to die: then nobody may do so by chance.
      if (options.kills === 0) return {};
      const died = deaths();
      const late = died.length >= MAKE_UP * options.kills;
      return drawn(role, own, late ? missed(tally(died), LEAST) : []);
    },
  });
  scene.stage = stage;
  const done: Done[] = [];
  let over = false;
  try {
    const feeder = new Feeder({
      ...{
        urls: stage.doors,
        dice: dice.split("feed"),
        contacts: options.contacts,
        each: options.each,
      },
      enough: () => deaths().length >= options.kills && done.length >= (options.acts?.length ?? 0),
      ...{ repeats: options.repeats ?? 0.2, gapMs: options.gapMs ?? 120 },
    });
    await options.before?.(stage);
    const fed = feeder.run();
    let feeding = true;
    void fed.finally(() => (feeding = false)).catch(() => undefined);
    const beside = options.during?.(stage);
    const operator = options.operator ? operating(stage, () => over) : undefined;
    const acts = await torment(stage, options, dice.split("torment"), () => feeding, done).catch(
      async (error: unknown) => {
        // A sender who gave up is why the feed ended.
        if (!feeding) await fed;
        throw error;
      },
    );
    const broken = [...acts, ...((await beside) ?? [])];
    const killed = [...deaths()];
    options.calmed?.();
    if (killed.length > 0) await stage.peace();
    await fed;
    await stage.control("DELETE", "/sandbox/faults");
    const drainMs = options.drainMs ?? DRAIN_MS;
    const left = await drained(stage, drainMs);
    // The oracles say what it is.
    if (left > 0) options.say?.(`${left} are left after ${drainMs} ms\n${logOf(stage)}`);
    over = true;
    await operator;
    const exits = await stage.stop();
    const store = await stage.store();
    const books = await booksOf(stage);
    const evidence = await gather(store, feeder.fed, books, {
      resumed: stage.resumed,
      book: stage.book(broken),
      ends: { ended: stage.ended, exits, broken },
      realTime: (iso) => stage.realTime(iso),
      spoilt: options.spoilt === true,
    }).finally(() => store.close());
    const points = tally(killed);
    const { events, repeats, statuses } = feeder;
    const sorted = [...feeder.latencies].sort((a, b) => a - b);
    const share = (of: number): number => Math.round(sorted[Math.floor(sorted.length * of)] ?? 0);
    const verdicts = judge(evidence, {
      onlyOutages: options.onlyOutages === true,
      ...{ undisturbed: options.undisturbed === true, spoilt: options.spoilt === true },
      events: 0.9 * options.contacts * options.each,
      sends: 0.4 * events,
    });
    for (const line of stories(evidence, verdicts)) options.say?.(line);
    return {
      ...{ seed: options.seed, evidence, deaths: killed, points, events, repeats, exits, statuses },
      verdicts,
      inHand: killed.filter((one) => one.inHand > 0).length / Math.max(1, killed.length),
      latency: { p50: share(0.5), p99: share(0.99) },
      ...{ acts: acts.map(({ act }) => act), cpu: Math.round(cpuSeconds() - cpuBefore) },
      seconds: Math.round((performance.now() - from) / 1_000),
    };
  } catch (error) {
    options.say?.(logOf(stage));
    throw error;
  } finally {
    // An operator who looked at a stage that is gone would do so for ever.
    over = true;
    await stage.close();
  }
}

function tally(deaths: readonly Death[]): ReadonlyMap<string, number> {
  const points = new Map<string, number>();
  for (const { point } of deaths) points.set(point, (points.get(point) ?? 0) + 1);
  return points;
}

/** All that is left of the first contacts the oracles name: what was done with their mail, and with what was said to them. */
function stories(
  { contacts, book, requests, realTime = Date.parse }: Evidence,
  verdicts: readonly Verdict[],
): readonly string[] {
  const wrong = verdicts.flatMap((one) => one.wrong);
  const named = contacts.filter(({ phone }) => wrong.some((line) => line.includes(phone)));
  return named.slice(0, TOLD).flatMap((one) => {
    const calls = requests.filter((row) => rowSaid(row).startsWith(saying(one.phone, "")));
    return [
      JSON.stringify(one),
      ...(book?.stepsOf(one.contact ?? "") ?? []),
      ...(book?.sendsTo(one.phone) ?? []),
      ...calls.map(
        (row) =>
          `${realTime(textIn(row["at"]))} gateway ${String(Number(row["status"]))} ${rowSaid(row)}`,
      ),
    ];
  });
}

interface Done extends Trouble {
  readonly act: Act;
}

/** The harness's own faults, spread over the run, until enough processes have died. */
async function torment(
  stage: Stage,
  options: KillRun,
  dice: Dice,
  feeding: () => boolean,
  done: Done[],
): Promise<readonly Done[]> {
  const acts = dice.shuffled([...(options.acts ?? [])]);
  const died = (): number => stage.lives.reduce((sum, life) => sum + life.deaths.length, 0);
  let told = 0;
  // Where deaths come fast, the last acts come after the last of them: each is owed.
  while ((died() < options.kills || done.length < acts.length) && feeding()) {
    await pause(BEAT_MS);
    const due = died() >= ((done.length + 0.5) / acts.length) * options.kills;
    const what = acts[done.length];
    if (due && what !== undefined) {
      const from = Date.now();
      const pid = await perform(stage, what, dice);
      const calls = OF_GATEWAY.includes(what) ? ({ calls: true } as const) : {};
      const store = OF_REDIS.includes(what) ? ({ store: true } as const) : {};
      const frozen = pid === undefined ? {} : ({ pid, frozen: true } as const);
      done.push({ act: what, from, to: Date.now(), ...calls, ...store, ...frozen });
    }
    if (died() - told >= 25) {
      told = died();
      options.say?.(`${told} of ${options.kills} killed`);
    }
  }
  if (died() < options.kills)
    throw new Error(`all events were fed when only ${died()} of ${options.kills} had died`);
  const owed = acts.slice(done.length);
  if (owed.length > 0) throw new Error(`all events were fed before ${owed.join(", ")}`);
  return done;
}

/** A person at the console, until all is worked off. The listener may be dead at any moment. */
async function operating(stage: Stage, over: () => boolean): Promise<void> {
  while (!over()) {
    await stage.resumeAll().catch(() => undefined);
    await pause(LOOK_MS);
  }
}

/** User and system time of this process and of its children that ended, seconds. Linux counts in hundredths. */
export function cpuSeconds(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

const logOf = (stage: Stage): string => stage.log().slice(-6_000);

/** Waits until no event and no effect is left, and the quiet timers have fired. Answers how many are left after all that time. */
async function drained(stage: Stage, drainMs: number): Promise<number> {
  const watched = stage.kind === "redis" ? await stage.store() : undefined;
  try {
    let still = 0;
    for (const end = Date.now() + drainMs; still < STILL;) {
      const left = watched ? await leftIn(watched) : await told(stage);
      const ticking = stage.lives.some(
        (life) => life.role !== "ingress" && life.readyMs >= TIMERS_MS,
      );
      still = left === 0 && ticking ? still + 1 : 0;
      if (Date.now() > end) return left;
      await pause(250);
    }
    return 0;
  } finally {
    await watched?.close();
  }
}

async function leftIn(store: Awaited<ReturnType<Stage["store"]>>): Promise<number> {
  const { counters, pendingEffects } = await store.views.backlog();
  const flying = await store.views.effects({ state: "inflight", limit: 10 });
  return counters.queued + pendingEffects + flying.length;
}

/** The embedded store belongs to its process: what that tells of it. */
async function told(stage: Stage): Promise<number> {
  const { body, status } = await stage.http("GET", "/api/backlog");
  if (status !== 200) throw new Error(`the backlog answered ${status}`);
  return Number(body["counters"]?.["queued"] ?? 0) + Number(body["pendingEffects"] ?? 0);
}

/** What the gateway wrote down. */
async function booksOf(stage: Stage): Promise<Parameters<typeof gather>[2]> {
  const [requests, invoices, messages] = await Promise.all([
    stage.rows("requests"),
    stage.rows("invoices"),
    stage.rows("messages"),
  ]);
  const received = new Map<string, string[]>();
  for (const row of messages) {
    const body = row["body"];
    const phone = textIn(body?.["number"]).replace(/\D/g, "");
    received.set(phone, [...(received.get(phone) ?? []), textIn(row["text"])]);
  }
  return { requests, invoices, messages: received };
}
