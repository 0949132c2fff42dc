/**
 * One record for each turn: what came in, what changed, and which effects were asked for; and its compact form in the store, in which
 * nothing is written twice. Console, tests, audit and support read it.
 */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import { Effect } from "./effect.ts";
import { Mail } from "./mail.ts";

export const JournalRecord = z.object({
  /** Session revision after the turn. */
  rev: z.number().int(),
  /** Virtual time of the turn, ms. */
  at: z.number(),
  event: z.string(),
  mail: Mail,
  /** Per frame touched: flow, step before and after, transitions and guards taken. */
  moves: z.array(
    z.object({
      frame: z.string(),
      flow: z.string(),
      from: z.string().optional(),
      to: z.string().optional(),
      event: z.string(),
      handled: z.boolean(),
      trace: z.array(z.string()),
    }),
  ),
  /** Text of the message, as sent. */
  said: z.string().optional(),
  effects: z.array(Effect),
  timers: z.array(z.object({ name: z.string(), due: z.number() })),
  /** How long ago the fired timer was due, ms; only from a second on. */
  lateMs: z.number().optional(),
  /** Why nothing was said, when nothing was: `handoff`, `opt-out`, `ignored`, `stale`, `waiting`. */
  quiet: z.string().optional(),
  /** This message made it two machines that talk to each other: from here on nothing is answered for an hour. */
  cut: z.literal(true).optional(),
  /** A message from the business's phone was recognised by its time as the app's own greeting. */
  automatic: z.literal(true).optional(),
});
export type JournalRecord = z.output<typeof JournalRecord>;

/** A record as it is kept: without what stands in it twice. */
export type KeptRecord = JsonObject;

/**
 * The record for the store. The reply's words, where they go and the event they answer are said once: a person's last turns
 * are the greater part of what is kept of them.
 */
export function keptRecord(record: JournalRecord): KeptRecord {
  const { mail, said, event } = record;
  const inbound = mail.kind === "inbound" ? mail : undefined;
  const kept = {
    ...record,
    ...(inbound && inbound.event.id === event
      ? { mail: { ...inbound, event: without(inbound.event, { id: event }) } }
      : undefined),
    effects: record.effects.map((effect) =>
      effect.type === "send"
        ? {
            ...without(effect, { ...addressed(inbound), turn: event, class: "message" }),
            message: without(effect.message, { text: said }),
          }
        : effect,
    ),
  };
  return kept as unknown as KeptRecord;
}

/** What the store gave back, whole again. Records from before, and lines that are no records of turns, stay as they are. */
export function wholeRecord(kept: Json): Json {
  if (!isRecord(kept) || !isRecord(kept["mail"]) || !Array.isArray(kept["effects"])) return kept;
  const { mail, said, event } = kept;
  const own = isRecord(mail["event"]) ? mail["event"] : undefined;
  const whole = own ? { ...mail, event: { id: event, ...own } } : mail;
  const peer = own?.["from"];
  const to = {
    ...(own ? { channel: mail["channel"] } : undefined),
    ...(isRecord(peer) ? { address: peer["address"] } : undefined),
  };
  const effects = (kept["effects"] as readonly Json[]).map((effect): Json => {
    if (!isRecord(effect) || effect["type"] !== "send") return effect;
    const message = effect["message"] as JsonObject;
    return { ...to, turn: event, class: "message", ...effect, message: { text: said, ...message } };
  });
  return { ...kept, mail: whole, effects };
}

function isRecord(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function addressed(mail: Extract<Mail, { kind: "inbound" }> | undefined): JsonObject {
  const peer = mail && "from" in mail.event ? mail.event.from : undefined;
  return mail ? { channel: mail.channel, ...(peer ? { address: peer.address } : undefined) } : {};
}

/** The fields of a value that do not say what is known already. */
function without(value: object, known: JsonObject): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const part = (value as JsonObject)[name];
    if (part !== known[name] || part === undefined) rest[name] = part;
  }
  return rest;
}
