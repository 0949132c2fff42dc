/** Mail for another contact of the account. Its event id is the effect's id, so however often it is tried, it arrives once. */
import { Fault } from "../../../base/index.ts";
import type { PeerEffect } from "../../../engine/index.ts";
import type { Accepted, Begun } from "../../../store/port/port.ts";
import type { SendContext } from "../../context/contexts.ts";
import { dropped, type Ending } from "../ending.ts";
import type { Entry } from "../entry.ts";

const CONTACT = "contact:";

type Tools = Pick<SendContext, "store" | "alarms" | "wake">;

export async function performPeer(
  context: Tools,
  begun: Begun,
  entry: Entry<PeerEffect>,
): Promise<Ending> {
  const { account } = begun;
  const named = entry.to.startsWith(CONTACT);
  const find = async () =>
    named ? entry.to.slice(CONTACT.length) : context.store.contacts.identify(account, [entry.to]);
  let contact = await find();
  let accepted = await accept(context, begun, entry, { contact, named });
  // The person with that name was erased at this moment: the name leads to a new contact from now on.
  if (accepted === "moved" && !named) {
    contact = await find();
    accepted = await accept(context, begun, entry, { contact, named });
  }
  // The person who asked was erased since: the answer must not begin a conversation with them.
  if (accepted === "moved") return dropped("erased");
  context.wake("turns");
  if (accepted === "dead")
    context.alarms.raise({
      code: "mailbox.full",
      account,
      subject: contact,
      message: "Mail between contacts went to dead letters: the receiver's mailbox is full.",
    });
  return { outcome: { kind: "done" } };
}

/** `moved`: a person named by their contact no longer exists. One who was merged is found by their other name. */
async function accept(
  context: Tools,
  begun: Begun,
  { mail }: Entry<PeerEffect>,
  { contact, named }: { readonly contact: string; readonly named: boolean },
): Promise<Accepted | undefined> {
  const { store } = context;
  const { account, id } = begun;
  const isThere = async () => {
    try {
      return (await store.views.session(account, contact)) !== null;
    } catch (error) {
      // A session that cannot be opened exists: mail for it becomes a dead letter, where an operator sees it.
      if (Fault.is(error, "DATA_TAMPERED")) return true;
      throw error;
    }
  };
  if (named && !(await isThere())) return "moved";
  const item = { account, contact, event: id, mail };
  const [accepted] = await store.mail.accept([named ? { ...item, found: true } : item]);
  if (accepted !== "moved" || !(await isThere())) return accepted;
  return (await store.mail.accept([item]))[0];
}
