/**
 * Twice what can be borne. First how much that is; then whether one hot contact is felt by others, beside what they have when
 * they are alone; then the flood, for as long as asked, with what it takes of memory and processors; then whether all goes on,
 * and whether each webhook that was answered with 200 was heard. One line for each demand, and whether it was met.
 */
import { cpus } from "node:os";
import { Dice } from "../support/dice.ts";
import { keptOf, unaccounted } from "./conserved.ts";
import { ends } from "./ends.ts";
import { besideHot } from "./hot.ts";
import { greet, Load, share } from "./load.ts";
import { idle, phoneOf, phonesOf, type Run } from "./phase.ts";
import { Stage } from "./stage.ts";
import { watchStrain } from "./strain.ts";

export interface OverloadOptions {
  readonly program: string;
  readonly seed: number;
  /** Of the flood. */
  readonly minutes: number;
  readonly say: (line: string) => void;
}

/** Calls at once that keep the listener busy without drowning it. */
const BORNE = 128;
/** Code is compiled before anything is measured. */
const WARM_MS = 8_000;
const MEASURE_MS = 8_000;
const PHASE_MS = 8_000;
/** Of what can be borne: what everybody is to be served with afterwards. */
const CALM = 0.15;
/** Contacts who write when the flood is over. */
const OTHERS = 12;
const TIMES = 2;
const CROWD = 2_000;
/** What Redis may fill; then it refuses what comes in, and the listener says so before it takes anything. */
const REDIS_MB = 128;
/** Memory in the second half of the flood over that of the first: a leak goes on, a full buffer does not. */
const STEADY = { times: 1.2, mb: 48 } as const;
/** And in all, MB: three times an idle process, and Redis' own limit with what it needs for its log. */
const MOST_MB = { listener: 700, worker: 700, redis: REDIS_MB * 2 } as const;
/** Phones that are named where something is wrong. */
const TOLD = 5;

/** Answers whether all held; what it saw is told line by line. */
export async function overload({ program, seed, minutes, say }: OverloadOptions): Promise<boolean> {
  let well = true;
  // Nothing stands between, and nobody writes a book: it would take the processors from what is measured.
  const stage = await Stage.open({
    ...{ store: "redis", program, dice: new Dice(seed), straight: true },
    ...{ roles: ["ingress", "worker"], env: { CHAOS_FLOWS: "recorder" } },
    redisArgs: ["--maxmemory", `${REDIS_MB}mb`, "--maxmemory-policy", "noeviction"],
  });
  let number = 0;
  const taken = new Map<string, number[]>();
  const run: Run = {
    ...{ stage, say },
    demand(met, what) {
      well &&= met;
      say(`${met ? "PASS" : "FAIL"} ${what}`);
    },
    async load(play) {
      const one = new Load(stage.url, () => (number += 1));
      await play(one);
      await one.close();
      for (const [phone, numbers] of one.takenOf)
        taken.set(phone, [...(taken.get(phone) ?? []), ...numbers]);
      return one;
    },
  };
  try {
    await greet(stage.url, phonesOf(0, CROWD));
    const borne = await bearable(run);
    await besideHot(run, borne);
    await flood(run, borne, minutes);
    await afterwards(run, borne);
    await conserved(run, taken);
    const exits = await stage.stop();
    const wrong = ends({ exits, ended: stage.ended });
    run.demand(
      wrong.length === 0,
      `nobody ended before they were asked to ${wrong.join("; ")}`.trim(),
    );
    return well;
  } finally {
    await stage.close();
  }
}

/** Webhooks a second that can be borne: taken as fast as they are answered, until the last turn and reply of them was made. */
async function bearable({ stage, say, load }: Run): Promise<number> {
  const phone = (at: number): string => phoneOf(at % CROWD);
  await load((one) => one.closed(BORNE, phone, WARM_MS));
  await idle(stage);
  const from = performance.now();
  const { taken } = await load((one) => one.closed(BORNE, phone, MEASURE_MS));
  await idle(stage);
  const borne = Math.round((taken / (performance.now() - from)) * 1_000);
  const atFirst = Math.round(taken / (MEASURE_MS / 1_000));
  say(
    `${borne} webhooks a second can be borne, with the turns and replies they cause (${atFirst} are taken for ${MEASURE_MS / 1_000} s, and worked off after)`,
  );
  return borne;
}

