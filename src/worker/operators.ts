/**
 * The business's people: whether a contact is one of them, and mail to all of them. Operators are named by alias (phone or LID)
 * in the account; the store knows which contact an alias belongs to today.
 * And how a time and a channel are written for them.
 */
import { type Account, ChannelName, type Mail } from "../engine/index.ts";
import type { Store } from "../store/port/port.ts";
import type { Context } from "./context/context.ts";
import { planScope } from "./outbox/entry.ts";
import { localTime } from "../brazil/index.ts";

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

interface Standing {
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

/** `DD/MM HH:MM`; `at` in ms. */
export function whenIn(zone: string, at: number): string {
  const { day, time } = localTime(at, zone);
  return `${day.slice(8)}/${day.slice(5, 7)} ${time.slice(0, 5)}`;
}

export const CHANNEL_LETTERS: Readonly<Record<ChannelName, string>> = {
  "engine-a": "A",
  "engine-b": "B",
  "engine-c": "C",
  sms: "SMS",
};

export type Notice = Extract<Mail, { kind: "notice" }>;

/**
 * Tells them something about the runtime, once for an event id. Resolves when it is in every operator's mailbox, or was there
 * already. `but`: the operator it comes from, who is not told. Throws what the store throws.
 */
export async function tellOperators(
  context: Pick<Context, "store" | "wake">,
  account: Account,
  event: string,
  mail: Notice,
  but?: string,
): Promise<void> {
  const contacts = new Set<string>();
  for (const { alias } of account.operators)
    contacts.add(await context.store.contacts.identify(account.id, [alias]));
  if (but !== undefined) contacts.delete(but);
  if (contacts.size === 0) return;
  await context.store.mail.accept(
    [...contacts].map((contact) => ({ account: account.id, contact, event, mail })),
  );
  context.wake("turns");
}

/** Whether a message could leave now for at least one operator, by the channel they last wrote on. */
export async function isReachable(
  { store, scopes }: Pick<Context, "store" | "scopes">,
  { id, operators }: Account,
): Promise<boolean> {
  for (const { alias } of operators) {
    const contact = await store.contacts.lookup(id, alias);
    const view = contact === null ? null : await store.views.session(id, contact);
    const session = view?.session as { readonly channel?: unknown } | null | undefined;
    // An operator who never wrote is told by engine B.
    const channel = ChannelName.safeParse(session?.channel).data;
    if (!scopes.isPaused(planScope(id, channel))) return true;
  }
  return false;
}
