/** Webhooks at a given rate, whoever answers how late: what a gateway does that does not wait for us. */
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { DEMO_TOKEN } from "../../src/app/start/demo.ts";
import { call } from "../support/prosa.ts";
import { message } from "./feeder.ts";
import { GREETING } from "./grounds.ts";

/** Calls without an answer, at most; what does not fit is not sent, and counted. Far above what the listener lets in. */
const UNANSWERED = 4_000;
/** As many: calls that wait for a connection here never reach the listener, which then has nothing to refuse. */
const CONNECTIONS = UNANSWERED;
const ANSWER_MS = 20_000;
/** Messages whose replies are timed: more than any measured phase sends, fewer than a flood does. */
const NOTED = 50_000;
const GREETED_AT_ONCE = 32;
const AGAIN_MS = 200;
/** Between two handfuls of calls, ms. */
const BEAT_MS = 10;

/** One sender's share of a load. */
export interface Stream {
  /** Calls a second; a function is asked again and again. */
  readonly rate: number | (() => number);
  /** Whose turn it is, from the number of the call. */
  readonly phone: (at: number) => string;
}

export class Load {
  readonly statuses = new Map<number, number>();
  /** Ms until a 200. */
  readonly latencies: number[] = [];
  /** When the first messages were sent, ms since 1970, by phone and text. */
  readonly sentAt = new Map<string, number>();
  /** Numbers that were answered with 200, by phone. */
  readonly takenOf = new Map<string, number[]>();
  /** Refusals without a time to come back. */
  rude = 0;
  /** Calls that were due while too many had no answer. */
  unsent = 0;
  #waiting = 0;
  /** Taken in each second. */
  readonly #seconds = new Map<number, number>();
  readonly #url: string;
  readonly #agent = new Agent({ connections: CONNECTIONS, headersTimeout: ANSWER_MS });
  readonly #numbers: () => number;

  /** `numbers`: never the same twice in one installation, else a message would be a repeat. */
  constructor(url: string, numbers: () => number) {
    this.#url = `${url}/webhooks/engine-c/${DEMO_TOKEN}`;
    this.#numbers = numbers;
  }

  /** As fast as it is answered, so many calls at once: how much can be borne. */
  async closed(atOnce: number, phone: Stream["phone"], ms: number): Promise<void> {
    const until = Date.now() + ms;
    let at = 0;
    const one = async (): Promise<void> => {
      while (Date.now() < until) await this.#post(phone((at += 1)), this.#numbers());
    };
    await Promise.all(Array.from({ length: atOnce }, one));
  }

  /** At its own pace. Resolves when the last call was answered. */
  async open({ rate, phone }: Stream, ms: number): Promise<void> {
    const from = performance.now();
    let [at, due, last] = [0, 0, from];
    for (let now = from; now - from < ms; now = performance.now()) {
      due += ((now - last) / 1_000) * (typeof rate === "number" ? rate : rate());
      last = now;
      for (; at < Math.floor(due); at += 1)
        if (this.#waiting >= UNANSWERED) this.unsent += 1;
        else void this.#post(phone(at), this.#numbers());
      await pause(BEAT_MS);
    }
    while (this.#waiting > 0) await pause(BEAT_MS);
  }

  async #post(phone: string, number: number): Promise<void> {
    this.#waiting += 1;
    const from = performance.now();
    if (this.sentAt.size < NOTED) this.sentAt.set(`${phone} #${number}`, Date.now());
    let status = 0;
    try {
      const answer = await request(this.#url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(message(phone, number, `#${number}`)),
        dispatcher: this.#agent,
      });
      await answer.body.dump();
      status = answer.statusCode;
      if (status === 503 && answer.headers["retry-after"] === undefined) this.rude += 1;
    } catch {
      // No answer at all: counted as 0.
    }
    this.#waiting -= 1;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status !== 200) return;
    this.latencies.push(performance.now() - from);
    const own = this.takenOf.get(phone);
    if (own) own.push(number);
    else this.takenOf.set(phone, [number]);
    const second = Math.floor(Date.now() / 1_000);
    this.#seconds.set(second, (this.#seconds.get(second) ?? 0) + 1);
  }

  /** How many were taken in the last whole second. */
  get pace(): number {
    return this.#seconds.get(Math.floor(Date.now() / 1_000) - 1) ?? 0;
  }

  get taken(): number {
    return this.statuses.get(200) ?? 0;
  }

  /** How often it was answered with what, as a line tells it. */
  get answers(): string {
    const all = [...this.statuses].sort(([a], [b]) => a - b);
    return all.map(([status, times]) => `${status || "none"}×${times}`).join(" ");
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** Everybody says "oi", until it is taken: a conversation hears no number in the message that begins it. */
export async function greet(url: string, phones: readonly string[]): Promise<void> {
  const todo = [...phones];
  const next = async (): Promise<void> => {
    for (let phone = todo.pop(); phone !== undefined; phone = todo.pop())
      for (let status = 0; status !== 200;) {
        const body = message(phone, GREETING, "oi");
        const answer = await call("POST", `${url}/webhooks/engine-c/${DEMO_TOKEN}`, body);
        ({ status } = answer);
        if (status !== 200) await pause(AGAIN_MS);
      }
  };
  await Promise.all(Array.from({ length: GREETED_AT_ONCE }, next));
}

/** The value below which a share of all lies; 0 of none. */
export function share(values: readonly number[], of: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))] ?? 0);
}
