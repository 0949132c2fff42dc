/** A contact sends something: the record is kept, and each engine's webhook is made and posted. */
import { z } from "zod";
import type { Json, JsonObject } from "../base/index.ts";
import { DEMO_DEVICE, DEVICES } from "./callers.ts";
import {
  CONTENT_KINDS,
  InboundContent,
  wireMessage,
  type InboundContents,
  type WireMessage,
} from "./content.ts";
import { Channel } from "./delivery-settings.ts";
import * as a from "./engine-a.ts";
import * as b from "./engine-b.ts";
import * as c from "./engine-c.ts";
import { chatOf } from "./herald.ts";
import { callEvent, callOffered, type IncomingCall } from "./incoming-call.ts";
import { markMessage } from "./inbound-marks.ts";
import { authorIn, isHeard, isIgnored, leaveMarks, problemOf } from "./inbound-rules.ts";
import type { Attempt, WireEvent } from "./webhooks.ts";
import type { World } from "./world.ts";

export const InboundRequest = z
  .strictObject({
    /** Digits with country code, or an engine's address (`…@lid`, `…@g.us`). */
    from: z
      .string()
      .regex(/^\d{8,15}$|^[0-9A-Za-z.:_-]{1,64}@[a-z.]{2,32}$/, "digits, or an address"),
    channel: Channel.optional(),
    name: z.string().max(200).optional(),
    /** Digits of the member who writes, where `from` is a group; one of its members unless named. */
    participant: z
      .string()
      .regex(/^\d{8,15}$/, "digits")
      .optional(),
    /** Message id, to send one twice. */
    id: z.string().min(1).max(200).optional(),
    device: z.enum(Object.keys(DEVICES) as [string, ...string[]]).optional(),
    ...(Object.fromEntries(
      Object.entries(InboundContent).map(([kind, schema]) => [kind, schema.optional()]),
    ) as { [K in keyof typeof InboundContent]: z.ZodOptional<(typeof InboundContent)[K]> }),
  })
  .refine((body) => CONTENT_KINDS.filter((kind) => body[kind] !== undefined).length === 1, {
    message: `exactly one of ${CONTENT_KINDS.join(", ")}`,
  });
export type InboundRequest = z.output<typeof InboundRequest>;

export interface InboundAnswer {
  readonly event_id: string;
  /** Whether the first attempt was answered 2xx. */
  readonly delivered: boolean;
  /** Status of the first attempt; null when nobody answered or the webhook was dropped. */
  readonly status: number | null;
}

interface Scene {
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
}

/** Posts what the contact did. A sort that the channel cannot tell is refused with a text. */
export async function receive(
  world: World,
  request: InboundRequest,
): Promise<InboundAnswer | string> {
  const channel = request.channel ?? "engine-b";
  const scene = sceneOf(world, request);
  const call = callOf(scene, channel);
  const tell = {
    "engine-b": eventOfB,
    "engine-a": eventOfA,
    "engine-c": eventOfC,
    sms: eventOfSms,
  };
  const event = call ? callEvent(world, call, "offer") : tell[channel](scene);
  if (event === undefined) return `channel ${channel} does not tell this sort of event`;
  const problem = problemOf(scene);
  if (problem !== undefined) return problem;
  if (!isIgnored(world, scene.device, scene.person) || channel === "sms") {
    keep(scene, channel);
    leaveMarks(scene);
  }
  if (!isHeard(scene, channel)) return { event_id: scene.id, delivered: false, status: null };
  const attempts = await world.webhooks.emit({
    ...event,
    channel,
    device: scene.device,
    eventId: scene.id,
    chat: scene.person,
  });
  if (call) callOffered(world, call);
  const first = attempts.find((attempt): attempt is Attempt => attempt !== null);
  const status = first?.status ?? null;
  return { event_id: scene.id, delivered: status !== null && status < 300, status };
}

