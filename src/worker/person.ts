/** Who a contact is by now: two names of one person may have proved to be one since something was asked. */
import { Fault } from "../base/index.ts";
import type { Session } from "../engine/index.ts";
import type { ContactId, SessionView, Store } from "../store/port.ts";

export interface Person {
  /** The one that holds the conversation. */
  readonly contact: ContactId;
  /** It, and all it was before: what they asked for is this person's. */
  readonly contacts: ReadonlySet<ContactId>;
  readonly session: Session | undefined;
}

export async function personOf(
  { store }: { readonly store: Pick<Store, "session"> },
  account: string,
  contact: ContactId,
): Promise<Person> {
  const view = await readableSession(store, account, contact);
  const session = view?.session as unknown as Session | undefined;
  const current = view?.contact ?? contact;
  const before = (session?.joined ?? []).map((one) => one.contact);
  return { contact: current, contacts: new Set([current, contact, ...before]), session };
}

/** Of a conversation whose bytes cannot be opened nothing is known; it can be erased all the same. */
async function readableSession(
  store: Pick<Store, "session">,
  account: string,
  contact: ContactId,
): Promise<SessionView | null> {
  try {
    return await store.session(account, contact);
  } catch (error) {
    if (Fault.is(error, "DATA_TAMPERED")) return null;
    throw error;
  }
}

/** Whether these are names of one person by now. */
export async function isOnePerson(
  desk: { readonly store: Pick<Store, "session"> },
  account: string,
  [one, other]: readonly [ContactId, ContactId],
): Promise<boolean> {
  if (one === other) return true;
  const [a, b] = [await personOf(desk, account, one), await personOf(desk, account, other)];
  return a.contact === b.contact;
}
