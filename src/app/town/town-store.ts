/**
 * What is durable in a town of chat files: mail, sessions and what is on its way out, each as text, as a store would keep it.
 * A commit is one step; whatever a worker knows beside this is lost with it.
 */
import type { Effect, Mail, Session } from "../../engine/index.ts";

/** How long the id of an event is remembered, ms: as the stores do, a day more than providers deliver again. */
const REMEMBERED_MS = 8 * 86_400_000;

export interface Letter {
  readonly to: string;
  readonly event: string;
  readonly mail: Mail;
}

/** An effect on its way out. `begun`: some worker said that it does it now. */
export interface Parcel {
  readonly of: string;
  readonly effect: Effect;
  attempt: number;
  state: "waiting" | "begun" | "paused" | "done";
}

export class TownStore {
  readonly #mailbox: string[] = [];
  readonly #seen = new Map<string, number>();
  readonly #sessions = new Map<string, { readonly text: string; readonly due: number | null }>();
  readonly #parcels: Parcel[] = [];
  /** Those before are done. */
  #first = 0;

  /** Takes mail in; one that was taken before is not taken again. */
  accept(letter: Letter, now: number): "accepted" | "duplicate" {
    const key = `${letter.to} ${letter.event}`;
    const seen = this.#seen.get(key);
    if (seen !== undefined && now - seen < REMEMBERED_MS) return "duplicate";
    this.#seen.set(key, now);
    this.#mailbox.push(JSON.stringify(letter));
    return "accepted";
  }

  /** The oldest mail nobody has dealt with. */
  next(): Letter | undefined {
    const [first] = this.#mailbox;
    return first === undefined ? undefined : (JSON.parse(first) as Letter);
  }

  session(contact: string): Session | null {
    const kept = this.#sessions.get(contact);
    return kept ? (JSON.parse(kept.text) as Session) : null;
  }

  /** The new session, its effects and the consumed mail, in one step. Gives the session as it was written. */
  commit(
    contact: string,
    made: { session: Session; due: number | null; effects: readonly Effect[] },
  ): string {
    const text = JSON.stringify(made.session);
    this.#sessions.set(contact, { text, due: made.due });
    for (const effect of made.effects)
      this.#parcels.push({
        of: contact,
        effect: JSON.parse(JSON.stringify(effect)) as Effect,
        ...{ attempt: 0, state: "waiting" },
      });
    this.#mailbox.shift();
    return text;
  }

  /** The oldest effect that nobody has begun. */
  waiting(): Parcel | undefined {
    while (this.#parcels[this.#first]?.state === "done") this.#first++;
    for (let at = this.#first; at < this.#parcels.length; at++)
      if (this.#parcels[at]?.state === "waiting") return this.#parcels[at];
    return undefined;
  }

  /** What a worker that is no more had begun. */
  begun(): readonly Parcel[] {
    return this.#parcels.filter(({ state }) => state === "begun");
  }

  /** Everything that was ever asked for, in order. */
  parcels(): readonly Parcel[] {
    return this.#parcels;
  }

  /** The next timer of anybody, not later than `until`. */
  due(until: number): { readonly contact: string; readonly due: number } | undefined {
    let next: { contact: string; due: number } | undefined;
    for (const [contact, { due }] of this.#sessions)
      if (due !== null && due <= until && (next === undefined || due < next.due))
        next = { contact, due };
    return next;
  }
}
