/**
 * The session: everything that is stored of a conversation. The format is Prosa's own; XState's snapshot is only a cache
 * inside it.
 */
import { z } from "zod";
import { type Json, type JsonObject, reader } from "../../base/index.ts";
import { aside, data, Frame, isRequest, RequestFrame } from "./frame.ts";
import { Burst, Timer, type Mail } from "./mail.ts";
import { ChannelName, WrittenMail, type Peer } from "./inbound.ts";

/** Raised when the shape changes in a way old code cannot read, together with a step in {@link UPGRADES}. */
export const SESSION_SCHEMA = 1;

/** From each older shape to the next: the first brings schema 1 to 2. Older builds may run beside this one for a while. */
const UPGRADES: readonly ((old: JsonObject) => JsonObject)[] = [];

export const Session = z.object({
  schema: z.literal(SESSION_SCHEMA),
  account: z.string(),
  contact: z.string(),
  rev: z.number().int().nonnegative(),
  /** The stack: the last is the one people talk to. */
  frames: z.array(Frame).max(12),
  /** Requests of other contacts that wait for this one, each a frame of its own, answered in any order. */
  requests: z.array(RequestFrame).max(200),
  channel: ChannelName.optional(),
  address: z.string().optional(),
  /** Their linked id as an address; `only`: the messenger takes it and not their digits. See {@link heardFrom}. */
  linked: z.object({ address: z.string(), only: z.boolean().optional() }).optional(),
  name: z.string().optional(),
  role: z.enum(["customer", "operator"]),
  locale: z.enum(["pt-BR", "en"]),
  /** They asked for this language by its name: what they write does not change it any more. */
  localeAsked: z.boolean().optional(),
  /** A person has the conversation: the bot is silent until `return` or `until`. */
  handoff: z
    .object({
      since: z.number(),
      reason: z.string(),
      by: z.string().optional(),
      until: z.number().optional(),
      /** Of one that began with words typed on the phone: they, as long as they may prove to be the app's. See `staff-message.ts`. */
      typed: z
        .array(z.object({ message: z.string(), at: z.number() }))
        .max(5)
        .optional(),
    })
    .optional(),
  optOut: z.object({ since: z.number() }).optional(),
  /** The person wrote again after it and has not yet heard that the bot answers again. */
  reopened: z.boolean().optional(),
  noticeAt: z.number().optional(),
  /** When their number was on no messenger, ms; gone once they write. */
  unreachable: z.number().optional(),
  lastSeen: z.number().optional(),
  /** When the message was written that began to write after a silence, ms, as its channel says. */
  began: z.number().optional(),
  /** When the last frame ended, ms; decides whether "obrigado" deserves a menu. */
  endedAt: z.number().optional(),
  /** The flow that ended then. */
  endedFlow: z.string().optional(),
  lastSaid: z.string().optional(),
  /** A message failed for good: the next message of the person gets the question again and is not read as an answer. */
  unsaid: z.boolean().optional(),
  /** A flow had its word about a failed message since the person last wrote: two failures must not make a circle. */
  amended: z.boolean().optional(),
  /** How much, and how often the same, was written lately; `until`: not answered before then. Times in ms. */
  flood: z
    .object({
      since: z.number(),
      at: z.number(),
      count: z.number(),
      said: z.string(),
      same: z.number(),
      until: z.number().optional(),
      /** Replies of the last minutes, hour and day, and how many of them led nowhere. */
      spans: z
        .array(z.object({ since: z.number(), all: z.number(), idle: z.number() }))
        .max(3)
        .optional(),
    })
    .optional(),
  /** Pictures that came last: the message that holds them together, and when, ms. See `routing/message.ts`. */
  album: z.object({ of: z.string(), at: z.number() }).optional(),
  /**
   * Messages that came without their words: since when, and when the person last heard of some, ms. See
   * `unreadable-message.ts`.
   */
  unreadable: z
    .object({
      waiting: z.array(z.object({ id: z.string(), asked: z.boolean().optional() })).max(20),
      since: z.number(),
      told: z.number().optional(),
    })
    .optional(),
  /** When this customer asked something of the business, ms; the last day's. */
  asked: z.array(z.number()).max(200).optional(),
  /** When what they asked for was done last by a fiscal effect, ms: what they answered then may be known still. */
  served: z.number().optional(),
  /** Contacts that proved to be this person, and when, ms: what they asked for is this one's. */
  joined: z
    .array(z.object({ contact: z.string(), at: z.number() }))
    .max(20)
    .optional(),
  /** Which answers the last messages gave, see `recent-messages.ts`. */
  given: z.array(z.string()).max(20).optional(),
  /** What became of messages by edits and deletions, see `recent-messages.ts`: digests of their ids, and when, ms. */
  revised: z
    .array(
      z.object({
        id: z.string(),
        at: z.number(),
        /** `unread`: edited, with unknown new words. */
        how: z.enum(["edit", "unread", "delete"]),
        /** The person has not yet heard of it. */
        waits: z.boolean().optional(),
        /** Its words were waiting in the burst, and answered nothing yet. */
        unused: z.boolean().optional(),
      }),
    )
    .max(20)
    .optional(),
  /** Answers of a request that ran out half-way; gone at `until`. `text`: what they came back with. */
  kept: z
    .object({
      flow: z.string(),
      /** The version they were given in. */
      version: z.number(),
      hash: z.string(),
      slots: data,
      about: z.string(),
      until: z.number(),
      offered: z.number().optional(),
      text: z.string().optional(),
    })
    .optional(),
  burst: Burst.optional(),
  /** Messages written long before they came, which wait for each other, see `backlog.ts`; `since`: the first came, ms. */
  backlog: z
    .object({
      mails: z.array(WrittenMail).max(400),
      since: z.number(),
    })
    .optional(),
  /** Pieces of an address that is not whole yet, and the question they answer. */
  pieces: z.object({ of: z.string(), text: z.string().max(300) }).optional(),
  /** The request of another contact that this one answered last: its code, how, and when, ms. */
  decided: z
    .object({
      code: z.string(),
      outcome: z.string(),
      at: z.number(),
      request: z.string(),
    })
    .optional(),
  /** Codes of requests that were answered or taken away here lately, the latest last: given to no other meanwhile. */
  over: z.array(z.string()).max(20).optional(),
  /** Which messages of ours showed which request, see `request-memory.ts`. */
  shown: z.array(z.string()).max(20).optional(),
  /** An answer that fits several open requests, kept until the person says which one. */
  pick: z.object({ text: z.string(), at: z.number(), requests: z.array(z.string()) }).optional(),
  /** When a request was last taken away from this person undecided, ms: an answer on its way may be for it. */
  dropped: z.number().optional(),
  /** Id of the last message that answered a secret: an edit of it is kept by no journal either. */
  hushed: z.string().optional(),
  /** What happened outside before a flow waited for it. */
  events: z
    .array(z.object({ name: z.string(), data, at: z.number() }))
    .max(20)
    .optional(),
  /** Session-level timers (burst, hand-off time-out). */
  timers: z.array(Timer),
  aside,
  /** Counter from which epochs, frame ids and timer generations are made. */
  count: z.number().int().nonnegative(),
});
export type Session = z.output<typeof Session>;