function sceneOf(world: World, request: InboundRequest): Scene {
  const device = request.device ?? DEMO_DEVICE;
  const person = world.book.personOf(request.from);
  const at = world.clock.now();
  const {
    from: _from,
    channel,
    name,
    id: given,
    device: _device,
    participant,
    ...content
  } = request;
  const touched = content.edit?.id ?? content.delete?.id;
  const sms = channel === "sms" ? world.messages.lastSmsTo(person)?.id : undefined;
  const id = given ?? touched ?? sms ?? world.ids.incoming();
  const member = authorIn(world, device, person);
  const author = member === undefined ? undefined : (participant ?? member);
  return {
    world,
    device,
    phone: world.instances.phoneOf(device),
    person,
    ...(author === undefined ? {} : { author }),
    name: name ?? `Contato ${(author ?? person).slice(-4)}`,
    chat: chatOf(world, person, request.from.endsWith("@lid")),
    id,
    at,
    content,
    wire: wireMessage(content, id, at),
  };
}

function callOf(scene: Scene, channel: Channel): IncomingCall | undefined {
  const { content, id, device, person, chat, at } = scene;
  if (!content.call) return undefined;
  return { id, device, channel, person, chat, isVideo: content.call.video === true, at };
}

type Told = Pick<WireEvent, "names" | "hook" | "body"> | undefined;

function recordOf(scene: Scene): JsonObject | undefined {
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
  });
  if (scene.author === undefined) return record;
  const { remoteJid: participant, remoteJidAlt } = chatOf(scene.world, scene.author);
  const alt = remoteJidAlt === undefined ? {} : { participantAlt: remoteJidAlt };
  const key = record["key"] as JsonObject;
  return { ...record, key: { ...key, participant, ...alt } };
}

function eventOfB(scene: Scene): Told {
  const { content, chat, id, at, phone } = scene;
  if (content.edit) {
    const data = b.messageEdited(chat, id, content.edit.text, at);
    return { names: ["messages.edited"], body: b.envelope(phone, data, at) };
  }
  if (content.delete)
    return { names: ["messages.delete"], body: b.envelope(phone, b.messageDeleted(chat, id), at) };
  const record = recordOf(scene);
  return record && { names: ["messages.upsert"], body: b.envelope(phone, record, at) };
}

function eventOfA(scene: Scene): Told {
  const { content, person, id, at, name, phone } = scene;
  const sort = a.contentOf(content, scene.wire);
  if (!sort) return undefined;
  const fromMe = content.human !== undefined;
  return {
    names: [fromMe ? "SEND_MESSAGE" : "RECEIVE_MESSAGE"],
    hook: "message",
    body: always(a.messageEvent(phone, { id, person, name, fromMe, at, content: sort })),
  };
}

function eventOfC(scene: Scene): Told {
  const { content, chat, id, at, name, phone } = scene;
  const fromMe = content.human !== undefined;
  const base = { id, fromMe, name, at };
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
    ...wire.message,
    ...(wire.media ? { base64: wire.media.base64, mimetype: wire.media.mimetype } : {}),
  };
  const data = c.messageData(phone, chat, { ...base, messageType: wire.messageType, message });
  return always3(phone, "Message", data);
}

/** Replies name the SMS they answer, never the sender. */
function eventOfSms({ content, id }: Scene): Told {
  if (content.text === undefined) return undefined;
  return { names: ["reply"], body: always([{ id, status: "reply", message: content.text }]) };
}

function always(body: Json): () => Json {
  return () => body;
}

function always3(phone: b.OwnPhone, event: c.EngineCEvent, data: Json): Told {
  return { names: c.namesOf(event), body: always(c.envelope(phone, event, data)) };
}

/** What findMessages and the download call will find, delivered or not. */
function keep(scene: Scene, channel: Channel): void {
  const record = recordOf(scene);
  if (!record || scene.world.messages.find(scene.device, scene.id)) return;
  const { content, world, wire } = scene;
  world.messages.add(
    {
      id: scene.id,
      device: scene.device,
      channel,
      person: scene.person,
      fromMe: content.human !== undefined,
      ...(scene.author === undefined ? {} : { author: scene.author }),
      at: scene.at,
      text: content.text ?? content.human?.text ?? "",
      body: null,
      record,
      statuses: ["DELIVERY_ACK"],
    },
    wire?.media,
  );
}
