/** Mail for another contact of the account. Its event id is the effect's id, so however often it is tried, it arrives once. */
import type { PeerEffect } from "../../engine/index.ts";
import type { Begun } from "../../store/port.ts";
import type { Desk } from "../desk.ts";
import type { Ending } from "./ending.ts";
import type { Entry } from "./entry.ts";

const CONTACT = "contact:";

export async function performPeer(
  desk: Pick<Desk, "store" | "alarms" | "wake">,
  begun: Begun,
  entry: Entry<PeerEffect>,
): Promise<Ending> {
  const { account, id } = begun;
  const contact = entry.to.startsWith(CONTACT)
    ? entry.to.slice(CONTACT.length)
    : await desk.store.identify(account, [entry.to]);
  const [accepted] = await desk.store.accept([{ account, contact, event: id, mail: entry.mail }]);
  desk.wake("turns");
  if (accepted === "dead")
    desk.alarms.raise({
      code: "mailbox.full",
      account,
      subject: contact,
      message: "Mail between contacts went to dead letters: the receiver's mailbox is full.",
    });
  return { outcome: { kind: "done" } };
}
