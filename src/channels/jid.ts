/**
 * Chat addresses: what sort of chat, which phone, which linked id.
 *
 * A linked id (LID) is an opaque key and never a phone. Device suffixes (`:12`) belong to a handset, not to a person.
 */
import type { Peer, ChannelName } from "../engine/index.ts";
import { isFields, textOf } from "./field.ts";

interface Jid {
  readonly kind: "phone" | "lid" | "group" | "broadcast" | "status" | "newsletter" | "other";
  /** Digits of a phone or of a linked id; the local part otherwise. */
  readonly user: string;
  /** The address without a device suffix, as replies are sent to it. */
  readonly address: string;
}

const SERVERS: Readonly<Record<string, Jid["kind"]>> = {
  "s.whatsapp.net": "phone",
  "c.us": "phone",
  hosted: "phone",
  lid: "lid",
  "hosted.lid": "lid",
  "g.us": "group",
  broadcast: "broadcast",
  newsletter: "newsletter",
};

/** Reads an address; bare digits are a phone. Undefined when the value is no address at all. */
export function readJid(value: unknown): Jid | undefined {
  const text = textOf(value, 128)?.trim();
  if (!text) return undefined;
  if (/^\+?\d{8,15}$/.test(text)) {
    const digits = text.replace("+", "");
    return { kind: "phone", user: digits, address: digits };
  }
  const match = /^([^@\s]{1,80})@([a-z.]{1,30})$/.exec(text);
  if (!match) return undefined;
  const user = (match[1] ?? "").replace(/(_\d+)?(:\d+)?$/, "");
  const server = match[2] ?? "";
  const address = `${user}@${server}`;
  const known = Object.hasOwn(SERVERS, server) ? SERVERS[server] : undefined;
  if (user === "status" && known === "broadcast") return { kind: "status", user, address };
  if (known === "phone" && !/^\d{8,15}$/.test(user)) return { kind: "other", user, address };
  if (known === "lid" && !/^\d{1,32}$/.test(user)) return { kind: "other", user, address };
  return { kind: known ?? "other", user, address };
}

/**
 * The person of a chat from its address and further forms of it, or why there is none.
 *
 * `own` is the business's own number: a form that names it says nothing about the other side. Replies go to the phone where one
 * is known: a send call takes digits, and not every engine takes a linked id.
 */
export function peerOf(input: {
  readonly address: unknown;
  readonly forms?: readonly unknown[];
  readonly name?: unknown;
  readonly own?: string | undefined;
}): { readonly peer: Peer } | { readonly ignored: string } {
  const chat = readJid(input.address);
  if (!chat) return { ignored: "address" };
  if (chat.kind !== "phone" && chat.kind !== "lid")
    return { ignored: chat.kind === "other" ? "address" : chat.kind };
  const own = new Set(input.own === undefined ? [] : phoneForms(input.own));
  if (chat.kind === "phone" && own.has(chat.user)) return { ignored: "self" };
  const forms = [chat, ...(input.forms ?? []).map(readJid)];
  const lid = forms.find((form) => form?.kind === "lid")?.user;
  // Bare digits may be those of the linked id.
  const phone = forms.find(
    (form) => form?.kind === "phone" && !own.has(form.user) && form.user !== lid,
  )?.user;
  const name = textOf(input.name, 200)?.trim();
  return {
    peer: {
      address: chat.kind === "lid" && phone ? `${phone}@s.whatsapp.net` : chat.address,
      ...(phone ? { phone } : {}),
      ...(lid ? { lid } : {}),
      ...(name ? { name } : {}),
    },
  };
}

const NAMED = {
  recipient: /^(?:peer_?)?recipient_?(?:alt|pn|lid)$/i,
  sender: /^(?:sender|participant)_?(?:alt|pn|lid)$/i,
};

/** Further forms of a person, by their role in a message, as engines spell them: `senderPn`, `peer_recipient_lid`, `RecipientAlt`. */
export function formsOf(
  role: keyof typeof NAMED,
  ...places: readonly unknown[]
): readonly unknown[] {
  return places.flatMap((place) =>
    isFields(place)
      ? Object.keys(place)
          .filter((name) => NAMED[role].test(name))
          .map((name) => place[name])
      : [],
  );
}

/** What a send call takes as `number`: the digits of a phone, a linked id whole. */
export function numberFor(address: string): string {
  const jid = readJid(address);
  return jid?.kind === "phone" ? jid.user : (jid?.address ?? address);
}

/**
 * Both forms of a Brazilian mobile number, the long one first; any other number alone. Chat ids of older numbers lack the 9
 * that people write today. A remainder that begins with 2–5 is a landline's number and stays apart (Anatel's numbering plan).
 */
export function phoneForms(phone: string): readonly string[] {
  const long = /^55([1-9]{2})9([016-9]\d{7})$/.exec(phone);
  if (long) return [phone, `55${long[1]}${long[2]}`];
  const short = /^55([1-9]{2})([016-9]\d{7})$/.exec(phone);
  if (short) return [`55${short[1]}9${short[2]}`, phone];
  return [phone];
}

/**
 * Every name under which the other side of a chat may come in, for `store.identify`: `phone:<digits>`, `lid:<digits>`, and a
 * channel's own when there is neither. Never empty.
 */
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
