/** A record of the journal as the store keeps it: nothing is written twice. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { JournalRecord } from "./journal.ts";
import type { Mail } from "./mail.ts";

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
