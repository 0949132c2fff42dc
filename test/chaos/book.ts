/**
 * What the processes themselves write down of effects, past any death: who took which, and which end the store confirmed.
 * The gateway's ledger says what was called; only this says whether whoever called heard the answer, and whether it still
 * had the right to end it. One file for all processes of an installation, a line for each.
 */
import { existsSync, openSync, readFileSync, writeSync } from "node:fs";
import type { Json } from "../../src/base/index.ts";
import type { Begun, Claimed, Store } from "../../src/store/index.ts";

/** A step of the store lies between `from` and `to`, real ms of the process that made it. */
interface Line {
  readonly id: string;
  readonly token: string;
  readonly pid: number;
  readonly from: number;
  readonly to: number;
}
export interface Begin extends Line {
  /** Phone and text of a message, see {@link saying}; empty for all else. */
  readonly saying: string;
}
export interface End extends Line {
  /** `done`, `failed`, `retry`, `not_sent`, `held`, `enqueued`. */
  readonly kind: string;
}

/** What was taken in, handed out and committed of a contact: told when its list is not what it should be. */
export interface Step {
  readonly step: "accept" | "claim" | "take" | "commit";
  readonly contact: string;
  readonly at: number;
  readonly pid: number;
  /** Event and what the store answered; epoch, rev and events; epoch, rev, how many and whether it was taken. */
  readonly told: readonly unknown[];
}

/**
 * What a commit is to make of a contact's mail, a line for each event, written down before the store is asked. It became so
 * unless the same event was handed out again later, under a higher epoch.
 */
export interface Turned {
  readonly turned: string;
  readonly contact: string;
  readonly epoch: number;
  readonly rev: number;
  /** Kind of mail; what a person wrote; what was said to it; the effect it is about. */
  readonly kind: string;
  readonly wrote?: string;
  readonly said?: string;
  readonly effect?: string;
}

/** Something broke between two moments, real ms; `pid` where it was one process and no other. */
export interface Trouble {
  readonly from: number;
  readonly to: number;
  readonly pid?: number;
}

export type BookLine = Begin | End | Step | Turned;

/** Ends after which an effect is no more. */
const LAST = ["done", "failed"];
/** Two processes' clocks are one; a call is seen this soon before its begin is written down, ms. */
const SLACK_MS = 50;
/** An answer is written to the store within this, ms; and what broke shows for as long, when nothing says so at once. */
const TAIL_MS = 6_000;

/** What a message says to whom: the same in the outbox and in the gateway's ledger. */
export const saying = (address: string, text: string): string =>
  `${address.replace(/@.*/, "").replace(/\D/g, "")} ${text}`;

