/** The person a contact belongs to by now: two contacts may have been merged since something was asked. */
import { Fault, type Json } from "../../base/index.ts";
import type { Account, Session } from "../../engine/index.ts";
import type { ContactId, SessionView, Store, Begun } from "../../store/port/port.ts";
import { setTimeout as pause } from "node:timers/promises";
import { aliases, sentAlias } from "../../channels/index.ts";
import type { Log } from "../ports.ts";

export interface Person {
  /** The one that holds the conversation. */
  readonly contact: ContactId;
  /** It, and all contacts merged into it: what they asked for is this person's. */
  readonly contacts: ReadonlySet<ContactId>;
  readonly session: Session | undefined;
}

export async function personOf(
  { store }: { readonly store: Pick<Store, "views"> },
  account: string,
  contact: ContactId,
): Promise<Person> {
  const view = await readableSession(store, account, contact);
  const session = view?.session as unknown as Session | undefined;
  const current = view?.contact ?? contact;
  const before = (session?.joined ?? []).map((one) => one.contact);
  return { contact: current, contacts: new Set([current, contact, ...before]), session };
}

/** Nothing is known of a conversation that cannot be opened; it can be erased all the same. */
async function readableSession(
  store: Pick<Store, "views">,
  account: string,
  contact: ContactId,
): Promise<SessionView | null> {
  try {
    return await store.views.session(account, contact);
  } catch (error) {
    if (Fault.is(error, "DATA_TAMPERED")) return null;
    throw error;
  }
}

/** Whether these contacts are one person by now. */
export async function isOnePerson(
  context: { readonly store: Pick<Store, "views"> },
  account: string,
  [one, other]: readonly [ContactId, ContactId],
): Promise<boolean> {
  if (one === other) return true;
  const [a, b] = [await personOf(context, account, one), await personOf(context, account, other)];
  return a.contact === b.contact;
}

/** Lines of the journals of all these contacts, newest first; at most `limit` in all. */
export async function linesOf(
  { store }: { readonly store: Pick<Store, "views"> },
  { id }: Pick<Account, "id">,
  contacts: Person["contacts"],
  limit: number,
): Promise<readonly Json[]> {
  const lines: Json[] = [];
  for (const contact of contacts)
    lines.push(...(await store.views.journal(id, contact, limit - lines.length)));
  const at = (line: Json) => Number((line as { at?: unknown } | null)?.at ?? 0);
  return contacts.size === 1 ? lines : lines.sort((a, b) => at(b) - at(a));
}

/** Tries, and the pause between them, ms: the same as for writing an effect's end. */
const NAME_TRIES = 5;
const NAME_PAUSE_MS = 300;

/**
 * The answer to a short message names the message, not the person, so for a while the message's id leads to the contact.
 * Only a known contact is named: a person erased meanwhile must not come back by it. It never fails, because the message
 * has left and must not leave again.
 */
export async function nameAnswer(
  context: { readonly store: Pick<Store, "contacts">; readonly log: Pick<Log, "warn"> },
  begun: Pick<Begun, "account" | "id">,
  number: string | undefined,
  id: string,
): Promise<void> {
  if (number === undefined) return;
  const names = aliases({ address: number, phone: number }, "sms");
  for (let tries = 1; tries <= NAME_TRIES; tries++) {
    try {
      await context.store.contacts.lead(begun.account, sentAlias("sms", id), names);
      return;
    } catch (error) {
      if (tries < NAME_TRIES) await pause(NAME_PAUSE_MS);
      else
        context.log.warn({ err: error, effect: begun.id }, "whose a sent message is was not noted");
    }
  }
}
