/** One contestant's turn in a round, and what is measured once: an idle system, and the memory of people in mid-form. */
import type { Contestant, Fleet, Name } from "./fleet.ts";
import type { Length } from "./form.ts";
import type { Crowd, Heard } from "./crowd.ts";

/** Sizes of a run. */
export interface Plan {
  readonly rounds: number;
  /** People who fill in forms, interleaved. */
  readonly people: Readonly<Record<Length, number>>;
  /** Messages on the way when nothing is held back. */
  readonly abreast: number;
  /** How long the half load lasts, ms. */
  readonly halfMs: number;
  /** Messages of the warm-up, as whole forms of the same people. */
  readonly warmForms: number;
  /** People stopped in mid-form to weigh them. */
  readonly weighed: number;
  readonly idleMessages: number;
}

export interface Round {
  /** User and system time of the bot's process for one message, ms. */
  readonly cpuMs: number;
  /** The same of the server that keeps the bot's state: Redis, or Restate's. */
  readonly storeMs: number;
  /** Both. */
  readonly bothMs: number;
  /** Commands that Redis ran for one message, those within scripts too. NaN where the state is not in Redis. */
  readonly commands: number;
  readonly perSecond: number;
  readonly replyP50: number;
  readonly replyP99: number;
  readonly ackP99: number;
  readonly wrong: readonly string[];
  readonly forms: number;
}

export interface Still {
  readonly replyP50: number;
  readonly replyP99: number;
  /** Bytes of Redis for one contact in mid-form. NaN where the state is not in Redis. */
  readonly bytes: { readonly all: number; readonly dedupe: number; readonly journal: number };
  readonly rssBytes: number;
  readonly wrong: readonly string[];
}

/** Keys, and fields of a contact's hash, that are told apart from a contact's own state: memories of past events, which have bounds of their own. */
const APART: Readonly<Record<Name, { dedupe?: string; journal?: RegExp }>> = {
  prosa: { dedupe: ":i:", journal: /^j\d+$/ },
  bullmq: { dedupe: "bull:" },
  grammy: {},
  restate: {},
  floor: {},
};
/** Pause between messages to a system that has nothing else to do, ms. */
const IDLE_PAUSE_MS = 4;

type People = ReturnType<Crowd["people"]>;

export class Measure {
  readonly #fleet: Fleet;
  readonly #plan: Plan;
  readonly #length: Length;
  readonly #people = new Map<Contestant, People>();

  constructor(fleet: Fleet, plan: Plan, length: Length) {
    this.#fleet = fleet;
    this.#plan = plan;
    this.#length = length;
  }

  /** Whole forms of everybody until the code is compiled. */
  async warm(contestant: Contestant): Promise<Heard> {
    return this.forms(contestant, this.#plan.warmForms);
  }

  forms(contestant: Contestant, forms: number): Promise<Heard> {
    const people = this.#peopleOf(contestant);
    const messages = people.length * (this.#length + 1) * forms;
    return this.#fleet.crowd.press(contestant.lines, people, messages, this.#plan.abreast);
  }

  async round(contestant: Contestant): Promise<Round> {
    const { name } = contestant;
    const before = [await contestant.usage(), await this.#fleet.store(name)] as const;
    const full = await this.forms(contestant, 1);
    const after = [await contestant.usage(), await this.#fleet.store(name)] as const;
    const messages = full.times.length;
    const perSecond = (messages * 1_000) / full.ms;
    const people = this.#peopleOf(contestant);
    const half = await this.#fleet.crowd.pace(
      contestant.lines,
      people,
      perSecond / 2,
      this.#plan.halfMs,
    );
    // Forms begun at half load are ended, so that the next round begins as this one did.
    const ended = await this.finish(contestant);
    const cpuMs = (after[0].cpuMs - before[0].cpuMs) / messages;
    const storeMs = (after[1].cpuMs - before[1].cpuMs) / messages;
    return {
      ...{ cpuMs, storeMs, bothMs: cpuMs + storeMs },
      commands: (after[1].commands - before[1].commands) / messages,
      perSecond,
      replyP50: share(
        half.times.map(({ reply }) => reply),
        0.5,
      ),
      replyP99: share(
        half.times.map(({ reply }) => reply),
        0.99,
      ),
      ackP99: share(
        half.times.map(({ ack }) => ack),
        0.99,
      ),
      wrong: [...full.wrong, ...half.wrong, ...ended.wrong],
      forms: full.forms + half.forms + ended.forms,
    };
  }

  async still(contestant: Contestant): Promise<Still> {
    const { crowd } = this.#fleet;
    const [one] = this.#peopleOf(contestant);
    const quiet: Heard[] = [];
    for (let said = 0; one && said < this.#plan.idleMessages; said++) {
      quiet.push(await crowd.press(contestant.lines, [one], 1, 1));
      await new Promise((resolve) => setTimeout(resolve, IDLE_PAUSE_MS));
    }
    const replies = quiet.flatMap(({ times }) => times.map(({ reply }) => reply));
    const { name } = contestant;
    const before = await this.#weight(name);
    const strangers = crowd.people(1_000_000 + 100_000 * this.#people.size, this.#plan.weighed);
    const lines = this.#plan.weighed * (1 + this.#length / 2);
    const midway = await crowd.press(contestant.lines, strangers, lines, this.#plan.abreast);
    const after = await this.#weight(name);
    const each = (part: "all" | "dedupe" | "journal") =>
      Math.max(0, (after[part] - before[part]) / this.#plan.weighed);
    return {
      replyP50: share(replies, 0.5),
      replyP99: share(replies, 0.99),
      bytes: { all: each("all"), dedupe: each("dedupe"), journal: each("journal") },
      rssBytes: (await contestant.usage()).rssBytes,
      wrong: [...quiet.flatMap(({ wrong }) => wrong), ...midway.wrong],
    };
  }

  async #weight(name: Name): Promise<{ all: number; dedupe: number; journal: number }> {
    const { dedupe, journal } = APART[name];
    return {
      dedupe: dedupe === undefined ? 0 : await this.#fleet.bytesOf(name, dedupe),
      journal: journal === undefined ? 0 : await this.#fleet.bytesOfFields(name, ":s:", journal),
      all: (await this.#fleet.store(name)).bytes,
    };
  }

  #left(place: number): number {
    return place === 0 ? 0 : this.#length + 1 - place;
  }

  /** Everybody says what is left of their form. */
  async finish(contestant: Contestant): Promise<Heard> {
    const people = this.#peopleOf(contestant);
    const parts: Heard[] = [];
    await Promise.all(
      people.map(async (person) => {
        const left = this.#left(person.place);
        if (left > 0)
          parts.push(await this.#fleet.crowd.press(contestant.lines, [person], left, 1));
      }),
    );
    return {
      times: [],
      wrong: parts.flatMap(({ wrong }) => wrong),
      forms: parts.reduce((sum, { forms }) => sum + forms, 0),
      ms: 0,
    };
  }

  #peopleOf(contestant: Contestant): People {
    const known = this.#people.get(contestant);
    if (known) return known;
    const count = this.#plan.people[this.#length];
    const made = this.#fleet.crowd.people(this.#people.size * 10_000, count);
    this.#people.set(contestant, made);
    return made;
  }
}

/** The value below which a share of the values lies. */
export function share(values: readonly number[], of: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))] ?? Number.NaN;
}