/** The requests that wait for this contact; the one in hand, which is a frame of the stack, is the last. */
export function openRequests({
  requests,
  frames,
}: Pick<Session, "requests" | "frames">): readonly RequestFrame[] {
  return [...requests, ...frames.filter(isRequest)];
}

/** A session as the store gives it, or as a turn leaves it; undefined when it has not this shape. */
export const readSession = reader(Session);

/** Sessions that turns of this process left, read by their schema then. */
const left = new WeakSet<object>();

/** A session as a turn leaves it; its shape was read. */
export function leave(session: Session): Session {
  left.add(session);
  return session;
}

/**
 * A stored envelope in this build's shape. `newer`: of a build that came after this one; it must not be touched. The very
 * object that a turn left is not read again, if it was frozen since: nobody can have changed it.
 */
export function restoreSession(stored: Json): Session | "unreadable" | "newer" {
  if (typeof stored === "object" && stored !== null && left.has(stored) && Object.isFrozen(stored))
    return stored as unknown as Session;
  const current = upgraded(stored, UPGRADES);
  return typeof current === "string" ? current : (readSession(current) ?? "unreadable");
}

/** Through every step from the shape it was stored in to the last one; numbered as it goes. */
export function upgraded(
  stored: Json,
  steps: readonly ((old: JsonObject) => JsonObject)[],
): JsonObject | "unreadable" | "newer" {
  // It was read from text; what it holds is checked once, by its schema.
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return "unreadable";
  const whole = stored as JsonObject;
  const schema = whole["schema"];
  if (!Number.isInteger(schema) || Number(schema) < 1) return "unreadable";
  if (Number(schema) > steps.length + 1) return "newer";
  try {
    return steps
      .slice(Number(schema) - 1)
      .reduce((old, step, at) => ({ ...step(old), schema: Number(schema) + at + 1 }), whole);
  } catch {
    // A step that meets what it was not made for: parked with an alarm, instead of being tried for ever.
    return "unreadable";
  }
}

const LINKED = "@lid";

/**
 * They were heard under these names, and are answered at the phone number where it is known, else at the linked id. A linked
 * id alone takes no known phone away.
 */
export function heardFrom(session: Session, channel: ChannelName, from: Peer): void {
  if (from.lid !== undefined && session.linked?.address !== `${from.lid}${LINKED}`)
    session.linked = { address: `${from.lid}${LINKED}` };
  const { linked } = session;
  if (linked?.only && channel !== "sms") session.address = linked.address;
  else if (from.phone !== undefined || !isPhone(session.address)) session.address = from.address;
}

/** Their address was found out: the phone of a linked id, or that only the linked id is taken. */
export function resolved(session: Session, { address }: Extract<Mail, { kind: "resolved" }>): void {
  delete session.unreachable;
  if (session.linked?.address === address) session.linked.only = true;
  else if (session.lastSeen !== undefined && isPhone(session.address)) return;
  else if (session.linked?.only) return;
  session.address = address;
}

/** Address of one person with two conversations. */
export function joinedAddress(last: Session, first: Session): Pick<Session, "address" | "linked"> {
  const linked = last.linked ?? first.linked;
  const address = [last, first].map((one) => one.address).find(isPhone);
  return {
    address: linked?.only ? linked.address : (address ?? last.address ?? first.address),
    linked,
  };
}

function isPhone(address: string | undefined): boolean {
  return address !== undefined && /^\d/.test(address) && !address.endsWith(LINKED);
}
