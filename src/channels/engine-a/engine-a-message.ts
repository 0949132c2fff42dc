/**
 * Messages of engine A, from either side of a chat, and what comes about them: edits, deletions, reactions, poll votes.
 *
 * Ids are `<fromMe>_<chat>_<id>`: the chat in it is the true address (`from` may be bare digits of a linked id), the last
 * part is the messenger's own id. `SEND_MESSAGE` tells API sends and the phone's own sends alike.
 */
import { TEXT_LIMIT, type Content } from "../../engine/index.ts";
import type { Delivery } from "../channel.ts";
import { takeReading, type Collector } from "../collector.ts";
import { isTextType, lastPart, readEngineAContent } from "./engine-a-content.ts";
import {
  eventId,
  messageIdOf,
  at,
  isFields,
  listAt,
  momentOf,
  textAt,
  textOf,
  type Fields,
} from "../field.ts";
import { formsOf, peerOf } from "../jid.ts";
import { asEdit, isMarkedEdited, type MessageReading } from "../message/message-content.ts";

/** Sorts that only `EVENT` tells and that a person sent; the others are of no use to the bot. */
const SAID =
  /^(interactive|interactive_response|native_flow|hsm|template|buttons|list|order|product|event_creation)$/;

/** An id as text, or as an object with its serialised form. */
export function compositeOf(value: unknown): string | undefined {
  if (!isFields(value)) return textOf(value, 300)?.trim() || undefined;
  return textAt(value, 300, "_serialized") ?? textAt(value, 200, "id");
}

function plainId(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const id = messageIdOf(lastPart(compositeOf(value)));
    if (id) return id;
  }
  return undefined;
}

/** The other side's address: out of the id, where it is never bare digits. */
export function chatOf(body: Fields, own: boolean): unknown {
  const id = compositeOf(at(body, "id")) ?? compositeOf(at(body, "data", "id"));
  const chat = /^(?:true|false)_([^_]+)_/.exec(id ?? "")?.[1];
  return chat ?? at(body, own ? "to" : "from");
}

/** What the messenger tells about another message; undefined when the body is a message itself. */
function aboutAnother(event: string, body: Fields, own: string): MessageReading | undefined {
  const type = (textAt(body, 60, "type") ?? textAt(body, 60, "data", "type") ?? "").toLowerCase();
  const data = at(body, "data");
  const of = plainId(
    at(data, "protocolMessageKey"),
    at(data, "refId"),
    at(data, "msgId"),
    at(data, "parentMsgKey"),
    at(body, "quotedMsgId"),
  );
  const sort = textAt(body, 40, "subtype") ?? textAt(data, 40, "subtype") ?? "";
  if (event === "PROTOCOL" || type === "protocol") {
    const text = textAt(body, TEXT_LIMIT, "content") ?? textAt(data, TEXT_LIMIT, "body");
    const when = at(body, "timestamp") ?? at(data, "t");
    if (/revoke/i.test(sort)) return { is: "delete", of: of ?? own };
    if (!/edit/i.test(sort)) return { is: "nothing", reason: "protocol" };
    return { is: "edit", of: of ?? own, at: when, ...(text === undefined ? {} : { text }) };
  }
  // The message waits for its key: the words may follow under the same id.
  if (type === "ciphertext" || event === "CIPHERTEXT") return { is: "unreadable" };
  // The pictures of an album follow, each as a message.
  if (type === "album") return { is: "nothing", reason: "no-words" };
  if (event !== "EVENT") return undefined;
  if (type === "revoked") return { is: "delete", of: of ?? own };
  if (type === "reaction") {
    const emoji = textOf(at(data, "reactionText") ?? at(body, "content"), 32) ?? "";
    return of
      ? { is: "reaction", emoji, of }
      : { is: "nothing", reason: "reaction-without-target" };
  }
  if (/^poll_(update|vote|response)$/.test(type)) {
    if (!Array.isArray(at(data, "selectedOptions")))
      return { is: "content", content: { type: "other", what: "poll-vote" } };
    const picks = listAt(data, 20, "selectedOptions").flatMap((option) => {
      const label = textAt(option, 300, "name") ?? textAt({ option }, 300, "option");
      return label ? [{ label }] : [];
    });
    const choice = { type: "choice", via: "poll", picks, ...(of ? { of } : {}) } as const;
    return { is: "content", content: choice };
  }
  if (SAID.test(type)) return undefined;
  return { is: "nothing", reason: "unmapped-type", form: type };
}

/** Reads what somebody sent. `event` is the stated name, which for rare types is the type. */
export function readEngineAMessage(
  event: string,
  body: Fields,
  source: Delivery,
  into: Collector,
): void {
  const composite = compositeOf(at(body, "id")) ?? compositeOf(at(body, "data", "id"));
  const messageId = plainId(composite);
  if (!messageId) return into.ignore("unknown");
  if (at(body, "isGroupMsg") === true) return into.ignore("group");
  const fromMe = event === "SEND_MESSAGE" || at(body, "fromMe") === true;
  const found = peerOf({
    address: chatOf(body, fromMe),
    forms: [
      at(body, "data", fromMe ? "to" : "from"),
      ...formsOf(fromMe ? "recipient" : "sender", body, at(body, "data")),
      at(body, "remoteJidAlt"),
      at(body, "data", "remoteJidAlt"),
      at(body, "phone"),
    ].map(compositeOf),
    ...(fromMe ? {} : { name: at(body, "name") }),
  });
  if ("ignored" in found) return into.ignore(found.ignored);
  const when = momentOf(
    at(body, "timestamp") ?? at(body, "data", "t") ?? at(body, "data", "timestamp"),
    source.receivedAt,
  );
  const about = aboutAnother(event, body, messageId);
  if (about?.is === "nothing") return into.ignore(about.reason, about.form);
  if (fromMe && about) return into.ignore(`own-${about.is}`);
  const content = readEngineAContent(typed(event, body), composite ?? messageId);
  if (fromMe) {
    const caption = content.type === "media" ? content.caption : undefined;
    const poll =
      textAt(body, TEXT_LIMIT, "pollName") ?? textAt(body, TEXT_LIMIT, "data", "pollName");
    const text = content.type === "text" ? content.text : (caption ?? poll ?? "");
    const id = eventId("own", messageId);
    into.take({ kind: "own", id, at: when, from: found.peer, messageId, api: false, text });
    return;
  }
  const quoted = messageIdOf(lastPart(compositeOf(at(body, "quotedMsgId"))));
  const plain = about ?? readingOf(content);
  const isMarked = isMarkedEdited(body, at(body, "data")) || isEditEvent(event);
  const reading = isMarked ? asEdit(plain, messageId, at(body, "timestamp")) : plain;
  takeReading(reading, { peer: found.peer, messageId, at: when }, into, quoted);
}

/** A text without words is a message whose words did not arrive. */
function readingOf(content: Content): MessageReading {
  const isEmpty = content.type === "other" && isTextType(content.what);
  return isEmpty ? { is: "unreadable" } : { is: "content", content };
}

/** Where the name of the event is the name of the type, the type says so. */
function typed(event: string, body: Fields): Fields {
  if (["RECEIVE_MESSAGE", "SEND_MESSAGE", "EVENT"].includes(event) || isEditEvent(event))
    return body;
  return { ...body, type: event.toLowerCase() };
}

/** An edit has no name among the 19 of the interface; some versions make one up. `event`: in capitals. */
export function isEditEvent(event: string): boolean {
  return event.includes("EDIT");
}
