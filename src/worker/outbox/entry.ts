/**
 * An effect on its way: what the engine asked for, plus what the worker writes down, as it stands in the store's outbox.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type { CallEffect, Effect, SendEffect } from "../../engine/index.ts";

export { creditsScope, jobsScope, localScope, planOf, planScope } from "./pacing/scope-names.ts";

/**
 * A message whose time is further away is looked at again after this at most, virtual ms: the store takes what is to wait for
 * more than ten minutes for something that a clock has left behind, and hands it out.
 */
const HOP_MS = 300_000;
/** … and after this at least: what is looked at so often costs the store something. */
const SHORT_HOP_MS = 15_000;
/** Between them after this share of its wait, so that what waits longest is looked at least. */
const HOPS = 40;

/**
 * When a message that must not leave before `time` is looked at: its reader may have written meanwhile, and what they are
 * answered stands behind it.
 */
export function lookedAt(time: number, now: number): number {
  const hop = Math.min(HOP_MS, Math.max(SHORT_HOP_MS, (time - now) / HOPS));
  return Math.min(time, now + Math.round(hop));
}

/** Exact request of a call that must never be written twice in two ways. */
export interface Frozen {
  readonly route: string;
  readonly bytes: string;
  /** Virtual time at which it was written, ms. */
  readonly at: number;
}

export interface Work {
  /** Virtual time of the turn, ms. */
  readonly at: number;
  /** Tells the result of a call: may use the last share of the plan, and is never collapsed. */
  readonly result?: true;
  /** Its reader did not ask for it: such ones leave further apart. */
  readonly unasked?: true;
  /** Virtual time before which an unasked one must not leave, ms. */
  readonly slot?: number;
  /** It missed the time it had, and was given another. */
  readonly late?: true;
  readonly frozen?: Frozen;
  /** Names and opens the file this effect makes, at each attempt the same. */
  readonly secret?: string;
  /** What the effect's own code keeps beside its bytes, for when records of it are lost. */
  readonly kept?: JsonObject;
}

export type Entry<E extends Effect = Effect> = E & { readonly work: Work };
export type SendEntry = Entry<SendEffect>;
export type CallEntry = Entry<CallEffect>;

/** Event ids of the mail that tells alarms on phones begin so; the bubble's turn is named after them. */
export const PAGE = "alarm:";

/** What an alarm about a failed send adds. */
export function asideOf(entry: Entry): { readonly aside?: true } {
  return entry.type === "send" && entry.turn.startsWith(PAGE) ? { aside: true } : {};
}

/** Payloads are written by this process family and sealed: their shape is known, only old ones are told apart. */
export function entryOf(payload: Json): Entry {
  const entry = payload as unknown as Entry;
  return entry.work === undefined ? { ...entry, work: { at: 0 } } : entry;
}

export function payloadOf(entry: Entry): Json {
  return entry as unknown as Json;
}
