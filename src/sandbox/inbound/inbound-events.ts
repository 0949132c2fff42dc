/** What a contact did, as each engine posts it. */
import type { Json, JsonObject } from "../../base/index.ts";
import { jidOf, LID_DOMAIN } from "../http/address.ts";
import type { InboundContents, WireMessage } from "../messages/content.ts";
import type { Channel } from "../webhooks/delivery-settings.ts";
import * as a from "../webhooks/engine-a.ts";
import * as b from "../webhooks/engine-b.ts";
import * as c from "../webhooks/engine-c.ts";
import { chatOf } from "../webhooks/herald.ts";
import { markMessage } from "./inbound-marks.ts";
import { smsUrl } from "../webhooks/progress.ts";
import { quoteOf } from "../messages/send-context.ts";
import type { WireEvent } from "../webhooks/webhooks.ts";
import type { World } from "../world/world.ts";

/** A contact doing something: who, where, when, what. */
export interface Scene {
  readonly world: World;
  readonly device: string;
  readonly phone: b.OwnPhone;
  readonly person: string;
  /** Who of a group writes. */
  readonly author?: string;
  readonly name: string;
  readonly chat: b.ChatAddress;
  readonly id: string;
  readonly at: number;
  readonly content: InboundContents;
  readonly wire: WireMessage | undefined;
  /** Id of the message that it replies to. */
  readonly quoted?: string;
}

export type Told = Pick<WireEvent, "names" | "hook" | "body" | "bytes" | "to">;

/** Everything the engine posts about it, in order. Empty: the channel does not tell this sort. */
export function eventsOf(scene: Scene, channel: Channel): readonly Told[] {
  if (scene.content.raw) return [rawEvent(scene.content.raw)];
  const one = { "engine-b": eventOfB, "engine-a": eventOfA, "engine-c": eventOfC, sms: eventOfSms };
  const tell = one[channel];
  const event = tell(scene);
  if (!event) return [];
  const { both_forms: both, contacts } = scene.world.webhooks.delivery;
  const other = both && channel !== "sms" && channel !== "engine-a" ? otherForm(scene) : undefined;
  const again = other && tell(other);
  const named = contacts && channel === "engine-b" ? contactEvent(scene) : undefined;
  return [event, ...(again ? [again] : []), ...(named ? [named] : [])];
}

/** The same under the other address of the person; undefined where there is only one. */
function otherForm(scene: Scene): Scene | undefined {
  const { world, person, chat } = scene;
  if (person.includes("@")) return undefined;
  const wasLid = chat.remoteJid.endsWith(LID_DOMAIN);
  const { lid_alt: alt } = world.webhooks.delivery;
  const lid = `${world.book.lidOf(person)}${LID_DOMAIN}`;
  const [remoteJid, remoteJidAlt] = wasLid ? [jidOf(person), lid] : [lid, chat.remoteJid];
  const addressingMode = wasLid ? "pn" : "lid";
  return { ...scene, chat: { remoteJid, ...(alt ? { remoteJidAlt } : {}), addressingMode } };
}

/** Any bytes: past every filter, at every URL of the hook. */
function rawEvent({ body = null, text, hook = "message" }: NonNullable<InboundContents["raw"]>) {
  return { names: [], hook, body: always(body), ...(text === undefined ? {} : { bytes: text }) };
}

function contactEvent({ phone, chat, name, at, content }: Scene): Told | undefined {
  if (content.human || content.edit || content.delete) return undefined;
  const data = b.contactUpdate(phone, chat, name);
  return { names: ["contacts.update"], body: b.envelope(phone, data, at) };
}

/** The message as engine B keeps it; undefined for what is none. */
export function recordOf(scene: Scene): JsonObject | undefined {
  const made = markMessage(scene);
  const wire = made?.wire ?? scene.wire;
  if (!wire) return undefined;
  const record = b.messageRecord(scene.phone, scene.chat, {
    id: scene.id,
    fromMe: scene.content.human !== undefined,
    pushName: scene.content.human === undefined ? scene.name : "Você",
    status: "DELIVERY_ACK",
    messageType: wire.messageType,
    message: wire.message,
    at: scene.at,
    source: "android",
    ...(made?.extra ? { extra: made.extra } : {}),
    ...(scene.quoted === undefined ? {} : { extra: { contextInfo: replied(scene, scene.quoted) } }),
  });
  if (scene.author === undefined) return record;
  const { remoteJid: participant, remoteJidAlt } = chatOf(scene.world, scene.author);
  const alt = remoteJidAlt === undefined ? {} : { participantAlt: remoteJidAlt };
  const key = record["key"] as JsonObject;
  return { ...record, key: { ...key, participant, ...alt } };
}

