/** A contact does something: whether anybody could, what stays on record, and the webhooks of each engine. */
import { z } from "zod";
import { isObject } from "../http/bounded.ts";
import { DEMO_DEVICE, DEVICES } from "../http/callers.ts";
import { CONTENT_KINDS, InboundContent, wireMessage } from "./content.ts";
import { Channel } from "../webhooks/subscriptions.ts";
import { chatOf } from "../webhooks/echoes.ts";
import { callEvent, callOffered } from "../phone/calls.ts";
import { eventsOf, recordOf, type Scene } from "./inbound-events.ts";
import type { Attempt } from "../webhooks/webhooks.ts";
import type { World } from "../world/world.ts";
import { isAdmin } from "../groups/groups.ts";
import { edit, react, takeBack, vote, voteProblem } from "./message-marks.ts";

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

interface InboundAnswer {
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
  const offer = scene.content.call && callEvent(scene, channel, "offer");
  const events = offer ? [offer] : eventsOf(scene, channel);
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
  if (offer) callOffered(scene, channel);
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
    author,
    name: name ?? `Contato ${(author ?? person).slice(-4)}`,
    chat: chatOf(world, person, request.from.endsWith("@lid")),
    id,
    at,
    content,
    wire: wireMessage(content, id, at),
    quoted,
  };
}

/** A short message that asked for no answer gets none told. */
function answerProblem({ world, device, id }: Scene, channel: Channel): string | undefined {
  const answered = channel === "sms" ? world.messages.find(device, id)?.body : undefined;
  return isObject(answered) && answered["user_reply"] === false
    ? "The short message asked for no answer (user_reply)."
    : undefined;
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
      author: scene.author,
      at: scene.at,
      text: content.text ?? content.human?.text ?? "",
      body: null,
      record,
      statuses: ["DELIVERY_ACK"],
    },
    wire?.media,
  );
}

/** Who writes in a group that nobody made here, and whose members are therefore unknown. */
const STRANGER = "5511900000009";

/** Who of a group writes when nobody is named; undefined outside of groups. */
function authorIn(world: World, device: string, person: string): string | undefined {
  if (!person.endsWith("@g.us")) return undefined;
  const { own } = world.instances.phoneOf(device);
  const group = world.groups.find(person);
  return [...(group?.members.keys() ?? [])].find((member) => member !== own) ?? STRANGER;
}

/** Why nobody could do this; undefined when they can. */
function problemOf(scene: Scene): string | undefined {
  return groupProblem(scene) ?? pollProblem(scene);
}

function groupProblem({ world, phone, person, author, content }: Scene): string | undefined {
  const group = world.groups.find(person);
  if (!group) return undefined;
  const { own } = phone;
  if (!group.members.has(own)) return "The business is not in this group.";
  const who = content.human ? own : (author ?? "");
  if (!group.members.has(who)) return "The participant is not in this group.";
  const quiet = content.reaction !== undefined || content.poll_vote !== undefined;
  if (group.announce && !quiet && !isAdmin(group, who))
    return "Only admins may write in this group.";
  return undefined;
}

function pollProblem({ world, device, person, content }: Scene): string | undefined {
  if (!content.poll_vote) return undefined;
  const poll = world.messages.find(device, content.poll_vote.poll);
  // Of a message that is not on record nobody knows the options; engines tell such votes as well.
  if (!poll) return undefined;
  if (!poll.options) return "The message is no poll.";
  if (poll.person !== person) return "The poll is in another chat.";
  return voteProblem(poll, content.poll_vote.options);
}

/**
 * Whether the engine hears of it: a phone that is not open does not, and one told to ignore groups does not hear groups.
 * SMS need no phone.
 */
function isHeard({ world, device, person }: Scene, channel: Channel): boolean {
  if (channel === "sms") return true;
  return world.instances.of(device)?.state === "open" && !isIgnored(world, device, person);
}

/** Whether the engine does not even keep it. */
function isIgnored(world: World, device: string, person: string): boolean {
  const instance = world.instances.of(device);
  if (!instance) return true;
  return person.endsWith("@g.us") && instance.settings.groups_ignore;
}

/** Votes, reactions, edits and deletions leave their mark on the message they touch. */
function leaveMarks({ world, device, person, author, content }: Scene): void {
  const who = author ?? person;
  const find = (id: string) => world.messages.find(device, id);
  if (content.reaction) react(world, device, content.reaction.to, who, content.reaction.emoji);
  if (content.poll_vote) {
    const poll = find(content.poll_vote.poll);
    if (poll?.options) vote(poll, who, content.poll_vote.options);
  }
  const edited = content.edit && find(content.edit.id);
  if (edited && content.edit) edit(edited, content.edit.text);
  const deleted = content.delete && find(content.delete.id);
  if (deleted) takeBack(deleted);
}
