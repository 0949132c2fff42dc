/** Dead letters: events that could not be applied, kept until an operator releases or drops them. */
import type { Json } from "../../base/index.ts";
import type { Commit, Committed } from "./mail-store.ts";
import type { ContactId, Page } from "./store-views.ts";

export interface DeadLetterStore {
  /**
   * Moves the head event, or `letter` for it, to dead letters and puts `notice` mail in its place. When dead letters have
   * no room nothing changes.
   */
  add(input: NewDeadLetter): Promise<DeadLettered>;
  /** Oldest first; with `id` that one alone. */
  list(options: {
    account?: string;
    id?: string;
    after?: string;
    limit: number;
  }): Promise<Page<DeadLetter>>;
  /** Puts a dead letter back (new order, same event) or drops it. Either way its event is remembered like any other. */
  resolve(id: string, action: "release" | "drop"): Promise<boolean>;
}

/** Dead-letters the head of a mailbox, which cannot be applied. Fenced like a commit. */
export interface NewDeadLetter {
  readonly account: string;
  readonly contact: ContactId;
  readonly epoch: number;
  readonly rev: number;
  readonly reason: string;
  /** Mail that takes the place of the head. */
  readonly notice?: { readonly event: string; readonly mail: Json };
  /**
   * What goes to dead letters in place of the head, because a tick has no content of its own. When released it is mail like
   * any other.
   */
  readonly letter?: { readonly event: string; readonly mail: Json };
  /** New session (its rev is `rev + 1`), of any size; absent, the one there is stays. */
  readonly newSession?: Json;
  /** As in a commit; absent: `same`. */
  readonly due?: Commit["due"];
}

/** `full`: dead letters of this contact or partition have no room; nothing was written, the claim stands. */
export type DeadLettered = Committed | { readonly ok: false; readonly reason: "full" };

export interface DeadLetter {
  readonly id: string;
  readonly account: string;
  readonly contact: ContactId;
  readonly event: string;
  readonly reason: string;
  readonly at: number;
  readonly mail: Json;
}
