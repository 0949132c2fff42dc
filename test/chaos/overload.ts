/**
 * Twice what can be borne. First how much that is; then whether one hot contact is felt by the others, in turns with the
 * same load from many; then the flood, for as long as asked, with the memory of listener, worker and Redis; then whether
 * all goes on. One line for each demand, and whether it was met.
 */
import { readFileSync } from "node:fs";
import { Dice } from "../support/dice.ts";
import { type Body, textIn } from "../support/prosa.ts";
import { Load, share } from "./load.ts";
import { Stage } from "./stage.ts";

export interface OverloadOptions {
  readonly program: string;
  readonly seed: number;
  /** Of the flood. */
  readonly minutes: number;
  readonly say: (line: string) => void;
}

const MB = 1_024 ** 2;
/** Calls at once that keep the listener busy without drowning it. */
const BORNE = 128;
/** Code is compiled and contacts are made before anything is measured. */
const WARM_MS = 8_000;
const MEASURE_MS = 8_000;
const PHASE_MS = 8_000;
/** Turns of both kinds; medians are compared. */
const ROUNDS = 3;
/** Contacts whose answers are timed, and many who write beside them. */
const OTHERS = 12;
const MANY = 500;
/** Of what can be borne: the timed contacts' share, and that of the hot one, or of the many in its place. */
const CALM = 0.15;
const HOT = 0.35;
const TIMES = 2;
const CROWD = 2_000;
/** What Redis may fill; then it refuses what comes in, and the listener says so before it takes anything. */
const REDIS_MB = 128;
/** Beside a hot contact the others' p99 may be so many times what it was beside the many, or so many ms more. */
const FELT = { times: 2, ms: 100 } as const;
/** Memory in the second half of the flood over that of the first: a leak goes on, a full buffer does not. */
const STEADY = { times: 1.2, mb: 48 } as const;
/** And in all, MB: three times an idle process, and Redis' own limit with what it needs for its log. */
const MOST_MB = { listener: 700, worker: 700, redis: REDIS_MB * 2 } as const;
const WATCH_MS = 500;

const phoneOf = (number: number): string => `55119${String(40_000_000 + number)}`;
const HOT_PHONE = phoneOf(9_999);
type Who = keyof typeof MOST_MB;

/** Resident memory of a process, bytes. */
export function rssOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? "0") * 1_024;
}

/** Samples the memory of all three until it is told to stop; answers each one's largest, by halves. */
function watchMemory(stage: Stage): () => Record<Who, readonly [number, number]> {
  const samples: Record<Who, number>[] = [];
  const timer = setInterval(() => {
    const [listener, worker] = stage.lives;
    samples.push({
      listener: rssOf(listener?.pid) / MB,
      worker: rssOf(worker?.pid) / MB,
      redis: rssOf(stage.redisPid) / MB,
    });
  }, WATCH_MS);
  return () => {
    clearInterval(timer);
    const half = Math.ceil(samples.length / 2);
    const most = (who: Who, part: typeof samples): number =>
      Math.round(Math.max(0, ...part.map((one) => one[who])));
    const halves = (who: Who) =>
      [most(who, samples.slice(0, half)), most(who, samples.slice(half))] as const;
    return { listener: halves("listener"), worker: halves("worker"), redis: halves("redis") };
  };
}

interface Felt {
  /** Until the webhook was answered, and until the reply reached the gateway; p99, ms. */
  readonly ack: number;
  readonly reply: number;
  /** Replies that were timed. */
  readonly timed: number;
}

