/**
 * The memory of a flow in progress. The position follows from it: the machine goes to the first step that these facts do
 * not pass. Lists among them are the options of a choice (`rowsOf`).
 */
import { z } from "zod";
import { isJsonObject, reader, type Json, type JsonObject } from "../../base/index.ts";
import type { AskStep } from "../ast/ast.ts";
import type { Option } from "../authoring/vocabulary.ts";

/** How many shown questions "back" can cross. */
export const TRAIL_LIMIT = 60;

/** Plain data, checked in one pass: as a schema of its own it costs more than the turn. */
const plain = z.custom<Record<string, z.core.util.JSONType>>(isJsonObject);

export const Facts = z.object({
  /** Answers by slot; null = skipped. Kept while their branch is hidden. */
  slots: plain,
  /** Digests of what a `say` was said with, and of what a dependent answer was given in. */
  marks: z.record(z.string(), z.string()),
  /** How steps ended, and for exactly which input (`for`). */
  done: z.record(z.string(), z.object({ for: z.string(), is: z.string(), out: plain.optional() })),
  /** The demand that is under way. */
  pending: z.object({ step: z.string(), for: z.string() }).nullable(),
  /** Slots to be asked again although they have a value. */
  focus: z.array(z.string()),
  /** Questions shown, oldest first. */
  trail: z.array(z.string()).max(TRAIL_LIMIT),
  /** Step at rest. */
  at: z.string(),
  /** Answers in a row that were not understood. */
  tries: z.number().int().nonnegative(),
  /** What was offered for an ambiguous answer; ids carry the value. */
  offer: z.array(z.object({ id: z.string(), label: z.string() })).max(20),
  /** Step of a fiscal or costly call that has no definite end yet. */
  sealed: z.string().nullable(),
  /** Copies of what the flow reads of its surroundings, taken at the start. */
  env: z.object({ account: plain, contact: plain, input: plain }),
});
export type Facts = {
  readonly slots: { readonly [name: string]: Json };
  readonly marks: { readonly [name: string]: string };
  readonly done: { readonly [step: string]: Done };
  readonly pending: { readonly step: string; readonly for: string } | null;
  readonly focus: readonly string[];
  readonly trail: readonly string[];
  readonly at: string;
  readonly tries: number;
  readonly offer: readonly { readonly id: string; readonly label: string }[];
  readonly sealed: string | null;
  readonly env: Env;
};

/** Facts of a state that was stored, or that a step made; undefined when they have not this shape. */
export const readFacts: (value: unknown) => Facts | undefined = reader(Facts);

export interface Done {
  readonly for: string;
  readonly is: string;
  readonly out?: JsonObject;
}

interface Env {
  readonly account: JsonObject;
  readonly contact: JsonObject;
  readonly input: JsonObject;
}

export const NO_FACTS: Facts = {
  slots: {},
  marks: {},
  done: {},
  pending: null,
  focus: [],
  trail: [],
  at: "start",
  tries: 0,
  offer: [],
  sealed: null,
  env: { account: {}, contact: {}, input: {} },
};

/** The mark of a slot that a result wants although the flow's conditions leave it out. No step has such an id. */
export const wantedMark = (slot: string): string => `wanted:${slot}`;
/** The mark of a slot that got an invalid value before its question came; it says why. */
export const unfitMark = (slot: string): string => `unfit:${slot}`;
/** The mark of a slot with a probable answer, as a choice: it is proposed at the question. */
export const likelyMark = (slot: string): string => `likely:${slot}`;

/** The mark of a slot of whose answer a part is known, as a text. */
export const pieceMark = (slot: string): string => `piece:${slot}`;

/** Drops what is known of the given steps, so that they happen again. */
export function withoutSteps(facts: Facts, ids: readonly string[]): Facts {
  const drop = new Set(ids);
  const keep = <V>(record: { readonly [id: string]: V }) =>
    Object.fromEntries(Object.entries(record).filter(([id]) => !drop.has(id)));
  return { ...facts, done: keep(facts.done), marks: keep(facts.marks) };
}

/** Value at a dotted path of plain data; undefined where there is none. Reads own keys only. */
export function at(data: Json | undefined, path: readonly string[]): Json | undefined {
  let value: Json | undefined = data;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

/** The parts of `source` that lie on the given paths (`account.policy.ceiling`), as a copy of their own. */
export function pick(source: Env, paths: Iterable<string>): Env {
  const copy: Record<"account" | "contact" | "input", Record<string, Json>> = {
    account: {},
    contact: {},
    input: {},
  };
  for (const path of paths) {
    const [head, ...rest] = path.split(".");
    if ((head !== "account" && head !== "contact" && head !== "input") || rest.length === 0)
      continue;
    const value = at(source[head], rest);
    if (value !== undefined) put(copy[head], rest, value);
  }
  return copy;
}

function put(target: Record<string, Json>, path: readonly string[], value: Json): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner = target[key];
  const next: Record<string, Json> =
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? { ...(inner as Record<string, Json>) }
      : {};
  target[key] = next;
  put(next, rest, value);
}

/** Rows of a list as the options of a choice, as they are now; those without id or label are none. */
export function rowsOf(
  model: { get(facts: Facts, path: string): Json | undefined },
  facts: Facts,
  from: NonNullable<AskStep["options"]>,
): Option[] {
  const list = model.get(facts, from.from);
  if (!Array.isArray(list)) return [];
  return list.flatMap((row: Json) => {
    const id = textOf(at(row, from.value.split(".")));
    const label = textOf(at(row, from.label.split(".")));
    return id === "" || label === "" ? [] : [{ id, label }];
  });
}

/** A scalar as text; empty for nothing and for what is no scalar. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}
