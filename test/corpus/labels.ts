/** The labelled texts and how an answer is judged against its label. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { canonicalJson } from "../../src/base/index.ts";
import { splitStreet } from "../../src/understanding/index.ts";
import { isKind, type Kind, personOrCompany, understand } from "../support/understand.ts";

/** Street lines and names are understood for forms; they are labelled beside the kinds of `understand`. */
export type LabelledKind = Kind | "street" | "name";

export interface Labelled {
  readonly kind: LabelledKind;
  readonly text: string;
  /** ISO time with offset. */
  readonly now: string;
  /** IANA zone of the account; São Paulo when absent. */
  readonly zone?: string;
  readonly expect: Accepted | Refused;
}

export interface Accepted {
  readonly ok: true;
  readonly value: unknown;
  /** Slots that may be read as well, and then only so, or in one of several forms (sentences). */
  readonly may?: Readonly<Record<string, unknown>>;
  /** Asking is as good an answer: only another value is an error. Of a sentence: of the whole, not of a part. */
  readonly mayAsk?: boolean;
}

export interface Refused {
  readonly ok: false;
  /** Without a reason any refusal is right: the value must not be taken. */
  readonly reason?: string;
  readonly hint?: string;
  readonly options?: readonly unknown[];
}

export type Verdict = "right" | "missed" | "wrongly accepted";

export interface Answer {
  readonly ok: boolean;
  readonly value?: unknown;
  readonly echo?: string;
  readonly reason?: string;
  readonly hint?: string;
  readonly options?: readonly { readonly value: unknown; readonly echo: string }[];
}

const FOLDER = import.meta.dirname;
export const HALVES = { open: FOLDER, "held out": path.join(FOLDER, "held-out") } as const;
/** Written by somebody who never saw the rules; read on 2026-11-22, after three measures, and a guard since. */
export const OTHER_HAND = "other hand";
/** Written by yet another who saw neither the rules nor the other texts, and read by nobody who mends rules. */
export const THIRD_HAND = "third hand";
/** Written later by one more, of the six kinds that the third hand found weakest, and as unread. */
export const FOURTH_HAND = "fourth hand";
/** Sentences of four strangers, labelled twice alone and then judged; neither rules nor weights have learnt from them. */
export const JUDGED_HANDS = "judged hands";
const FOLDERS = {
  ...HALVES,
  [OTHER_HAND]: path.join(FOLDER, "held-out", "other-hand"),
  [THIRD_HAND]: path.join(FOLDER, "held-out", "third-hand"),
  [FOURTH_HAND]: path.join(FOLDER, "held-out", "fourth-hand"),
  [JUDGED_HANDS]: path.join(FOLDER, "held-out", "judged-hands"),
} as const;
export type Half = keyof typeof FOLDERS;

export function labels(half: Half): readonly Labelled[] {
  return readdirSync(FOLDERS[half])
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) =>
      readFileSync(path.join(FOLDERS[half], name), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Labelled),
    );
}

/** What the product answers to a labelled text. */
export function answer({ kind, text, now, zone = "America/Sao_Paulo" }: Labelled): Answer {
  if (isKind(kind)) return understand(kind, text, { now: Date.parse(now), zone });
  const value = kind === "street" ? splitStreet(text) : personOrCompany(text);
  return value === null ? { ok: false, reason: "absent" } : { ok: true, value };
}

export function verdict(row: Labelled, got: Answer): Verdict {
  const wanted = row.expect;
  // A text that is no command is nothing taken.
  const taken = got.ok && !(row.kind === "command" && got.value === "none");
  if (!wanted.ok) return taken ? "wrongly accepted" : refused(wanted, got) ? "right" : "missed";
  if (got.ok && same(got.value, wanted.value)) return "right";
  if (!taken) return wanted.mayAsk ? "right" : "missed";
  return row.kind === "invoice" || row.kind === "street"
    ? slots(row, wanted, got.value)
    : "wrongly accepted";
}

/** Reason, hint and options are compared only where the label names them. */
function refused(wanted: Refused, got: Answer): boolean {
  return (
    (wanted.reason === undefined || got.reason === wanted.reason) &&
    (wanted.hint === undefined || got.hint === wanted.hint) &&
    (wanted.options === undefined ||
      same(
        (got.options ?? []).map((one) => one.value),
        wanted.options,
      ))
  );
}

function same(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** Slot by slot: one missing is a miss, one that is wrong or unasked for was wrongly accepted. */
function slots(row: Labelled, wanted: Accepted, got: unknown): Verdict {
  const fold =
    row.kind === "street" ? (text: string) => text.toLowerCase() : (text: string) => text;
  const must = wanted.value as Record<string, unknown>;
  const has = got as Record<string, unknown>;
  const fits = (slot: string) =>
    formsOf(wanted, slot).some((form) => fold(canonical(has[slot])) === fold(canonical(form)));
  if (!Object.keys(has).every(fits)) return "wrongly accepted";
  return Object.keys(must).every((slot) => slot in has) ? "right" : "missed";
}

/** What may stand in a slot: the value that must, or each of the forms that may. None: it must not be read. */
export function formsOf({ value, may = {} }: Accepted, slot: string): readonly unknown[] {
  const must = (value as Readonly<Record<string, unknown>>)[slot];
  const perhaps = may[slot];
  return must === undefined ? (perhaps === undefined ? [] : [perhaps].flat()) : [must];
}

function canonical(value: unknown): string {
  return canonicalJson(value);
}

export function told(row: Labelled, got: Answer): string {
  return `${row.kind} ${JSON.stringify(row.text)}: wanted ${JSON.stringify(row.expect)}, got ${JSON.stringify(got)}`;
}
