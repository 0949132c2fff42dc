/** A contact sends something: the record is kept, and each engine's webhook is made and posted. */
import { z } from "zod";
import { isObject } from "../http/bounded.ts";
import { DEMO_DEVICE, DEVICES } from "../http/callers.ts";
import { CONTENT_KINDS, InboundContent, wireMessage } from "../messages/content.ts";
import { Channel } from "../webhooks/delivery-settings.ts";
import { chatOf } from "../webhooks/herald.ts";
import { callEvent, callOffered, type IncomingCall } from "../phone/incoming-call.ts";
import { eventsOf, recordOf, type Scene } from "./inbound-events.ts";
import { authorIn, isHeard, isIgnored, leaveMarks, problemOf } from "./inbound-rules.ts";
import type { Attempt } from "../webhooks/webhooks.ts";
import type { World } from "../world/world.ts";

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
    /** Id of the message that a text replies to. */
    quoted: z.string().min(1).max(200).optional(),
    device: z.enum(Object.keys(DEVICES) as [string, ...string[]]).optional(),
    ...(Object.fromEntries(
      Object.entries(InboundContent).map(([kind, schema]) => [kind, schema.optional()]),
    ) as { [K in keyof typeof InboundContent]: z.ZodOptional<(typeof InboundContent)[K]> }),
  })
  .refine((body) => CONTENT_KINDS.filter((kind) => body[kind] !== undefined).length === 1, {
    message: `exactly one of ${CONTENT_KINDS.join(", ")}`,
  })
  .refine(
    (body) => body.quoted === undefined || (body.text !== undefined && body.channel !== "sms"),
    {
      message: "quoted stands beside text, and SMS tells no replies to a message of choice",
    },
  );
export type InboundRequest = z.output<typeof InboundRequest>;

export interface InboundAnswer {
  readonly event_id: string;
  /** Whether the first attempt was answered 2xx. */
  readonly delivered: boolean;
  /** Status of the first attempt; null when nobody answered or the webhook was dropped. */
  readonly status: number | null;
}

/** Posts what the contact did. A sort that the channel cannot tell is refused with a text. */
export async function receive(
  world: World,
  request: InboundRequest,
): Promise<InboundAnswer | string> {
  const channel = request.channel ?? "engine-b";
  const scene = sceneOf(world, request);
  const call = callOf(scene, channel);
  const offer = call && callEvent(world, call, "offer");
  const events = call ? (offer ? [offer] : []) : eventsOf(scene, channel);
  if (events.length === 0) return `channel ${channel} does not tell this sort of event`;
  const problem = problemOf(scene) ?? answerProblem(scene, channel);
  if (problem !== undefined) return problem;
  if (!isIgnored(world, scene.device, scene.person) || channel === "sms") {
    keep(scene, channel);
    leaveMarks(scene);
  }
  if (!isHeard(scene, channel)) return { event_id: scene.id, delivered: false, status: null };
  const { device, id: eventId, person: chat } = scene;
  const all = events.map((event) =>
    world.webhooks.emit({ ...event, channel, device, eventId, chat }),
  );
  const attempts = (await Promise.all(all)).flat();
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
    quoted,
    ...content
  } = request;
  const touched = content.edit?.id ?? content.delete?.id;
  const sms = channel === "sms" ? world.messages.lastSmsTo(person)?.id : undefined;
  const id = given ?? touched ?? sms ?? world.ids.incoming();
  const member = authorIn(world, device, person);
  const phone = world.instances.phoneOf(device);
  const named = content.human ? phone.own : participant;
  const author = member === undefined ? undefined : (named ?? member);
  return {
    world,
    device,
    phone,
    person,
    ...(author === undefined ? {} : { author }),
    name: name ?? `Contato ${(author ?? person).slice(-4)}`,
    chat: chatOf(world, person, request.from.endsWith("@lid")),
    id,
    at,
    content,
    wire: wireMessage(content, id, at),
    ...(quoted === undefined ? {} : { quoted }),
  };
}

/** A short message that asked for no answer gets none told. */
function answerProblem({ world, device, id }: Scene, channel: Channel): string | undefined {
  const answered = channel === "sms" ? world.messages.find(device, id)?.body : undefined;
  return isObject(answered) && answered["user_reply"] === false
    ? "The short message asked for no answer (user_reply)."
    : undefined;
}

function callOf(scene: Scene, channel: Channel): IncomingCall | undefined {
  const { content, id, device, person, chat, at } = scene;
  if (!content.call) return undefined;
  return { id, device, channel, person, chat, isVideo: content.call.video === true, at };
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