async function flood(run: Run, borne: number, minutes: number): Promise<void> {
  const { stage, say, demand } = run;
  const [listener, worker] = stage.lives;
  const strained = watchStrain({
    ...{ listener: listener?.pid, worker: worker?.pid, redis: stage.redisPid },
    "load generator": process.pid,
  });
  const from = performance.now();
  // A machine that was busy while it was measured bears more later: twice what is really taken is never borne.
  let rate = borne * TIMES;
  const one = await run.load((load) => {
    const twice = (): number => (rate = Math.max(rate, load.pace * TIMES));
    return load.open({ rate: twice, phone: (at) => phoneOf(at % CROWD) }, minutes * 60_000);
  });
  const seconds = (performance.now() - from) / 1_000;
  const strain = strained();
  say(
    `flood of ${borne * TIMES} to ${rate} a second for ${minutes} min: ${one.answers}, ${one.unsent} not sent; taken with p50 ${share(one.latencies, 0.5)} ms, p99 ${share(one.latencies, 0.99)} ms`,
  );
  const refused = one.statuses.get(503) ?? 0;
  say(
    `in the flood ${Math.round(one.taken / seconds)} a second are taken and ${Math.round(refused / seconds)} refused, beside ${borne} that can be borne; of ${cpus().length} processors had ${Object.entries(
      strain,
    )
      .map(([who, { cpu }]) => `the ${who} ${(cpu / seconds).toFixed(2)}`)
      .join(", ")}`,
  );
  for (const who of ["listener", "worker", "redis"] as const) {
    const [before, after] = strain[who].mb;
    demand(
      after <= Math.min(MOST_MB[who], Math.max(STEADY.times * before, before + STEADY.mb)),
      `memory of the ${who} is bounded: ${before} MB at most in the first half, ${after} MB in the second, ${MOST_MB[who]} MB allowed`,
    );
  }
  demand(refused > 0, "what is too much is refused with 503");
  demand(one.rude === 0, `each refusal names a time to come back (${one.rude} did not)`);
  const odd = [...one.statuses.keys()].filter((status) => ![0, 200, 503].includes(status));
  demand(odd.length === 0, `no other answer than 200 and 503 (${odd.join(", ") || "none"})`);
}

/** What was taken is worked off first: a full Redis takes nothing in before. */
async function afterwards({ stage, say, demand, load }: Run, borne: number): Promise<void> {
  const ended = Date.now();
  await idle(stage);
  say(`${Math.ceil((Date.now() - ended) / 1_000)} s after the flood all of it is worked off`);
  const phones = phonesOf(20_000, OTHERS);
  await greet(stage.url, phones);
  const stream = {
    rate: borne * CALM,
    phone: (at: number) => phones[at % OTHERS] ?? "",
  };
  const after = await load((one) => one.open(stream, PHASE_MS));
  const all = [...after.statuses.values()].reduce((sum, times) => sum + times, 0);
  demand(after.taken >= 0.99 * all, `afterwards ${after.taken} of ${all} are taken`);
  await idle(stage);
}

/** Nothing that was answered with 200 is lost, phone by phone and number by number. */
async function conserved(
  { stage, demand }: Run,
  taken: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  const store = await stage.store();
  try {
    const kept = await keptOf(store, taken);
    const wrong = unaccounted(kept);
    const sum = (of: (one: (typeof kept)[number]) => number): number =>
      kept.reduce((all, one) => all + of(one), 0);
    demand(
      wrong.length === 0,
      `each of ${sum((one) => one.taken.length)} webhooks of ${kept.length} phones answered with 200 is heard once or put aside for want of room: ${sum((one) => one.heard.length)} are heard, ${sum((one) => one.letters.length)} put aside${wrong.length === 0 ? "" : `; wrong at ${wrong.length} phones: ${wrong.slice(0, TOLD).join("; ")}`}`,
    );
    const { accepted, applied, dead, queued } = (await store.views.backlog()).counters;
    demand(
      accepted === applied + dead + queued,
      `accepted ${accepted} = applied ${applied} + dead ${dead} + queued ${queued}, timers among them`,
    );
  } finally {
    await store.close();
  }
}
