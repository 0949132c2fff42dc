/**
 * Effects that a turn asks for, as data. None is carried out before the turn is committed.
 *
 * An effect's id is `contact:rev:index`, so applying the same event again gives the same effects.
 */
import { z } from "zod";
import { Outbound } from "./outbound.ts";
import { ChannelName } from "./inbound.ts";

export const EffectClass = z.enum([
  "internal",
  "read",
  "message",
  "replace",
  "costly",
  "destructive",
  "fiscal",
]);
export type EffectClass = z.output<typeof EffectClass>;

/** Which invocation of which step waits for a result. `epoch` tells invocations apart, `for` tells their contents apart. */
export const Waiter = z.object({
  frame: z.string(),
  step: z.string(),
  for: z.string(),
  epoch: z.string(),
});
export type Waiter = z.output<typeof Waiter>;

const head = { id: z.string(), class: EffectClass };
const data = z.record(z.string(), z.json());

/** A request of another contact as it stands here: its frame, and the code people say. */
export const ShownRequest = z.object({ frame: z.string(), code: z.string() });
export type ShownRequest = z.output<typeof ShownRequest>;

/** One message to the contact itself. */
export const SendEffect = z.object({
  ...head,
  type: z.literal("send"),
  channel: ChannelName,
  address: z.string(),
  message: Outbound,
  /** Event id that this message answers: messages of one turn are held together when one fails for good. */
  turn: z.string(),
  /** Frame of the flow that sent it. The flow may react when the message fails for good. */
  frame: z.string().optional(),
  /** The request that it ends with: a reply to this very message is about that one. */
  request: ShownRequest.optional(),
  /**
   * Leaves even while the contact is handed over or has opted out: typed by a person, the sentence that announces the
   * hand-off or the opt-out itself, or the result of a fiscal act.
   */
  byHuman: z.boolean().optional(),
});
export type SendEffect = z.output<typeof SendEffect>;

/** A named effect of the registry (a plugin's, the bot's own, or any gateway route id) with the input the flow resolved. */
export const CallEffect = z.object({
  ...head,
  type: z.literal("call"),
  name: z.string(),
  input: data,
  /** Present when a flow waits for the result. */
  waiter: Waiter.optional(),
});
export type CallEffect = z.output<typeof CallEffect>;

/** Mail for another contact of the same account; exactly once, because its event id is the effect id. */
export const PeerEffect = z.object({
  ...head,
  type: z.literal("peer"),
  /** An alias (`phone:…`, `lid:…`) or a contact id (`contact:…`). */
  to: z.string(),
  mail: z.json(),
});
export type PeerEffect = z.output<typeof PeerEffect>;

export const Effect = z.discriminatedUnion("type", [SendEffect, CallEffect, PeerEffect]);
export type Effect = z.output<typeof Effect>;
