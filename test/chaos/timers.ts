/**
 * Very many timers overdue at once, as after an outage: all fire once and say how late, and whoever writes meanwhile is
 * answered as if nothing were. On Redis and, with as many as it makes in the time, on the embedded store.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import type { JsonObject } from "../../src/base/index.ts";
import type { Claimed, Store } from "../../src/store/index.ts";
import { Dice } from "../support/dice.ts";
import { ends } from "./ends.ts";
import { Load, share } from "./load.ts";
import type { OverloadOptions } from "./overload.ts";
import { idle, replies } from "./phase.ts";
import { Stage, type StoreKind } from "./stage.ts";
import { rssOf } from "./strain.ts";

const ASKED = process.env["CHAOS_TIMERS"];
const MANY: Readonly<Record<StoreKind, number>> = {
  redis: Number(ASKED ?? 100_000),
  embedded: Number(ASKED ?? 100_000) / 10,
};
/** So long ago all were due, ms. */
const LATE_MS = 2 * 3_600_000;
/** Contacts who write meanwhile, and how many messages a second they send together. */
const LIVE = { contacts: 20, rate: 20 } as const;
const CALM_MS = 10_000;
/** Replies may take so much longer at p99 while timers are moved, ms: a step of turns of theirs, a few times. */
const FELT_MS = 1_000;
/** No command may hold Redis for longer, ms. */
const STALL_MS = 50;
/**
 * Resident memory, MB: over that before the timers fired, however many there are. What a worker remembers of its contacts is
 * 50 MB of it; it takes as much again for what is forgotten, and what it takes it gives back late.
 */
const GROWTH_MB = 300;
const BATCH = 250;
const LEASE_MS = 60_000;
const MB = 1_024 ** 2;
const ACCOUNT = "demo";

/** What a session has that is changed here. */
interface Kept extends JsonObject {
  readonly frames: readonly JsonObject[];
  readonly count: number;
}

const phoneOf = (number: number): string => `55119${String(40_000_000 + number)}`;
const FIRST = 100_000;

export async function timers({ program, seed, say }: OverloadOptions): Promise<boolean> {
  let well = true;
  for (const store of ["redis", "embedded"] as const) {
    const demand = (met: boolean, what: string): void => {
      well &&= met;
      say(`${met ? "PASS" : "FAIL"} ${store}: ${what}`);
    };
    const roles = store === "redis" ? (["ingress", "worker"] as const) : (["all"] as const);
    const stage = await Stage.open({
      ...{ store, program, dice: new Dice(seed), recorder: true, roles },
    });
    try {
      await overdue(stage, (line) => say(`${store}: ${line}`), demand);
      await stage.stop();
      const wrong = ends({ exits: [], ended: stage.ended });
      demand(wrong.length === 0, `all end as asked ${wrong.join("; ")}`.trim());
    } catch (error) {
      say(stage.log().slice(-3_000));
      throw error;
    } finally {
      await stage.close();
    }
  }
  return well;
}

