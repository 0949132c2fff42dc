/**
 * What the processes themselves write down of effects, past any death: who took which, and which end the store confirmed.
 * The gateway's ledger says what was called; only this says whether whoever called heard the answer, and whether it still
 * had the right to end it. One file for all processes of an installation, a line for each.
 */
import { existsSync, readFileSync } from "node:fs";

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
  readonly step: "accept" | "claim" | "take" | "commit" | "park";
  readonly contact: string;
  readonly at: number;
  readonly pid: number;
  /**
   * Event and what the store answered; epoch, rev and events; epoch, rev, how many and whether it was taken; of a `park`,
   * before the store is asked: epoch, rev, reason, and the letter's event where it is not the head's.
   */
  readonly told: readonly unknown[];
  /** Of a claim: how many before it brought nothing forward, as the store says. */
  readonly failedClaims?: number;
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

/**
 * Something broke between two moments, real ms; `pid` where it was one process and no other. `calls`: answers of the gateway
 * may have been lost to a process that lived on. `store`: the store was away or the line to it broken, so that a process that
 * was just starting may have found none.
 */
export interface Trouble {
  readonly from: number;
  readonly to: number;
  readonly pid?: number;
  readonly calls?: true;
  readonly store?: true;
  /** It stood still and lived on. */
  readonly frozen?: true;
}

export type BookLine = Begin | End | Step | Turned;

/** Ends after which an effect is no more. */
const LAST = ["done", "failed"];
/** Two processes' clocks are one; a call is seen this soon before its begin is written down, ms. */
const SLACK_MS = 50;
/** An answer is written to the store within this, ms; and what broke shows for as long, when nothing says so at once. */
const TAIL_MS = 6_000;

/** An answer of the recorder: no two messages say the same one. */
const NUMBERED = / #\d+$/;

/** What a message says to whom: the same in the outbox and in the gateway's ledger. */
export const saying = (address: string, text: string): string =>
  `${address.replace(/@.*/, "").replace(/\D/g, "")} ${text}`;

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

  /**
   * Whether this effect was given up: its end says so, or whoever took it last may not have lived to write that down.
   */
  gaveUp(effect: string): boolean {
    const ends = this.#ends.filter(({ id }) => id === effect);
    if (ends.some(({ kind }) => kind === "held" || kind === "failed")) return true;
    const last = this.#begins
      .get(effect)
      ?.toSorted((a, b) => a.to - b.to)
      .at(-1);
    return (
      last !== undefined &&
      this.#troubles.some(
        ({ to, pid }) => to + TAIL_MS >= last.from && (pid ?? last.pid) === last.pid,
      )
    );
  }

  /** How often this effect was taken since it was made, real ms; one that nobody could write down counts where something broke. */
  tries(effect: string, since: number): number {
    const begins = this.#begins.get(effect) ?? [];
    const last = Math.max(...begins.map(({ to }) => to));
    return new Set(begins.map(({ token }) => token)).size + this.#brokeWithin(since, last);
  }

  /** Whether another effect of the same commit was put by. */
  heldBeside(effect: string): boolean {
    const commit = effect.slice(0, effect.lastIndexOf(":") + 1);
    return this.#ends.some(
      ({ id, kind }) => kind === "held" && id !== effect && id.startsWith(commit),
    );
  }

  /**
   * How often mail was handed out before it was put aside: what the store counted then, and no more than the processes wrote
   * down, but for hand-outs that something broke. 0 where nobody wrote down that it was put aside.
   */
  handedOut(contact: string, event: string): number {
    const own = this.#steps.filter((one) => one.contact === contact);
    const claims = own.filter(({ step }) => step === "claim" || step === "take");
    const asides = own
      .filter(({ step }) => step === "park")
      .map(({ at, told: [epoch, , , letter] }) => {
        const claim = claims.find(({ told }) => told[0] === epoch);
        const head = claim?.told[2];
        if (!claim || (letter === "" ? head : letter) !== event) return 0;
        const outs = claims.filter((one) => one.at <= at && one.told.slice(2).includes(head));
        const seen = outs.length + this.#brokeWithin(outs[0]?.at ?? at, at);
        return Math.min(1 + (claim.failedClaims ?? 0), seen);
      });
    return Math.max(0, ...asides);
  }

  /** All that was done with a contact's mail, oldest first, a line for each step. */
  stepsOf(contact: string): readonly string[] {
    return this.#steps
      .filter((one) => one.contact === contact)
      .map(({ at, pid, step, told }) => `${at} ${pid} ${step} ${told.join(" ")}`);
  }

  /** All that was done with what was said to a number, oldest first, a line for each begin and each end that was confirmed. */
  sendsTo(phone: string): readonly string[] {
    const begins = [...this.#begins.values()]
      .flat()
      .filter((one) => one.saying.startsWith(saying(phone, "")));
    const said = new Map(begins.map((one) => [one.id, one.saying]));
    const ends = this.#ends.filter(({ id }) => said.has(id));
    return [...begins.map((one) => ({ ...one, kind: "begin" })), ...ends]
      .sort((a, b) => a.from - b.from || a.to - b.to)
      .map(({ id, pid, from, to, kind }) => `${from}-${to} ${pid} ${kind} ${said.get(id) ?? ""}`);
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
    return this.#troubles.some(
      (one) => one.pid !== undefined && !one.frozen && one.from >= from && one.to <= to,
    );
  }

  /**
   * Whether two calls that say the same, at these real times, are no repeat after the first one's answer: two messages (of a
   * number there is one), or one whose answer was lost on its way, because the process that called died or a line broke just
   * then. One that was taken once is called once; and whose end the store has, that process heard its answer, unless the
   * gateway's own line broke.
   */
  excuses(said: string, first: number, second: number): boolean {
    const begins = this.#said.get(said) ?? [];
    const latest = (all: readonly Begin[]): Begin | undefined =>
      all.toSorted((a, b) => b.to - a.to)[0];
    // One that had begun and had not ended made the call; another may begin to say the same a moment later.
    const of = (at: number): Begin | undefined =>
      latest(begins.filter((begin) => begin.from <= at && this.#endsAfter(begin, at))) ??
      latest(begins.filter(({ from }) => from <= at + SLACK_MS));
    const [one, other] = [of(first), of(second)];
    if (!one || !other) return false;
    // Whoever says a number says it once, whatever it is called.
    if (one.id !== other.id) return !NUMBERED.test(said);
    if (one.token === other.token) return false;
    const end = this.#ends.find(({ id, token }) => id === one.id && token === one.token);
    if (end && end.kind !== "retry") return false;
    return this.#troubles.some(
      ({ from, to, pid, calls }) =>
        from <= second &&
        to + TAIL_MS >= first &&
        (pid === undefined || pid === one.pid) &&
        (!end || calls === true),
    );
  }

  #endsAfter({ id, token }: Begin, at: number): boolean {
    return this.#ends.some((end) => end.id === id && end.token === token && end.to >= at);
  }

  /** How much broke between two real times, or shortly before. */
  #brokeWithin(from: number, to: number): number {
    return this.#troubles.filter((one) => one.from <= to && one.to + TAIL_MS >= from).length;
  }
}

function push<T>(map: Map<string, T[]>, key: string, one: T): void {
  const all = map.get(key);
  if (all) all.push(one);
  else map.set(key, [one]);
}
