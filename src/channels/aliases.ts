/**
 * Names under which one person may come in: `phone:<digits>`, `lid:<digits>`, and a channel's own when there is neither.
 *
 * Brazil's ninth digit: chat ids of older mobile numbers lack the 9 that people write today, so both forms are given.
 * A remainder that begins with 2–5 is a landline's number and stays apart from the mobile one (Anatel's numbering plan).
 */
import type { ChannelName, Peer } from "../engine/index.ts";

/** Both forms of a Brazilian mobile number, the long one first; any other number alone. */
export function phoneForms(phone: string): readonly string[] {
  const long = /^55([1-9]{2})9([016-9]\d{7})$/.exec(phone);
  if (long) return [phone, `55${long[1]}${long[2]}`];
  const short = /^55([1-9]{2})([016-9]\d{7})$/.exec(phone);
  if (short) return [`55${short[1]}9${short[2]}`, phone];
  return [phone];
}

/** Every alias of the other side of a chat, for `store.identify`. Never empty. */
export function aliases(peer: Peer, channel: ChannelName): readonly string[] {
  const found = [
    ...(peer.phone ? phoneForms(peer.phone).map((form) => `phone:${form}`) : []),
    ...(peer.lid ? [`lid:${peer.lid}`] : []),
  ];
  return found.length > 0 ? found : [`x:${channel}:${peer.address}`];
}

/** Alias under which the answer to one of our short messages comes back: that channel names the message, not the person. */
export function sentAlias(channel: ChannelName, messageId: string): string {
  return `x:${channel}:id:${messageId}`;
}