/** Answers whether all held; what it saw is told line by line. */
export async function overload({ program, seed, minutes, say }: OverloadOptions): Promise<boolean> {
  let well = true;
  const demand = (met: boolean, what: string): void => {
    well &&= met;
    say(`${met ? "PASS" : "FAIL"} ${what}`);
  };
  const stage = await Stage.open({
    ...{ store: "redis", program, dice: new Dice(seed), recorder: true },
    roles: ["ingress", "worker"],
    redisArgs: ["--maxmemory", `${REDIS_MB}mb`, "--maxmemory-policy", "noeviction"],
  });
  let number = 0;
  let taken = 0;
  const load = async (play: (load: Load) => Promise<unknown>): Promise<Load> => {
    const one = new Load(stage.url, () => (number += 1));
    await play(one);
    await one.close();
    taken += one.taken;
    return one;
  };
  try {
    await load((one) => one.closed(BORNE, (at) => phoneOf(at % CROWD), WARM_MS));
    const measured = await load((one) =>
      one.closed(BORNE, (at) => phoneOf(at % CROWD), MEASURE_MS),
    );
    const borne = Math.round(measured.taken / (MEASURE_MS / 1_000));
    say(`${borne} webhooks a second can be borne, with the turns and replies they cause`);
    await idle(stage);

    let from = 10_000;
    const turn = async (beside: (at: number) => string): Promise<Felt> => {
      const first = (from += OTHERS);
      const others = await load(async (one) => {
        const rest = load((two) => two.open({ rate: () => borne * HOT, phone: beside }, PHASE_MS));
        const phone = (at: number): string => phoneOf(first + (at % OTHERS));
        await one.open({ rate: () => borne * CALM, phone }, PHASE_MS);
        await rest;
      });
      await idle(stage);
      const phones = Array.from({ length: OTHERS }, (_, at) => phoneOf(first + at));
      const times = await replies(stage, others, phones);
      return {
        ack: share(others.latencies, 0.99),
        reply: share(times, 0.99),
        timed: times.length,
      };
    };
    const [many, hot]: [Felt[], Felt[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      many.push(await turn((at) => phoneOf(5_000 + (at % MANY))));
      hot.push(await turn(() => HOT_PHONE));
    }
    const timed = Math.min(...[...many, ...hot].map((one) => one.timed));
    demand(timed > 0, `replies were timed in every phase, ${timed} at least`);
    for (const what of ["ack", "reply"] as const) {
      const [was, is] = [many, hot].map((all) =>
        share(
          all.map((one) => one[what]),
          0.5,
        ),
      ) as [number, number];
      const all = (list: readonly Felt[]): string => list.map((one) => one[what]).join(", ");
      demand(
        is <= Math.max(FELT.times * was, was + FELT.ms),
        `one hot contact does not move the others' p99 of the ${what}: ${was} ms beside ${MANY} contacts, ${is} ms beside a hot one with the same load (${all(many)} against ${all(hot)})`,
      );
    }

    const memory = watchMemory(stage);
    // A machine that was busy while it was measured bears more later: twice what is really taken is never borne.
    let rate = borne * TIMES;
    const flood = await load((one) => {
      const twice = (): number => (rate = Math.max(rate, one.pace * TIMES));
      return one.open({ rate: twice, phone: (at) => phoneOf(at % CROWD) }, minutes * 60_000);
    });
    const answers = [...flood.statuses].map(([status, times]) => `${status || "none"}×${times}`);
    say(
      `flood of ${borne * TIMES} to ${rate} a second for ${minutes} min: ${answers.join(" ")}, ${flood.unsent} not sent; taken with p50 ${share(flood.latencies, 0.5)} ms, p99 ${share(flood.latencies, 0.99)} ms`,
    );
    for (const [who, [before, after]] of Object.entries(memory()) as [
      Who,
      readonly [number, number],
    ][])
      demand(
        after <= Math.min(MOST_MB[who], Math.max(STEADY.times * before, before + STEADY.mb)),
        `memory of the ${who} is bounded: ${before} MB at most in the first half, ${after} MB in the second, ${MOST_MB[who]} MB allowed`,
      );
    demand((flood.statuses.get(503) ?? 0) > 0, "what is too much is refused with 503");
    demand(flood.rude === 0, `each refusal names a time to come back (${flood.rude} did not)`);
    const odd = [...flood.statuses.keys()].filter((status) => ![0, 200, 503].includes(status));
    demand(odd.length === 0, `no other answer than 200 and 503 (${odd.join(", ") || "none"})`);

    // What was taken is worked off first: a full Redis takes nothing in before.
    const ended = Date.now();
    await idle(stage);
    say(`${Math.ceil((Date.now() - ended) / 1_000)} s after the flood all of it is worked off`);
    const after = await load((one) =>
      one.open(
        { rate: () => borne * CALM, phone: (at) => phoneOf(20_000 + (at % OTHERS)) },
        PHASE_MS,
      ),
    );
    const all = [...after.statuses.values()].reduce((sum, times) => sum + times, 0);
    demand(after.taken >= 0.99 * all, `afterwards ${after.taken} of ${all} are taken`);
    const store = await stage.store();
    const { accepted, applied, dead, queued } = (await store.backlog()).counters;
    await store.close();
    // The recorder's timers are events, too, so there may be more.
    demand(accepted >= taken, `${taken} were answered with 200, ${accepted} accepted`);
    demand(
      accepted === applied + dead + queued,
      `accepted ${accepted} = applied ${applied} + dead ${dead} + queued ${queued}`,
    );
    return well;
  } finally {
    await stage.close();
  }
}

/** The next phase begins with nothing left of this one. */
export async function idle(stage: Stage): Promise<void> {
  const store = await stage.store();
  try {
    for (const end = Date.now() + IDLE_MS; Date.now() < end;) {
      const { counters, pendingEffects } = await store.backlog();
      if (counters.queued + pendingEffects === 0) return;
      await new Promise((done) => setTimeout(done, 200));
    }
    throw new Error(`the work of a phase was not done within ${IDLE_MS} ms`);
  } finally {
    await store.close();
  }
}
const IDLE_MS = 120_000;

/** Times from a message to its reply at the gateway, ms. */
export async function replies(
  stage: Stage,
  load: Load,
  phones: readonly string[],
): Promise<number[]> {
  const times: number[] = [];
  for (const phone of phones) {
    const { body } = await stage.control("GET", `/sandbox/messages?number=${phone}`);
    for (const row of body as unknown as readonly Body[]) {
      const sent = load.sentAt.get(`${phone} ${textIn(row["text"])}`);
      if (sent !== undefined) times.push(Date.parse(textIn(row["at"])) - sent);
    }
  }
  return times;
}
