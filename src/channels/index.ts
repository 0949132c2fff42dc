/** Channels: raw webhook → events, message → gateway call. Pure; ids of routes are strings. */
import type { ChannelName } from "../engine/index.ts";
import type { Channel } from "./channel.ts";
import { engineA } from "./engine-a/engine-a.ts";
import { engineB } from "./engine-b/engine-b.ts";
import { engineC } from "./engine-c.ts";
import { sms } from "./sms.ts";

/** Every channel by its name. */
export const channels: Readonly<Record<ChannelName, Channel>> = {
  "engine-b": engineB,
  "engine-a": engineA,
  "engine-c": engineC,
  sms,
};

export { aliases, numberFor, phoneForms, readJid, sentAlias } from "./jid.ts";
export { eventId } from "./field.ts";
export { ID_ADDRESS, smsCut, smsSegments } from "./sms.ts";
export { subscriptionOf } from "./engine-c.ts";
export { isTimely, verifySignature } from "./signature.ts";
export { echoHash, typingMs, withBold, withoutBold, SEND_LIMIT } from "./message/rendering.ts";
export type { Channel, Delivery, Headers } from "./channel.ts";
