/**
 * Engine C's filter: which group of events each name belongs to, and which groups the bot asks for.
 *
 * Groups and names as in the engine's public sources. An empty filter there means messages only.
 */

const GROUPS: Readonly<Record<string, string>> = {
  Message: "MESSAGE",
  UndecryptableMessage: "MESSAGE",
  SendMessage: "SEND_MESSAGE",
  Receipt: "READ_RECEIPT",
  CallOffer: "CALL",
  CallAccept: "CALL",
  CallTerminate: "CALL",
  CallOfferNotice: "CALL",
  CallRelayLatency: "CALL",
  GroupInfo: "GROUP",
  JoinedGroup: "GROUP",
  Connected: "CONNECTION",
  PairSuccess: "CONNECTION",
  TemporaryBan: "CONNECTION",
  LoggedOut: "CONNECTION",
  ConnectFailure: "CONNECTION",
  Disconnected: "CONNECTION",
  QRCode: "QRCODE",
  QRTimeout: "QRCODE",
  QRSuccess: "QRCODE",
  Presence: "PRESENCE",
  ChatPresence: "CHAT_PRESENCE",
  Archive: "ARCHIVE",
  HistorySync: "HISTORY_SYNC",
  LabelEdit: "LABEL",
  LabelAssociationChat: "LABEL",
  LabelAssociationMessage: "LABEL",
  Contact: "CONTACT",
  PushName: "CONTACT",
  NewsletterJoin: "NEWSLETTER",
  NewsletterLeave: "NEWSLETTER",
};

/** Groups the bot uses, in the order in which they are asked for. */
const TAKEN = ["MESSAGE", "SEND_MESSAGE", "READ_RECEIPT", "CALL", "CONNECTION", "QRCODE"] as const;

/** The group of an event name; undefined for an unknown name. */
export function groupOf(event: string): string | undefined {
  return Object.hasOwn(GROUPS, event) ? GROUPS[event] : undefined;
}

/** Whether a group holds nothing for the bot: such events are ignored and counted by the group's name. */
export function isNotice(group: string): boolean {
  return !TAKEN.some((taken) => taken === group);
}

/**
 * The groups to subscribe to for an account's filter (names of events or of groups, any spelling; empty = all taken).
 * The connection is always among them: it tells when the filter has to be sent again.
 */
export function subscriptionOf(filter: readonly string[]): readonly string[] {
  const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const asked = new Set(filter.map(fold));
  if (asked.size === 0 || asked.has("all")) return TAKEN;
  const events = Object.entries(GROUPS).filter(([event]) => asked.has(fold(event)));
  const groups = new Set(events.map(([, group]) => group));
  return TAKEN.filter(
    (group) => group === "CONNECTION" || asked.has(fold(group)) || groups.has(group),
  );
}