async function overdue(
  stage: Stage,
  say: (line: string) => void,
  demand: (met: boolean, what: string) => void,
): Promise<void> {
  const many = MANY[stage.kind];
  let number = 0;
  let from = 0;
  /** Live conversations until told to stop; their answers and replies. */
  const live = async (until: () => boolean) => {
    const load = new Load(stage.url, () => (number += 1));
    const first = (from += LIVE.contacts);
    const phone = (at: number): string => phoneOf(first + (at % LIVE.contacts));
    do await load.open({ rate: LIVE.rate, phone }, 1_000);
    while (!until());
    await load.close();
    return {
      load,
      phones: Array.from({ length: LIVE.contacts }, (_, at) => phoneOf(first + at)),
    };
  };
  const felt = async ({ load, phones }: Awaited<ReturnType<typeof live>>) => {
    const times = await replies(stage, load, phones);
    const refused = [...load.statuses].filter(([status]) => status !== 200);
    return {
      ...{ ack: share(load.latencies, 0.99), reply: share(times, 0.99) },
      ...{ worst: share(times, 1), timed: times.length, refused: refused.length },
    };
  };
  const drained = () => (stage.kind === "redis" ? idle(stage) : pause(3_000));

  const example = await exemplary(stage);
  const calmEnd = Date.now() + CALM_MS;
  const calm = await live(() => Date.now() > calmEnd);
  await drained();
  const before = await felt(calm);
  for (const life of stage.lives) await life.end("SIGTERM");
  const store = await stage.store();
  const seeding = performance.now();
  const known = await store.contacts.lookup(ACCOUNT, `phone:${example}`);
  const view = known === null ? null : await store.views.session(ACCOUNT, known);
  if (!view) throw new Error("the first conversation is not there");
  const contacts = await seeded(store, view.session as unknown as Kept, many);
  const { counters } = await store.views.backlog();
  say(`${many} timers set within ${seconds(seeding)} s, all due two hours ago`);
  if (stage.kind === "embedded") await store.close();
  const watch = stage.redisUrl === undefined ? undefined : new Redis(stage.redisUrl);
  await watch?.config("SET", "slowlog-log-slower-than", String(STALL_MS * 100));
  await watch?.config("SET", "latency-monitor-threshold", String(STALL_MS));
  await watch?.slowlog("RESET");

  for (const life of stage.lives) await life.start();
  const memory = (): number[] => [
    ...stage.lives.map(({ pid }) => rssOf(pid) / MB),
    ...(stage.redisPid === undefined ? [] : [rssOf(stage.redisPid) / MB]),
  ];
  const [was, most] = [memory(), memory()];
  const firing = performance.now();
  let over = false;
  const talking = live(() => over);
  const applied = async (): Promise<number> =>
    stage.kind === "redis"
      ? (await store.views.backlog()).counters.applied
      : Number((await stage.http("GET", "/api/backlog")).body["counters"]?.["applied"] ?? 0);
  for (const end = Date.now() + DRAIN_MS; ;) {
    for (const [at, mb] of memory().entries()) most[at] = Math.max(most[at] ?? 0, mb);
    // What the live ones cause comes on top, so this is the earliest moment, and the journals decide.
    if ((await applied()) >= counters.applied + many) break;
    if (Date.now() > end) break;
    await pause(500);
  }
  const took = seconds(firing);
  over = true;
  const during = await talking;
  // A timer that was not moved yet stands in no queue.
  for (let last = -1, end = Date.now() + DRAIN_MS; Date.now() < end; await pause(STILL_MS)) {
    const now = await applied();
    if (now === last) break;
    last = now;
  }
  await drained();
  const after = await felt(during);
  say(
    `fired within ${took} s, ${Math.round(many / took)} a second, beside ${LIVE.rate} messages a second of ${LIVE.contacts} contacts`,
  );
  demand(
    after.timed > 0 && after.refused === 0 && after.reply <= before.reply + FELT_MS,
    `those who write are answered meanwhile: ack p99 ${after.ack} ms, reply p99 ${after.reply} ms, worst ${after.worst} ms of ${after.timed} (before: ${before.ack}, ${before.reply}, ${before.worst} ms of ${before.timed})`,
  );
  if (watch) {
    const slow = (await watch.slowlog("GET", 100)) as readonly (readonly unknown[])[];
    const [first] = [...slow].sort((a, b) => Number(b[2]) - Number(a[2]));
    const worst = Number(first?.[2] ?? 0) / 1_000;
    const what = String((first?.[3] as readonly unknown[] | undefined)?.slice(0, 4).join(" "));
    const latency = (await watch.call("LATENCY", "LATEST")) as readonly (readonly unknown[])[];
    const events = latency.map(([name, , , ms]) => `${String(name)} ${String(ms)} ms`);
    demand(
      worst <= STALL_MS,
      `no command holds Redis for more than ${STALL_MS} ms: ${worst === 0 ? `none for ${STALL_MS / 10} ms` : `${Math.round(worst)} ms at most (${what.slice(0, 100)})`} (its own latency events above ${STALL_MS} ms: ${events.join(", ") || "none"})`,
    );
    watch.disconnect();
  }
  demand(
    most.every((mb, at) => mb <= (was[at] ?? 0) + GROWTH_MB),
    `memory is bounded: ${[...stage.lives.map(({ role }) => role), "Redis"]
      .slice(0, most.length)
      .map((who, at) => `${who} ${Math.round(was[at] ?? 0)} → ${Math.round(most[at] ?? 0)} MB`)
      .join(", ")}, ${GROWTH_MB} MB more allowed`,
  );
  if (stage.kind === "embedded") for (const life of stage.lives) await life.end("SIGTERM");
  const looked = stage.kind === "embedded" ? await stage.store() : store;
  const { once, least } = await fired(looked, contacts);
  const { accepted, applied: done, dead, queued } = (await looked.views.backlog()).counters;
  await looked.close();
  demand(
    once === many && least >= LATE_MS,
    `${once} of ${many} fired exactly once, each saying that it is at least ${Math.round(least / 1_000)} s late`,
  );
  demand(
    accepted === done + dead + queued && dead === 0 && queued === 0,
    `accepted ${accepted} = applied ${done} + dead ${dead} + queued ${queued}`,
  );
}

