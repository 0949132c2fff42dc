/** The person a contact belongs to by now: two contacts may have been merged since something was asked. */
import { Fault, type Json } from "../../base/index.ts";
import type { Account, Session } from "../../engine/index.ts";
import type { ContactId, SessionView, Store } from "../../store/port/port.ts";

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
