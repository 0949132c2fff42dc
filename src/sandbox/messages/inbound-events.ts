/** What a contact did, as each engine posts it. */
import type { JsonObject } from "../../base/index.ts";
import { jidOf, LID_DOMAIN } from "../http/address.ts";
import type { InboundContents, WireMessage } from "./content.ts";
import type { Channel } from "../webhooks/subscriptions.ts";
import * as a from "../webhooks/engine-a.ts";
import * as b from "../webhooks/engine-b.ts";
import * as c from "../webhooks/engine-c.ts";
import { chatOf, smsUrl } from "../webhooks/echoes.ts";
import { quoteOf } from "./sends.ts";
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
  const { both_forms: both, contacts } = scene.world.settings.delivery;
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
  const { lid_alt: alt } = world.settings.delivery;
  const lid = `${world.book.lidOf(person)}${LID_DOMAIN}`;
  const [remoteJid, remoteJidAlt] = wasLid ? [jidOf(person), lid] : [lid, chat.remoteJid];
  const addressingMode = wasLid ? "pn" : "lid";
  return {
    ...scene,
    chat: { remoteJid, remoteJidAlt: alt ? remoteJidAlt : undefined, addressingMode },
  };
}

/** Any bytes: past every filter, at every URL of the hook. */
function rawEvent({ body = null, text, hook = "message" }: NonNullable<InboundContents["raw"]>) {
  return { names: [], hook, body, bytes: text };
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
    contextInfo: scene.quoted === undefined ? undefined : replied(scene, scene.quoted),
    extra: made?.extra,
  });
  if (scene.author === undefined) return record;
  const { remoteJid: participant, remoteJidAlt } = chatOf(scene.world, scene.author);
  const key = record["key"] as JsonObject;
  return { ...record, key: { ...key, participant, participantAlt: remoteJidAlt } };
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
  const data = scene.world.settings.delivery.v1 ? b.recordV1(phone, record) : record;
  return { names: ["messages.upsert"], body: b.envelope(phone, data, at) };
}

/** Whether the person wrote that message themselves. */
function isOf({ world, device }: Scene, id: string): boolean {
  return world.messages.find(device, id)?.fromMe === false;
}

function eventOfA(scene: Scene): Told | undefined {
  const { content, person, author, id, at, name, phone } = scene;
  const sort = a.contentOf(content, scene.wire, person);
  if (!sort) return undefined;
  const fromMe = content.human !== undefined;
  const quoted =
    scene.quoted === undefined
      ? {}
      : { quotedMsgId: a.compositeId(!isOf(scene, scene.quoted), person, scene.quoted) };
  const told = { id, person, name, fromMe, at, content: { ...sort, ...quoted }, author };
  const body = a.messageEvent(phone, told);
  const wook = typeof sort["wook"] === "string" ? sort["wook"] : undefined;
  const own = fromMe ? "SEND_MESSAGE" : "RECEIVE_MESSAGE";
  return { names: [wook ?? own], hook: "message", body };
}

/** A reply is an extended text there, which holds what it replies to. */
function repliedC(scene: Scene, quoted: string): JsonObject {
  const { stanzaId, ...info } = replied(scene, quoted);
  const contextInfo = { stanzaID: stanzaId ?? quoted, ...info };
  return { extendedTextMessage: { text: scene.content.text ?? "", contextInfo } };
}

function eventOfC(scene: Scene): Told | undefined {
  const { content, chat, phone } = scene;
  const message = messageOfC(scene);
  if (!message) return undefined;
  const data = c.messageData(phone, chat, {
    id: scene.id,
    fromMe: content.human !== undefined,
    name: scene.name,
    at: scene.at,
    author: scene.author === undefined ? undefined : chatOf(scene.world, scene.author),
    edit: content.edit !== undefined,
    ...message,
  });
  return { names: c.namesOf("Message"), body: c.envelope(phone, "Message", data) };
}

function messageOfC(scene: Scene): Pick<WireMessage, "messageType" | "message"> | undefined {
  const { content, id } = scene;
  if (content.edit)
    return { messageType: "editedMessage", message: { conversation: content.edit.text } };
  if (content.delete)
    return {
      messageType: "protocolMessage",
      message: { protocolMessage: { key: { id }, type: 0 } },
    };
  const wire = markMessage(scene)?.wire ?? scene.wire;
  if (!wire) return undefined;
  const { messageType, media } = wire;
  const message = scene.quoted === undefined ? wire.message : repliedC(scene, scene.quoted);
  return {
    messageType,
    message: { ...message, base64: media?.base64, mimetype: media?.mimetype },
  };
}

/** Replies name the SMS they answer, never the sender, and go where that message asked for them. */
function eventOfSms({ world, device, content, id }: Scene): Told | undefined {
  if (content.text === undefined) return undefined;
  const answered = world.messages.find(device, id);
  const to = answered && smsUrl(answered);
  return { names: ["reply"], body: [{ id, status: "reply", message: content.text }], to };
}

/** Votes and reactions as engines B and C put them into `message`; undefined for everything else. */
function markMessage(
  scene: Scene,
): { readonly wire: WireMessage; readonly extra?: JsonObject } | undefined {
  const { world, device, content, chat, author, at } = scene;
  if (content.poll_vote) {
    const { poll, options } = content.poll_vote;
    const voter = author === undefined ? chat.remoteJid : chatOf(world, author).remoteJid;
    const asked = world.messages.find(device, poll)?.options ?? options;
    return {
      wire: {
        messageType: "pollUpdateMessage",
        message: {
          pollUpdateMessage: {
            pollCreationMessageKey: { remoteJid: chat.remoteJid, fromMe: true, id: poll },
            vote: { encPayload: "c2Vj", encIv: "aXY=", selectedOptions: options },
            senderTimestampMs: String(at),
          },
        },
      },
      extra: {
        pollUpdates: asked.map((name) => ({
          name,
          voters: options.includes(name) ? [voter] : [],
        })),
      },
    };
  }
  if (!content.reaction) return undefined;
  const { to, emoji } = content.reaction;
  const fromMe = world.messages.find(device, to)?.fromMe ?? true;
  return {
    wire: {
      messageType: "reactionMessage",
      message: {
        reactionMessage: {
          key: { remoteJid: chat.remoteJid, fromMe, id: to },
          text: emoji,
          senderTimestampMs: String(at),
        },
      },
    },
  };
}
