/**
 * Lines of a contact's journal, and what effects carry. Both adapters keep them alike: a line is `tag|sealed`, or `|text` for
 * one that holds nothing of a person. The line of a turn and the payloads of the effects it names are one sealed record,
 * which is the line in the journal and the payload at each of these effects.
 */
import { Fault, type Json, type JsonObject } from "../../base/index.ts";
import { associatedData } from "../names.ts";
import type { Commit, ContactId, NewEffect, SendEnd } from "../port/port.ts";
import type { DataKey } from "./seal.ts";

/** Tags of records of a turn begin so; those of other lines do not. */
const TURN = "t";

/** The line that tells how an effect ended. */
export function lineOf(
  key: DataKey,
  { contact, id, isPlain }: Pick<SendEnd, "contact" | "id" | "isPlain">,
  line: Json,
): string {
  return isPlain === true ? `|${JSON.stringify(line)}` : sealLine(key, contact, `e${id}`, line);
}

/** The tag is part of what a line is bound to. */
function sealLine(key: DataKey, contact: ContactId, tag: string, line: Json): string {
  return `${tag}|${key.seal(associatedData.journal(contact, tag), line)}`;
}

/** Throws what opening throws. */
export function openLine(key: DataKey, contact: ContactId, stored: string): Json {
  const { tag, rest } = parted(stored);
  if (tag === "") return JSON.parse(rest) as Json;
  const value = key.open(associatedData.journal(contact, tag), rest);
  if (!tag.startsWith(TURN)) return value;
  const { line, effects } = value as unknown as TurnRecord;
  const named = (line["effects"] as readonly Json[]).map((one) =>
    typeof one === "string" ? (effects[one] ?? one) : one,
  );
  return { ...line, effects: named };
}

interface TurnRecord {
  readonly line: JsonObject;
  /** Payloads by the id of their effect. */
  readonly effects: JsonObject;
}

/** What a commit leaves: lines of the journal in order, and per effect the payload as it is stored. */
export interface SealedTurn {
  readonly lines: readonly string[];
  /** Empty for one that the last line has. */
  readonly payloads: readonly string[];
}

export function sealTurn(key: DataKey, commit: Commit, rev: number): SealedTurn {
  const { contact, journal, effects } = commit;
  const last = journal.at(-1);
  const carried = effects.filter(({ id }) => namesOf(last).includes(id));
  const lines = journal.map((line) =>
    line === last && carried.length > 0
      ? sealLine(key, contact, `${TURN}${rev}`, recordOf(line, carried))
      : sealLine(key, contact, `r${rev}`, line),
  );
  const payloads = effects.map((effect) =>
    carried.includes(effect) ? "" : sealPayload(key, effect.id, effect.payload),
  );
  return { lines, payloads };
}

export function sealPayload(key: DataKey, id: string, payload: Json): string {
  return key.seal(associatedData.effect(id), payload);
}

/** Throws what opening throws. */
export function openPayload(
  key: DataKey,
  { id, contact }: { readonly id: string; readonly contact: ContactId },
  stored: string,
): Json {
  const { tag, rest } = parted(stored);
  if (tag === "") return key.open(associatedData.effect(id), rest);
  const { effects } = key.open(associatedData.journal(contact, tag), rest) as unknown as TurnRecord;
  const payload = effects[id];
  if (payload === undefined) throw new Fault("DATA_TAMPERED", "A turn does not have this effect.");
  return payload;
}

function recordOf(line: Json, effects: readonly NewEffect[]): Json {
  const payloads = Object.fromEntries(effects.map(({ id, payload }) => [id, payload]));
  return { line, effects: payloads };
}

function namesOf(line: Json | undefined): readonly Json[] {
  if (typeof line !== "object" || line === null || Array.isArray(line)) return [];
  const effects = (line as JsonObject)["effects"];
  return Array.isArray(effects) ? (effects as readonly Json[]) : [];
}

/** At the first mark: a line of plain text may have others. */
export function parted(stored: string): { readonly tag: string; readonly rest: string } {
  const at = stored.indexOf("|");
  return { tag: stored.slice(0, Math.max(0, at)), rest: stored.slice(at + 1) };
}
