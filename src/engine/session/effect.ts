/**
 * Effects that a turn asks for, as data, and the bot's message, in a form that every channel can render. No effect is carried out
 * before the turn is committed.
 *
 * An effect's id is `contact:rev:index`, so applying the same event again gives the same effects.
 */
import { z } from "zod";
import { ChannelName } from "./inbound.ts";

/**
 * One thing a person can pick. `id` is stable and never shown; `label` is what is shown; both come back as answers. `of`: code
 * of the request it is picked for, of which several may be open.
 */
export const Choice = z.object({
  id: z.string().max(200),
  label: z.string().min(1).max(200),
  of: z.string().max(12).optional(),
});
export type Choice = z.output<typeof Choice>;

/** One message. `text` may hold `*bold*`; a channel that does not show it takes the stars out. */
export const Outbound = z.object({
  text: z.string().max(16_000),
  choices: z.array(Choice).max(50).optional(),
  media: z
    .object({
      kind: z.enum(["image", "document", "audio"]),
      url: z.string().max(2000).optional(),
      base64: z.string().optional(),
      /** A file the bot made and keeps for a day: fetched when the message leaves. */
      file: z.string().max(64).optional(),
      mimetype: z.string().max(100),
      fileName: z.string().max(200).optional(),
    })
    .optional(),
  /** A place on the map; where the channel shows no words beside it, it becomes words and a link. */
  location: z
    .object({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      name: z.string().max(300).optional(),
      address: z.string().max(500).optional(),
    })
    .optional(),
  /** Message id this one answers. */
  reply: z.string().max(200).optional(),
});
export type Outbound = z.output<typeof Outbound>;

/** Behind a label, the code of the request it is for; see {@link standing}. */
const CODE_BEHIND = / \u00b7 ([A-Z]\d{1,6})$/;

/** A choice as it is shown where it stands by itself and may be picked long after (a poll): with its request's code. */
export function standing({ label, of }: Choice): string {
  return of === undefined ? label : `${label} \u00b7 ${of}`;
}

/** The label and the request's code that {@link standing} put together; undefined for any other label. */
export function codeBehind(label: string): { label: string; code: string } | undefined {
  const [mark, code] = CODE_BEHIND.exec(label) ?? [];
  return mark === undefined || code === undefined
    ? undefined
    : { label: label.slice(0, -mark.length), code };
}

/** Numbered text form of a message with choices: the fallback that always works. */
export function withNumbers(message: Outbound): string {
  if (!message.choices || message.choices.length === 0) return message.text;
  const rows = message.choices.map((choice, index) => `${index + 1}. ${choice.label}`);
  return `${message.text}\n${rows.join("\n")}`;
}

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
