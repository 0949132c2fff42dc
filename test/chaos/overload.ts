/**
 * Twice what can be borne: a fixed number of contacts write as fast as they are answered, then twice as many calls at once
 * as that; one contact writes without end beside them. What is refused is refused before it is accepted, with a time to
 * come back; memory stays bounded; the others hardly feel the hot one.
 */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { DEMO_TOKEN } from "../../src/app/demo.ts";
import { Dice } from "../support/dice.ts";
import { message } from "./feeder.ts";
import { Stage } from "./stage.ts";

export interface OverloadOptions {
  readonly program: string;
  readonly seed: number;
  /** Of each of the three phases. */
  readonly seconds: number;
  readonly say: (line: string) => void;
}

/** Calls at once that keep the listener busy without drowning it, and twice the share that is let in at once. */
const BORNE = 32;
/** Above the listener's own bound of webhooks in hand, so that the door must shut. */
const FLOOD = 1_600;
const OTHERS = 40;
/** Growth of resident memory under the flood beyond which it is not bounded, bytes. */
const GROWTH = 400 * 1_024 ** 2;
/** The others' p99 beside a hot contact may be this many times what it was without, or this many ms. */
const FELT = { times: 3, ms: 250 } as const;

interface Phase {
  readonly name: string;
  readonly statuses: ReadonlyMap<number, number>;
  /** Refusals without a time to come back. */
  readonly rude: number;
  readonly p50: number;
  readonly p99: number;
  readonly rss: number;
}

/** Over all phases: a number that came twice would be a repeat, and no new event. */
let numbers = 0;

class Load {
  readonly statuses = new Map<number, number>();
  readonly #latencies: number[] = [];
  readonly #url: string;
  readonly #agent: Agent;
  rude = 0;

  constructor(url: string, connections: number) {
    this.#url = `${url}/webhooks/engine-c/${DEMO_TOKEN}`;
    this.#agent = new Agent({ connections, headersTimeout: 20_000 });
  }

  /** One contact that writes again as soon as it was answered. */
  async writes(phone: string, until: number, gapMs: number): Promise<void> {
    while (Date.now() < until) {
      numbers += 1;
      const number = numbers;
      const from = performance.now();
      const status = await this.#post(phone, number);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status === 200) this.#latencies.push(performance.now() - from);
      await pause(gapMs);
    }
  }

  async #post(phone: string, number: number): Promise<number> {
    try {
      const answer = await request(this.#url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(message(phone, number, `#${number}`)),
        dispatcher: this.#agent,
      });
      await answer.body.dump();
      if (answer.statusCode === 503 && answer.headers["retry-after"] === undefined) this.rude += 1;
      return answer.statusCode;
    } catch {
      return 0;
    }
  }

  share(of: number): number {
    const sorted = [...this.#latencies].sort((a, b) => a - b);
    return Math.round(sorted[Math.floor(sorted.length * of)] ?? 0);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

const phoneOf = (number: number): string => `55119${String(40_000_000 + number)}`;

/** Resident memory of a process, bytes. */
function rssOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? "0") * 1_024;
}

/** Answers whether all held; what it saw is told line by line. */
export async function overload(options: OverloadOptions): Promise<boolean> {
  const { program, seed, seconds, say } = options;
  const stage = await Stage.open({
    ...{ store: "redis", program, dice: new Dice(seed), recorder: true },
    roles: ["ingress", "worker"],
  });
  const pid = stage.lives[0]?.pid;
  const phase = async (name: string, others: number, hot: number): Promise<Phase> => {
    const load = new Load(stage.url, others);
    const heat = new Load(stage.url, Math.max(1, hot));
    const until = Date.now() + seconds * 1_000;
    const [others_, hot_] = [
      Array.from({ length: others }, (_, at) => load.writes(phoneOf(at % 2_000), until, 50)),
      Array.from({ length: hot }, () => heat.writes(phoneOf(9_999), until, 0)),
    ];
    let rss = 0;
    const watch = setInterval(() => (rss = Math.max(rss, rssOf(pid))), 250);
    await Promise.all([...others_, ...hot_]);
    clearInterval(watch);
    await Promise.all([load.close(), heat.close()]);
    const statuses = new Map(load.statuses);
    for (const [status, times] of heat.statuses)
      statuses.set(status, (statuses.get(status) ?? 0) + times);
    const rude = load.rude + heat.rude;
    const seen = { name, statuses, rude, p50: load.share(0.5), p99: load.share(0.99), rss };
    const answers = [...statuses].map(([status, times]) => `${status || "none"}×${times}`);
    say(
      `${name}: ${answers.join(" ")}; p50 ${seen.p50} ms, p99 ${seen.p99} ms; memory ${Math.round(rss / 1_024 ** 2)} MB`,
    );
    return seen;
  };
  try {
    const calm = await phase(`${OTHERS} contacts`, OTHERS, 0);
    const beside = await phase(`${OTHERS} contacts beside a hot one`, OTHERS, BORNE / 4);
    const flood = await phase(`${FLOOD} at once`, FLOOD, 0);
    const after = await phase(`${OTHERS} contacts afterwards`, OTHERS, 0);
    const wrong: string[] = [];
    if (beside.p99 > Math.max(FELT.times * calm.p99, calm.p99 + FELT.ms))
      wrong.push(`one hot contact moved the others' p99 from ${calm.p99} to ${beside.p99} ms`);
    if ((flood.statuses.get(503) ?? 0) === 0) wrong.push("nothing was refused under the flood");
    if (flood.rude > 0) wrong.push(`${flood.rude} refusals named no time to come back`);
    if (flood.rss - calm.rss > GROWTH) wrong.push(`memory grew by ${flood.rss - calm.rss} bytes`);
    if ((after.statuses.get(200) ?? 0) === 0) wrong.push("nothing was taken after the flood");
    const store = await stage.store();
    const { accepted, applied, dead, queued } = (await store.backlog()).counters;
    await store.close();
    const taken = [calm, beside, flood, after].reduce(
      (sum, one) => sum + (one.statuses.get(200) ?? 0),
      0,
    );
    // The recorder's timers are events, too, so there may be more.
    if (accepted < taken) wrong.push(`${taken} were answered for, only ${accepted} accepted`);
    if (accepted !== applied + dead + queued)
      wrong.push(`accepted ${accepted} ≠ applied ${applied} + dead ${dead} + queued ${queued}`);
    for (const line of wrong) say(line);
    return wrong.length === 0;
  } finally {
    await stage.close();
  }
}