const DRAIN_MS = 150_000;
/** Nothing applied for so long: no timer was left to be moved. */
const STILL_MS = 2_000;
const seconds = (from: number): number => Math.round((performance.now() - from) / 100) / 10;

/** Somebody whose conversation all others get, with a timer. Answers who. */
async function exemplary(stage: Stage): Promise<string> {
  const phone = phoneOf(1);
  let number = 0;
  const load = new Load(stage.url, () => (number += 1));
  await load.open({ rate: 10, phone: () => phone }, 500);
  await load.close();
  return phone;
}

/** Contacts with that conversation, its timers due long ago; answers their ids. */
async function seeded(store: Store, template: Kept, many: number): Promise<string[]> {
  const due = (await store.now()) - LATE_MS;
  const [frame, ...frames] = template.frames;
  if (!frame) throw new Error("the first conversation is over");
  const timer = { name: "quiet.nudge", due, gen: template.count };
  const session = { ...template, frames: [{ ...frame, timers: [timer] }, ...frames] };
  const all: string[] = [];
  for (let at = 0; at < many; at += BATCH) {
    const contacts = await Promise.all(
      Array.from({ length: Math.min(BATCH, many - at) }, (_, next) =>
        store.contacts.identify(ACCOUNT, [`phone:${phoneOf(FIRST + at + next)}`]),
      ),
    );
    all.push(...contacts);
    const claims: Claimed[] = [];
    const wish = { events: 1, leaseMs: LEASE_MS };
    await store.mail.accept(
      contacts.map((contact) => ({
        ...{ account: ACCOUNT, contact, event: "seed", mail: { kind: "seed" } },
      })),
      { ...wish, claimed: (one) => void claims.push(one) },
    );
    while (claims.length < contacts.length)
      claims.push(...(await store.mail.claim({ owner: "seed", contacts: BATCH, ...wish })));
    const done = await store.mail.commit(
      claims.map(({ account, contact, epoch, rev }) => ({
        ...{ account, contact, epoch, rev, applied: 1, effects: [], due, journal: [] },
        session: { ...session, rev: rev + 1 },
      })),
    );
    if (done.some(({ ok }) => !ok)) throw new Error("a conversation could not be written");
  }
  return all;
}

/** How many journals tell of exactly one timer, and how late the least late one says it was, ms. */
async function fired(
  store: Store,
  contacts: readonly string[],
): Promise<{ once: number; least: number }> {
  let [once, least] = [0, Number.POSITIVE_INFINITY];
  for (let at = 0; at < contacts.length; at += BATCH) {
    const journals = await Promise.all(
      contacts.slice(at, at + BATCH).map((contact) => store.views.journal(ACCOUNT, contact, 10)),
    );
    for (const lines of journals) {
      const told = lines.flatMap((line) => {
        const ms = (line as { lateMs?: number }).lateMs;
        return ms === undefined ? [] : [ms];
      });
      if (told.length === 1) once += 1;
      least = Math.min(least, told[0] ?? 0);
    }
  }
  return { once, least };
}
