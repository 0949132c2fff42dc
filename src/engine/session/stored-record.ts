/** A record of the journal as the store keeps it: nothing is written twice. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { JournalRecord } from "./journal.ts";
import type { Mail } from "./mail.ts";

/** A record as it is kept: without what stands in it twice. */
export type KeptRecord = JsonObject;

/**
 * The record for the store. The reply's words, where they go and the event they answer are said once: a person's last turns
 * are the greater part of what is kept of them. An effect whose payload the store keeps with the record (`carried`) is
 * named by its id; the reply's words are then in it, and `said` is its place.
 */
export function keptRecord(
  record: JournalRecord,
  carried: ReadonlySet<JournalRecord["effects"][number]> = new Set(),
): KeptRecord {
  const { mail, said, event, effects } = record;
  const inbound = mail.kind === "inbound" ? mail : undefined;
  const says = effects.findIndex(
    (effect) => effect.type === "send" && carried.has(effect) && effect.message.text === said,
  );
  const kept = {
    ...record,
    ...(says < 0 ? undefined : { said: says }),
    ...(inbound && inbound.event.id === event
      ? { mail: { ...inbound, event: without(inbound.event, { id: event }) } }
      : undefined),
    effects: effects.map((effect) => {
      if (carried.has(effect)) return effect.id;
      if (effect.type !== "send") return effect;
      return {
        ...without(effect, { ...addressed(inbound), turn: event, class: "message" }),
        message: without(effect.message, { text: said }),
      };
    }),
  };
  return kept as unknown as KeptRecord;
}

/**
 * What the store gave back, whole again; the store has put payloads in the place of names. Records from before, and lines
 * that are no records of turns, stay as they are.
 */
export function wholeRecord(kept: Json): Json {
  if (!isRecord(kept) || !isRecord(kept["mail"]) || !Array.isArray(kept["effects"])) return kept;
  const { mail, event } = kept;
  const own = isRecord(mail["event"]) ? mail["event"] : undefined;
  const whole = own ? { ...mail, event: { id: event, ...own } } : mail;
  const peer = own?.["from"];
  const to = {
    ...(own ? { channel: mail["channel"] } : undefined),
    ...(isRecord(peer) ? { address: peer["address"] } : undefined),
  };
  const stored = kept["effects"] as readonly Json[];
  const said = typeof kept["said"] === "number" ? textOf(stored[kept["said"]]) : kept["said"];
  const effects = stored.map((effect): Json => {
    if (!isRecord(effect)) return effect;
    // What the worker added to it is no part of what the turn asked for.
    const { work: _work, ...asked } = effect;
    if (asked["type"] !== "send") return asked;
    const message = asked["message"] as JsonObject;
    return { ...to, turn: event, class: "message", ...asked, message: { text: said, ...message } };
  });
  return { ...kept, ...(said === undefined ? undefined : { said }), mail: whole, effects };
}

function textOf(effect: Json | undefined): Json {
  const message = isRecord(effect) ? effect["message"] : undefined;
  return (isRecord(message) ? message["text"] : undefined) ?? "";
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
