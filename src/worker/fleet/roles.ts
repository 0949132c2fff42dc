/**
 * Whether a contact is one of the business's people. Operators are named by alias (phone or LID) in the account; the store
 * knows which contact an alias belongs to today.
 */
import type { Account } from "../../engine/index.ts";
import type { Store } from "../../store/port/port.ts";

/** How long a found contact is remembered, ms; a merge of two contacts is noticed after this at the latest. */
const KNOWN_MS = 60_000;
/** How long it is remembered that an operator never wrote, ms. Not used for a contact without a session. */
const UNKNOWN_MS = 5_000;
/**
 * … and how long, for a contact without a session, that the operator is another contact, ms: a person who was erased and
 * writes again is a new contact of the same alias.
 */
const OTHER_MS = 250;
/** Aliases remembered: 20 operators in each of 500 accounts. */
const REMEMBERED = 10_000;

export interface Standing {
  readonly role: "customer" | "operator";
  readonly alias?: string;
}

export class Roles {
  readonly #store: Pick<Store, "contacts">;
  readonly #now: () => number;
  readonly #seen = new Map<string, { contact: string | null; at: number }>();

  constructor(store: Pick<Store, "contacts">, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** `fresh`: the contact has no session yet, or one as an operator, so the alias may have become known just now. */
  async of(account: Account, contact: string, fresh: boolean): Promise<Standing> {
    for (const operator of account.operators) {
      const found = await this.#lookup(account.id, operator.alias, fresh ? contact : null);
      if (found === contact) return { role: "operator", alias: operator.alias };
    }
    return { role: "customer" };
  }

  /** Two contacts were merged: all roles are looked up anew. */
  forget(): void {
    this.#seen.clear();
  }

  /** `fresh`: the contact without a session that asks. */
  async #lookup(account: string, alias: string, fresh: string | null): Promise<string | null> {
    const key = `${account} ${alias}`;
    const seen = this.#seen.get(key);
    const now = this.#now();
    if (seen) {
      const isOther = fresh !== null && seen.contact !== fresh;
      const unknown = fresh === null ? UNKNOWN_MS : 0;
      const life = seen.contact === null ? unknown : isOther ? OTHER_MS : KNOWN_MS;
      if (now - seen.at < life) return seen.contact;
    }
    const contact = await this.#store.contacts.lookup(account, alias);
    if (this.#seen.size >= REMEMBERED) this.#seen.clear();
    this.#seen.set(key, { contact, at: now });
    return contact;
  }
}
