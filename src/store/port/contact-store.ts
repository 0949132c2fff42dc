/** Who is who: people by their names, what is erased of them. */
import type { ContactId } from "./store-views.ts";

export interface ContactStore {
  /**
   * The contact of a set of aliases (`phone:…`, `lid:…`, any `x:…`), made when none is known. If the aliases lead to two
   * contacts, these are merged: the older wins, the younger forwards its mail. Safe in both orders and concurrently. Before
   * any caller gets an answer, the younger's session and mail are in the older's mailbox, however full it is: as mail
   * `{kind: "joined", from, session}` and under the events they had, marked `via`. A running turn of the younger is fenced.
   * Its effects stay its own. `recent`: an answer that this process had a while ago for the same aliases will do, for an
   * `accept` of what was `found`.
   */
  identify(account: string, aliases: readonly string[], recent?: boolean): Promise<ContactId>;
  /**
   * The same for something done at `at` (ms of the store's clock): null when one of the names was erased after it. Then
   * nothing may be stored and no contact is made. The second of an erasure counts as after it, because events tell whole
   * seconds.
   */
  identify(
    account: string,
    aliases: readonly string[],
    recent: boolean,
    at: number,
  ): Promise<ContactId | null>;
  /**
   * Makes a name lead to a person for `limits.leadMs` without being an alias: the id of a message sent to them. It leads to
   * the contact to which the first known alias of `to` leads at the time of the look-up. A person has at most `limits.leads`
   * such names; they are erased with the person. False, and nothing is stored, when no alias is known. Safe to repeat.
   */
  lead(account: string, name: string, to: readonly string[]): Promise<boolean>;
  /** The contact of an alias, or of a name that leads to one (`lead`). Makes none. */
  lookup(account: string, alias: string): Promise<ContactId | null>;
  /** Whether this contact was given an event within the time that events are remembered, also when it was merged since. */
  knew(account: string, contact: ContactId, event: string): Promise<boolean>;
  /**
   * Erases everything of a contact and of those merged into it: the aliases first, then the data key. Later events begin
   * afresh. Mail that waited counts as dead. Each alias leaves its keyed hash and the time of the erasure for 8 days
   * (`identify`); a caller that found the contact before is told `moved`. Where replicas are required they have it, too,
   * else `STORE_UNAVAILABLE`. Safe to repeat when no answer came.
   */
  erase(account: string, contact: ContactId): Promise<boolean>;
  /** Drops the oldest of the `seen` lines of a journal, except the newest `keep` of them; later lines stay. */
  forgetLines(account: string, contact: ContactId, seen: number, keep: number): Promise<void>;
}