/** The store, and a line in the book for each effect begun and each end that the store confirmed. */
export function booked(store: Store, file: string): Store {
  const out = openSync(file, "a");
  const write = (lines: readonly object[]): void => {
    if (lines.length === 0) return;
    writeSync(out, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  };
  const begun = (from: number, all: readonly Begun[]): void =>
    write(
      all.map(({ id, token, payload }) => {
        const { address, message } = payload as Record<string, { text?: string } | undefined>;
        const said = typeof address === "string" ? saying(address, message?.text ?? "") : "";
        return { id, token, pid: process.pid, from, to: Date.now(), saying: said };
      }),
    );
  const stepped = (step: Step["step"], contact: string, ...told: readonly unknown[]): Step => ({
    ...{ step, contact, at: Date.now(), pid: process.pid, told },
  });
  const handed = (step: "claim" | "take", one: Claimed): Step =>
    stepped(step, one.contact, one.epoch, one.rev, ...one.mail.map(({ event }) => event));
  const own: Partial<Store> = {
    async accept(items, take) {
      const answers = await store.accept(
        items,
        take && {
          ...take,
          claimed(one) {
            write([handed("take", one)]);
            take.claimed(one);
          },
        },
      );
      write(items.map(({ contact, event }, at) => stepped("accept", contact, event, answers[at])));
      return answers;
    },
    async claim(options) {
      const all = await store.claim(options);
      write(all.map((one) => handed("claim", one)));
      return all;
    },
    async commit(commits) {
      const from = Date.now();
      write(
        commits.flatMap(({ contact, epoch, rev, journal }) =>
          journal.map((record) => ({ ...madeOf(record), contact, epoch, rev })),
        ),
      );
      const answers = await store.commit(commits);
      write(
        commits.map(({ contact, epoch, rev, applied }, at) =>
          stepped("commit", contact, epoch, rev, applied, answers[at]?.ok),
        ),
      );
      begun(
        from,
        answers.flatMap((answer) => (answer.ok ? answer.begun : [])),
      );
      return answers;
    },
    async beginSend(options) {
      const from = Date.now();
      const all = await store.beginSend(options);
      begun(from, all);
      return all;
    },
    async reap(options) {
      const from = Date.now();
      const all = await store.reap(options);
      begun(from, all);
      return all;
    },
    async endSend(ends) {
      const from = Date.now();
      const answers = await store.endSend(ends);
      const stamp = { pid: process.pid, from, to: Date.now() };
      const ok = ends.filter((_, at) => answers[at] === "ok");
      write(ok.map(({ id, token, outcome }) => ({ id, token, ...stamp, kind: outcome.kind })));
      return answers;
    },
  };
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(own, name) ?? Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A turn's record as far as anybody asks for it. */
function madeOf(record: Json): Pick<Turned, "turned" | "kind" | "wrote" | "said" | "effect"> {
  const { event, mail, said } = record as unknown as {
    readonly event: string;
    readonly mail: {
      readonly kind: string;
      readonly effect?: string;
      readonly event?: { readonly content?: { readonly text?: string } };
    };
    readonly said?: string;
  };
  const { kind, effect } = mail;
  const wrote = mail.event?.content?.text;
  return {
    ...{ turned: event, kind },
    ...(wrote === undefined ? {} : { wrote }),
    ...(said === undefined ? {} : { said }),
    ...(effect === undefined ? {} : { effect }),
  };
}

export class Book {
  readonly #begins = new Map<string, Begin[]>();
  readonly #said = new Map<string, Begin[]>();
  readonly #ends: End[] = [];
  readonly #steps: Step[] = [];
  readonly #turned = new Map<string, Turned[]>();
  /** The highest epoch under which an event was handed out, by contact and event. */
  readonly #handed = new Map<string, number>();
  readonly #troubles: readonly Trouble[];

  constructor(lines: readonly BookLine[], troubles: readonly Trouble[] = []) {
    this.#troubles = troubles;
    for (const line of lines)
      if ("step" in line) this.#step(line);
      else if ("turned" in line) push(this.#turned, line.contact, line);
      else if ("kind" in line) this.#ends.push(line);
      else {
        push(this.#begins, line.id, line);
        push(this.#said, line.saying, line);
      }
  }

  /** The lines of a file; the last one of a dead process may be half. */
  static read(file: string, troubles: readonly Trouble[]): Book {
    const lines: BookLine[] = [];
    for (const text of existsSync(file) ? readFileSync(file, "utf8").split("\n") : [])
      try {
        lines.push(JSON.parse(text) as BookLine);
      } catch {
        // Torn by a death.
      }
    return new Book(lines, troubles);
  }

  #step(line: Step): void {
    this.#steps.push(line);
    if (line.step !== "claim" && line.step !== "take") return;
    const [epoch, , ...events] = line.told;
    for (const event of events) {
      const key = `${line.contact} ${String(event)}`;
      this.#handed.set(key, Math.max(Number(epoch), this.#handed.get(key) ?? 0));
    }
  }

  /** What became of a contact's mail, event by event, oldest first. A commit that was sent twice tells it once. */
  turnsOf(contact: string): readonly Turned[] {
    const stand = (this.#turned.get(contact) ?? []).filter(
      ({ turned, epoch }) => epoch >= (this.#handed.get(`${contact} ${turned}`) ?? 0),
    );
    const once = new Map(stand.map((one) => [`${one.turned} ${one.rev}`, one]));
    return [...once.values()].sort((a, b) => a.rev - b.rev);
  }

  /** Whether anybody ever took this effect. */
  began(effect: string): boolean {
    return this.#begins.has(effect);
  }

  /** All that was done with a contact's mail, oldest first, a line for each step. */
  stepsOf(contact: string): readonly string[] {
    return this.#steps
      .filter((one) => one.contact === contact)
      .map(({ at, pid, step, told }) => `${at} ${pid} ${step} ${told.join(" ")}`);
  }

  /** Effects that were ended by somebody they no longer belonged to. */
  unfenced(): readonly string[] {
    const wrong: string[] = [];
    for (const end of this.#ends) {
      const begins = this.#begins.get(end.id) ?? [];
      const own = begins.find(({ token }) => token === end.token);
      // Begun again before the end came; or ever, where the end was the last.
      const again = begins.some(
        ({ token, from, to }) =>
          own !== undefined &&
          token !== end.token &&
          from > own.to &&
          (to < end.from || LAST.includes(end.kind)),
      );
      if (again) wrong.push(`${end.id} was ended (${end.kind}) after another had taken it`);
    }
    return wrong;
  }

  /** How many messages say this. */
  messages(said: string): number {
    return new Set(this.#said.get(said)?.map(({ id }) => id)).size;
  }

  /** Whether any process died, and so another one started, between two real times. */
  died(from: number, to: number): boolean {
    return this.#troubles.some((one) => one.pid !== undefined && one.from >= from && one.to <= to);
  }

  /**
   * Whether two calls that say the same, at these real times, are no repeat after the first one's refusal: two messages, or
   * one whose refusal was lost on its way, because the process that called died or a line broke just then.
   */
  excuses(said: string, first: number, second: number): boolean {
    const begins = this.#said.get(said) ?? [];
    const of = (at: number): Begin | undefined =>
      begins.filter(({ from }) => from <= at + SLACK_MS).sort((a, b) => b.to - a.to)[0];
    const [one, other] = [of(first), of(second)];
    if (!one || !other) return false;
    if (one.id !== other.id) return true;
    if (this.#ends.some(({ id, token }) => id === one.id && token === one.token)) return false;
    return this.#troubles.some(
      ({ from, to, pid }) =>
        from <= second && to + TAIL_MS >= first && (pid === undefined || pid === one.pid),
    );
  }
}

function push<T>(map: Map<string, T[]>, key: string, one: T): void {
  const all = map.get(key);
  if (all) all.push(one);
  else map.set(key, [one]);
}
