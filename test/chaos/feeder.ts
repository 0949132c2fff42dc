/**
 * The outside world: contacts whose messages arrive as webhooks, out of order, some twice, and again until they are
 * answered for; of every fourth contact several in one body. Keeps what was answered with 200, in that order, and within a
 * body in the body's: the promise everything else is held against.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { DEMO_TOKEN } from "../../src/app/start/demo.ts";
import type { Dice } from "../support/dice.ts";

/** How far a number may stand from its place; and so many messages stand in one body at most. */
const WINDOW = 4;
/** One of so many contacts writes short messages, of which a body holds several. */
const SEVERAL = 4;
/** So many times as long as asked, and no longer. */
const MOST = 10;
const AGAIN_MS = 400;
/** Where nobody listened, one of all contacts looks again so often, ms; the others take no connection until it is answered. */
const LOOK_MS = 100;
const CALL_MS = 8_000;
/** A sender gives up after this; nothing in a run may be away so long. */
const PATIENCE_MS = 120_000;

export interface Fed {
  readonly phone: string;
  /** Numbers in the order they were answered for. */
  readonly acked: readonly number[];
}

interface Contact extends Fed {
  readonly acked: number[];
  /** What was answered for, body by body. */
  readonly bodies: (readonly number[])[];
  readonly several: boolean;
}

export interface FeedOptions {
  /** Doors of one installation; each delivery takes any of them. */
  readonly urls: readonly string[];
  readonly dice: Dice;
  readonly contacts: number;
  /** Numbers for each contact, at least. */
  readonly each: number;
  /** Whether it may end; until then it goes on, at most ten times as long. */
  readonly enough: () => boolean;
  /** Share of events that are delivered again later. */
  readonly repeats: number;
  /** Between two events of one contact, ms, about. */
  readonly gapMs: number;
}

export class Feeder {
  readonly fed: readonly Contact[];
  readonly latencies: number[] = [];
  /** Answers by status, 0 for none. */
  readonly statuses = new Map<number, number>();
  readonly #options: FeedOptions;
  readonly #agent = new Agent({ connections: 64, bodyTimeout: CALL_MS, headersTimeout: CALL_MS });
  /** Doors where nobody listened: when one may look again. */
  readonly #away = new Map<string, number>();
  events = 0;
  repeats = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.fed = Array.from({ length: options.contacts }, (_, at) => ({
      phone: `55119${String(40_000_000 + at)}`,
      ...{ acked: [], bodies: [], several: at % SEVERAL === SEVERAL - 1 },
    }));
  }

  /** Feeds everything; resolves when the last event is answered for. */
  async run(): Promise<void> {
    await Promise.all(this.fed.map((one) => this.#feed(one)));
    await this.#agent.close();
  }

  async #feed(one: Contact): Promise<void> {
    const dice = this.#options.dice.split(one.phone);
    await this.#deliver(one, [0]);
    const { each, enough } = this.#options;
    for (let at = 0; at < each || (!enough() && at < MOST * each); at += WINDOW)
      await this.#window(one, dice, at);
  }

  /** A few numbers out of order, some of them again: a body comes again as it was. */
  async #window(one: Contact, dice: Dice, from: number): Promise<void> {
    const drawn = dice.shuffled(Array.from({ length: WINDOW }, (_, at) => from + at + 1));
    for (let rest: readonly number[] = drawn; rest.length > 0;) {
      const body = rest.slice(0, one.several ? dice.between(1, rest.length) : 1);
      rest = rest.slice(body.length);
      // As many events in the same time, however many come at once.
      for (const _ of body) await pause(dice.between(0, 2 * this.#options.gapMs));
      await this.#deliver(one, body);
      one.acked.push(...body);
      one.bodies.push(body);
      this.events += body.length;
      if (!dice.chance(this.#options.repeats)) continue;
      const again = dice.pick(one.bodies);
      await this.#deliver(one, again);
      this.repeats += again.length;
    }
  }

  async #deliver({ phone, several }: Contact, numbers: readonly number[]): Promise<void> {
    const texts = numbers.map((number) => (number === 0 ? "oi" : `#${number}`));
    const [number = 0] = numbers;
    const told = several ? replies(phone, texts) : message(phone, number, texts[0] ?? "");
    const [channel, body] = [several ? "sms" : "engine-c", JSON.stringify(told)];
    // Dice of their own: how often a delivery is refused must not change what is delivered.
    const door = this.#options.dice.split(`${phone} ${number}`);
    for (const end = Date.now() + PATIENCE_MS; ;) {
      const from = performance.now();
      const status = await this.#knock(door.pick(this.#options.urls), channel, body);
      if (status !== undefined) this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status === 200) {
        this.latencies.push(performance.now() - from);
        return;
      }
      if (Date.now() > end) throw new Error(`an event was refused for too long: ${status ?? 0}`);
      await pause(AGAIN_MS);
    }
  }

  /** Undefined: nobody listens there, as another has just seen. */
  async #knock(url: string, channel: string, body: string): Promise<number | undefined> {
    const look = this.#away.get(url);
    if (look !== undefined && performance.now() < look) return undefined;
    if (look !== undefined) this.#away.set(url, performance.now() + LOOK_MS);
    const status = await this.#post(`${url}/webhooks/${channel}/${DEMO_TOKEN}`, body);
    if (status === 0) this.#away.set(url, performance.now() + LOOK_MS);
    else this.#away.delete(url);
    return status;
  }

  async #post(url: string, body: string): Promise<number> {
    try {
      const answer = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        dispatcher: this.#agent,
      });
      await answer.body.dump();
      return answer.statusCode;
    } catch {
      return 0;
    }
  }
}

/** Tomorrow. */
const AHEAD = new Date(Date.now() + 86_400_000).toISOString();

/** A text message as engine C tells it. */
export function message(phone: string, number: number, text: string): object {
  const chat = `${phone}@s.whatsapp.net`;
  return {
    event: "Message",
    instanceName: "chaos",
    data: {
      Info: {
        ...{ ID: `CHAOS${phone}N${number}`, Chat: chat, Sender: chat, PushName: "Caos" },
        // Ahead of any clock that a scene moves: it counts as written when it came, and waits for no others.
        ...{ IsFromMe: false, IsGroup: false, Type: "text", Timestamp: AHEAD },
      },
      Message: { conversation: text },
    },
  };
}

/** Short messages of one person as one body tells them, the first one first. */
export function replies(phone: string, texts: readonly string[]): readonly object[] {
  const date = "2026-11-21T12:00:00Z";
  return texts.map((text) => ({ status: "reply", from: phone, message: text, date }));
}
