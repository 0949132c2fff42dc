/** Where a person is answered: the phone number where it is known, otherwise the linked id. */
import type { ChannelName, Peer } from "./inbound.ts";
import type { Mail } from "./mail.ts";
import type { Session } from "./session.ts";

const LINKED = "@lid";

/** They were heard under these names. A linked id alone takes no known phone away. */
export function heardFrom(session: Session, channel: ChannelName, from: Peer): void {
  if (from.lid !== undefined && session.linked?.address !== `${from.lid}${LINKED}`)
    session.linked = { address: `${from.lid}${LINKED}` };
  const { linked } = session;
  if (linked?.only && channel !== "sms") session.address = linked.address;
  else if (from.phone !== undefined || !isPhone(session.address)) session.address = from.address;
}

/** Their address was found out: the phone of a linked id, or that only the linked id is taken. */
export function resolved(session: Session, { address }: Extract<Mail, { kind: "resolved" }>): void {
  delete session.unreachable;
  if (session.linked?.address === address) session.linked.only = true;
  else if (session.lastSeen !== undefined && isPhone(session.address)) return;
  else if (session.linked?.only) return;
  session.address = address;
}

/** Of one person with two conversations. */
export function joinedAddress(last: Session, first: Session): Pick<Session, "address" | "linked"> {
  const linked = last.linked ?? first.linked;
  const address = [last, first].map((one) => one.address).find(isPhone);
  return {
    address: linked?.only ? linked.address : (address ?? last.address ?? first.address),
    linked,
  };
}

function isPhone(address: string | undefined): boolean {
  return address !== undefined && /^\d/.test(address) && !address.endsWith(LINKED);
}
