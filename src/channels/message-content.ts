/**
 * What a message of the messenger's own format holds. Engines B and C relay that format nearly unchanged.
 *
 * Binary fields come as base64, as `{type:"Buffer",data:[…]}` or as objects with numbered keys: none is ever read.
 */
import { TEXT_LIMIT, type Content } from "../engine/index.ts";
import { at, fieldsAt, isFields, numberAt, sizeAt, textAt, textOf, type Fields } from "./field.ts";
import { pressOf, voteOf } from "./choice-content.ts";
import { contactsOf } from "./contact-card.ts";
import { messageIdOf } from "./event-id.ts";

export type MessageReading =
  | { readonly is: "content"; readonly content: Content }
  | { readonly is: "reaction"; readonly emoji: string; readonly of: string }
  | { readonly is: "edit"; readonly text: string; readonly of: string; readonly at: unknown }
  | { readonly is: "delete"; readonly of: string }
  | { readonly is: "nothing"; readonly reason: string };

/** Messages that only wrap another one. */
const WRAPPERS = [
  "ephemeralMessage",
  "viewOnceMessage",
  "viewOnceMessageV2",
  "viewOnceMessageV2Extension",
  "documentWithCaptionMessage",
  "editedMessage",
  "deviceSentMessage",
] as const;
/** Wrappers nest two or three deep in practice. */
const WRAPPER_LIMIT = 6;

const MEDIA = {
  imageMessage: "image",
  videoMessage: "video",
  ptvMessage: "video",
  audioMessage: "audio",
  documentMessage: "document",
  stickerMessage: "sticker",
} as const;

/** Parts that come along with a message and are none themselves. */
const COMPANIONS = new Set([
  "messageContextInfo",
  "senderKeyDistributionMessage",
  "base64",
  "mediaUrl",
]);

export function unwrap(message: Fields): Fields {
  let here = message;
  for (let depth = 0; depth < WRAPPER_LIMIT; depth++) {
    const inner = WRAPPERS.map((name) => fieldsAt(here, name, "message")).find(Boolean);
    if (!inner) return here;
    here = inner;
  }
  return here;
}

/** Plain text of a message: typed, quoted reply or link, in the shapes of both versions. */
export function plainText(message: Fields): string | undefined {
  return (
    textAt(message, TEXT_LIMIT, "conversation") ??
    textAt(message, TEXT_LIMIT, "extendedTextMessage", "text") ??
    textAt(message, TEXT_LIMIT, "extendedTextMessage")
  );
}

function mediaOf(message: Fields, messageId: string): Content | undefined {
  for (const [name, media] of Object.entries(MEDIA)) {
    const part = fieldsAt(message, name);
    if (!part) continue;
    const bytes = sizeAt(part, "fileLength");
    const seconds = numberAt(part, "seconds");
    const mimetype = textAt(part, 200, "mimetype");
    const fileName = textAt(part, 300, "fileName") ?? textAt(part, 300, "title");
    const caption = textAt(part, TEXT_LIMIT, "caption");
    return {
      type: "media",
      media,
      ref: {
        key: messageId,
        ...(mimetype ? { mimetype } : {}),
        ...(fileName ? { fileName } : {}),
        ...(bytes === undefined ? {} : { bytes }),
        ...(seconds !== undefined && seconds >= 0 ? { seconds } : {}),
      },
      ...(caption ? { caption } : {}),
    };
  }
  return undefined;
}

function locationOf(message: Fields): Content | undefined {
  const part = fieldsAt(message, "locationMessage") ?? fieldsAt(message, "liveLocationMessage");
  const latitude = numberAt(part, "degreesLatitude");
  const longitude = numberAt(part, "degreesLongitude");
  if (latitude === undefined || longitude === undefined) return undefined;
  const name = textAt(part, 300, "name");
  const address = textAt(part, 500, "address");
  return {
    type: "location",
    latitude,
    longitude,
    ...(name ? { name } : {}),
    ...(address ? { address } : {}),
  };
}