/** What a reply says of the message above it. */
function replied({ world, device, phone }: Scene, quoted: string): JsonObject {
  const known = { id: quoted, message: { conversation: "" } };
  return quoteOf(world, device, known, phone.own)?.info ?? { stanzaId: quoted };
}

function eventOfB(scene: Scene): Told | undefined {
  const { content, chat, id, at, phone } = scene;
  if (content.edit) {
    const data = b.messageEdited(chat, id, content.edit.text, at);
    return { names: ["messages.edited"], body: b.envelope(phone, data, at) };
  }
  if (content.delete)
    return { names: ["messages.delete"], body: b.envelope(phone, b.messageDeleted(chat, id), at) };
  const record = recordOf(scene);
  if (!record) return undefined;
  const data = scene.world.webhooks.delivery.v1 ? b.recordV1(phone, record) : record;
  return { names: ["messages.upsert"], body: b.envelope(phone, data, at) };
}

/** Whether the person wrote that message themselves. */
function isOf({ world, device }: Scene, id: string): boolean {
  return world.messages.find(device, id)?.fromMe === false;
}

function eventOfA(scene: Scene): Told | undefined {
  const { content, person, id, at, name, phone } = scene;
  const author = scene.author === undefined ? {} : { author: scene.author };
  const sort = a.contentOf(content, scene.wire, person);
  if (!sort) return undefined;
  const fromMe = content.human !== undefined;
  const quoted =
    scene.quoted === undefined
      ? {}
      : { quotedMsgId: a.compositeId(!isOf(scene, scene.quoted), person, scene.quoted) };
  const told = { id, person, name, fromMe, at, content: { ...sort, ...quoted }, ...author };
  const body = a.messageEvent(phone, told);
  const wook = typeof sort["wook"] === "string" ? sort["wook"] : undefined;
  const own = fromMe ? "SEND_MESSAGE" : "RECEIVE_MESSAGE";
  return { names: [wook ?? own], hook: "message", body: always(body) };
}

/** A reply is an extended text there, which holds what it replies to. */
function repliedC(scene: Scene, quoted: string): JsonObject {
  const { stanzaId, ...info } = replied(scene, quoted);
  const contextInfo = { stanzaID: stanzaId ?? quoted, ...info };
  return { extendedTextMessage: { text: scene.content.text ?? "", contextInfo } };
}

function eventOfC(scene: Scene): Told | undefined {
  const { content, chat, id, at, name, phone } = scene;
  const fromMe = content.human !== undefined;
  const { author: member } = scene;
  const author = member === undefined ? {} : { author: chatOf(scene.world, member) };
  const base = { id, fromMe, name, at, ...author };
  if (content.edit) {
    const message = {
      ...base,
      messageType: "editedMessage",
      message: { conversation: content.edit.text },
      edit: true,
    };
    return always3(phone, "Message", c.messageData(phone, chat, message));
  }
  if (content.delete) {
    const message = {
      ...base,
      messageType: "protocolMessage",
      message: { protocolMessage: { key: { id }, type: 0 } },
    };
    return always3(phone, "Message", c.messageData(phone, chat, message));
  }
  const wire = markMessage(scene)?.wire ?? scene.wire;
  if (!wire) return undefined;
  const message = {
    ...(scene.quoted === undefined ? wire.message : repliedC(scene, scene.quoted)),
    ...(wire.media ? { base64: wire.media.base64, mimetype: wire.media.mimetype } : {}),
  };
  const data = c.messageData(phone, chat, { ...base, messageType: wire.messageType, message });
  return always3(phone, "Message", data);
}

/** Replies name the SMS they answer, never the sender, and go where that message asked for them. */
function eventOfSms({ world, device, content, id }: Scene): Told | undefined {
  if (content.text === undefined) return undefined;
  const answered = world.messages.find(device, id);
  const to = answered && smsUrl(answered);
  const body = always([{ id, status: "reply", message: content.text }]);
  return { names: ["reply"], body, ...(to === undefined ? {} : { to }) };
}

function always(body: Json): () => Json {
  return () => body;
}

function always3(phone: b.OwnPhone, event: c.EngineCEvent, data: Json): Told {
  return { names: c.namesOf(event), body: always(c.envelope(phone, event, data)) };
}
