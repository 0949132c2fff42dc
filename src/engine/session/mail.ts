/**
 * Mail: everything that can stand in a contact's mailbox, as data, with the timers that it tells of. Each turn takes its input from there.
 * Of our modules it imports only `inbound.ts` and `effect.ts`, because the console reads mail.
 */
import { z } from "zod";
import { ChannelName, InboundEvent } from "./inbound.ts";
import { ShownRequest, Waiter } from "./effect.ts";

/** A durable timer. `due` in ms of the virtual clock; fires once, also when it was due while we were down. */
export const Timer = z.object({ name: z.string(), due: z.number(), gen: z.number().int() });
export type Timer = z.output<typeof Timer>;

/** Free text that waits a moment for more. */
export const Burst = z.object({
  texts: z.array(z.string()).max(20),
  /** Ids of their messages, in the same order. */
  ids: z.array(z.string()).max(20).optional(),
  since: z.number(),
  due: z.number(),
  of: z.string(),
});

const data = z.record(z.string(), z.json());

/** The contact it was sent to, when that one was merged into this: frames it names are named in that one's session. */
const via = z.string().optional();

/** How a call ended, as a flow sees it. `held` = unknown and never repeated by a machine. */
export const CallResult = z.object({
  outcome: z.enum(["done", "rejected", "held", "failed"]),
  out: data,
});
export type CallResult = z.output<typeof CallResult>;

/** Which message of ours showed which request. */
const Shown = z.object({ message: z.string().min(1).max(200), request: ShownRequest });

export const Mail = z.discriminatedUnion("kind", [
  /** A channel's event. `own` events are in the mailbox only once they are known to be a human's. */
  z.object({
    kind: z.literal("inbound"),
    channel: ChannelName,
    event: InboundEvent,
    acceptedAt: z.number(),
    /** Pulled back after more than a day: it is kept in the journal, and not answered. */
    late: z.literal(true).optional(),
    /** The person had it answered under another of their names already, or it edits a message of ours. */
    again: z.literal(true).optional(),
    /** An edit of a message that never came. */
    unheard: z.literal(true).optional(),
  }),
  /** Some timer of the session is due; the turn decides which, from the session's own list. */
  z.object({ kind: z.literal("tick"), due: z.number() }),
  /** A timer that was set aside, because its turn failed as often as is tried, and that a person released. */
  z.object({
    ...Timer.shape,
    kind: z.literal("timer"),
    /** Whose it is; absent: the session's own. */
    frame: z.string().optional(),
    flow: z.string().optional(),
    /** Of the one that ends a burst: what had been said. */
    burst: Burst.optional(),
    via,
  }),
  z.object({
    kind: z.literal("result"),
    effect: z.string(),
    waiter: Waiter,
    result: CallResult,
    via,
  }),
  /** Another contact asks this one (operator) to run a flow and answer. */
  z.object({
    kind: z.literal("request"),
    request: z.string(),
    /** Short code people can say, unique among this contact's open requests. */
    code: z.string(),
    flow: z.string(),
    input: data,
    from: z.object({ contact: z.string(), name: z.string().optional() }),
    waiter: Waiter,
    within: z.number().optional(),
    /** The amount it is about, as it is shown: what tells requests apart in a list. */
    about: z.string().max(40).optional(),
    /** The outcomes the asker has a branch for. */
    heeds: z.array(z.string()).optional(),
  }),
  /** The answer to a request. `by` names the contact that answered, so that it gets no "withdrawn". */
  z.object({
    kind: z.literal("answer"),
    request: z.string(),
    waiter: Waiter,
    outcome: z.string(),
    out: data,
    by: z.object({ contact: z.string(), name: z.string().optional() }),
    via,
  }),
  /** A request needs no answer any more. */
  z.object({
    kind: z.literal("withdrawn"),
    request: z.string(),
    reason: z.enum(["answered", "changed", "cancelled", "late"]),
    /** Display name and contact id of the person who answered, so that they get no notice of their own answer. */
    by: z.string().optional(),
    answered: z.string().optional(),
    /** What was decided. */
    outcome: z.string().optional(),
  }),
  /** Something outside happened that a flow may wait for. */
  z.object({ kind: z.literal("event"), name: z.string().min(1).max(100), data }),
  /** The asker's reminder of a request that is still open here. */
  z.object({ kind: z.literal("remind"), request: z.string() }),
  /** Words of the machine world for a person of the business: something done, held, a customer who wants to talk. */
  z.object({
    kind: z.literal("notice"),
    key: z.string(),
    vars: data,
    /** Further words of the same message, a paragraph each. */
    lines: z
      .array(z.object({ key: z.string(), vars: data }))
      .max(40)
      .optional(),
    /** Where it goes when this contact has never written. */
    to: z.object({ channel: ChannelName, address: z.string().min(1).max(128) }).optional(),
    /** Of what came of a fiscal effect: may use the plan's reserve, and is never collapsed. */
    fiscal: z.literal(true).optional(),
  }),
  /** A message failed for good. `frame`: the frame of the flow that sent it. */
  z.object({
    kind: z.literal("send-failed"),
    effect: z.string(),
    reason: z.string(),
    frame: z.string().optional(),
    via,
  }),
  /** An address that was found out: of somebody who never wrote, the phone of a linked id, or the only one that is taken. */
  z.object({
    kind: z.literal("resolved"),
    address: z.string().min(1).max(128),
    /** What `shown` would say of the same message. */
    shown: Shown.optional(),
    via,
  }),
  /** A message that ends with a request has left, under this id of the channel. */
  z.object({ ...Shown.shape, kind: z.literal("shown"), via }),
  /** A message that was taken for failed did arrive: its echo came late. */
  z.object({
    kind: z.literal("send-arrived"),
    effect: z.string(),
    /** As in `resolved`. */
    shown: Shown.optional(),
    via,
  }),
  /** These messages left from the business's phone and were taken for a person's: the app sent them by itself. */
  z.object({ kind: z.literal("automatic"), messages: z.array(z.string()).max(20) }),
  /** A person of the business acts on the conversation. */
  z.object({
    kind: z.literal("operator"),
    action: z.enum(["take", "say", "return", "release", "restart"]),
    actor: z.string(),
    text: z.string().max(4000).optional(),
  }),
  /**
   * Another contact proved to be this very person: its session, as the store handed it over. Not kept in journals.
   */
  z.object({ kind: z.literal("joined"), from: z.string(), session: data.optional() }),
  /** What was said is as old as it may be: all goes but the wish to hear no more. */
  z.object({ kind: z.literal("retired") }),
  /** An earlier event of this contact was parked; the flow state is as it was before it. */
  z.object({
    kind: z.literal("parked"),
    event: z.string(),
    reason: z.string(),
    /** It was not a message: the person hears nothing of it. */
    unasked: z.literal(true).optional(),
    /** Who wrote it, should that have been the first message. */
    to: z.object({ channel: ChannelName, address: z.string().min(1).max(128) }).optional(),
  }),
]);
export type Mail = z.output<typeof Mail>;