/** Edits and deletions: `type` is a word in one version and a number in the other (0 revoke, 14 edit). */
export function protocolReading(part: Fields): MessageReading {
  const of = messageIdOf(at(part, "key", "id") ?? at(part, "key", "ID"));
  const type = at(part, "type");
  const edited = fieldsAt(part, "editedMessage");
  // A deletion may come under the name of an edit, with an empty one beside it.
  if (of && (type === "REVOKE" || type === 0 || type === "0")) return { is: "delete", of };
  if (of && edited) {
    const inner = unwrap(fieldsAt(edited, "message") ?? edited);
    const media = mediaOf(inner, of);
    const text = plainText(inner) ?? (media?.type === "media" ? media.caption : undefined);
    const when = at(part, "timestampMs") ?? at(part, "timestampMS");
    if (text !== undefined) return { is: "edit", text, of, at: when };
    return { is: "nothing", reason: "edit-without-text" };
  }
  if (of && type === undefined) return { is: "delete", of };
  return { is: "nothing", reason: "protocol" };
}

function reactionReading(part: Fields): MessageReading {
  const of = messageIdOf(at(part, "key", "id") ?? at(part, "key", "ID"));
  if (!of) return { is: "nothing", reason: "reaction-without-target" };
  return { is: "reaction", emoji: textOf(at(part, "text"), 32) ?? "", of };
}

/** Reads one message. `messageType` names what we have no reading for; `pollUpdates` stands beside the message. */
export function readMessage(
  raw: Fields,
  about: {
    readonly messageId: string;
    readonly messageType?: unknown;
    readonly pollUpdates?: unknown;
  },
): MessageReading {
  const protocol =
    fieldsAt(unwrap(raw), "protocolMessage") ??
    fieldsAt(raw, "editedMessage", "message", "protocolMessage");
  if (protocol) return protocolReading(protocol);
  const message = unwrap(raw);
  const reaction = fieldsAt(message, "reactionMessage");
  if (reaction) return reactionReading(reaction);
  const vote = voteOf(message, about.pollUpdates);
  // That somebody voted is known, for what is not: it is asked in words, instead of a chat that stays silent.
  if (vote === "unreadable")
    return { is: "content", content: { type: "other", what: "poll-vote" } };
  const content =
    vote ??
    pressOf(message) ??
    contactsOf(message) ??
    locationOf(message) ??
    mediaOf(message, about.messageId);
  if (content) return { is: "content", content };
  const text = plainText(message);
  if (text !== undefined) return { is: "content", content: { type: "text", text } };
  const parts = Object.keys(message).filter((name) => !COMPANIONS.has(name));
  if (parts.length === 0) return { is: "nothing", reason: "empty" };
  const what = textOf(about.messageType, 100)?.trim() || textOf(parts[0], 100) || "unknown";
  return { is: "content", content: { type: "other", what } };
}

/** Words of a message from the business's own side, as far as an echo shows them; empty when it has none. */
export function wordsOf(raw: Fields): string {
  const message = unwrap(raw);
  for (const name of ["pollCreationMessage", "pollCreationMessageV2", "pollCreationMessageV3"]) {
    const poll = textAt(message, TEXT_LIMIT, name, "name");
    if (poll) return poll;
  }
  const text = plainText(message);
  if (text !== undefined) return text;
  const media = mediaOf(message, "");
  if (media?.type === "media") return media.caption ?? "";
  const button = fieldsAt(message, "buttonsMessage") ?? fieldsAt(message, "listMessage");
  return (
    textAt(button, TEXT_LIMIT, "contentText") ?? textAt(button, TEXT_LIMIT, "description") ?? ""
  );
}

/** Message id this one answers, wherever the version puts it. */
export function quotedBy(record: Fields, raw: Fields): string | undefined {
  const message = unwrap(raw);
  const inside = Object.values(message).find(
    (part) => isFields(part) && isFields(at(part, "contextInfo")),
  );
  return messageIdOf(
    at(record, "contextInfo", "stanzaId") ??
      at(inside, "contextInfo", "stanzaId") ??
      at(inside, "contextInfo", "stanzaID"),
  );
}
