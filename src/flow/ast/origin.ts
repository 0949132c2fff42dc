/** Where the parts of a flow stand in its files. Findings name file, line and column by it. */
import type { Ast } from "./ast.ts";
import type { Locale } from "../texts/catalogue.ts";
import type { Finding } from "./finding.ts";
import { kindOf, METHODS, placed } from "../machine/steps.ts";
import type { At } from "../yaml/located.ts";

export interface Origin {
  /** The file of the flow and what stands in it; `places` where its reader knows them (YAML). */
  readonly file: string;
  readonly text: string;
  readonly places?: ReadonlyMap<string, At>;
  readonly texts?: {
    readonly [L in Locale]?: { readonly file: string; readonly places: ReadonlyMap<string, At> };
  };
}

/** The finding with its place. One that has a place, or about something that stands nowhere, is left as it is. */
export function located(finding: Finding, ast: Ast, origin: Origin): Finding {
  if (finding.file !== undefined) return finding;
  const { text } = finding;
  if (text) {
    const catalogue = origin.texts?.[text.locale as Locale];
    return catalogue
      ? { ...finding, file: catalogue.file, ...longest(catalogue.places, text.key) }
      : finding;
  }
  const places = origin.places ?? typescriptPlaces(ast, origin.text);
  const [, slot] = /^(?:Slot|Unknown kind "[^"]*" of slot) "([^"]+)"/.exec(finding.message) ?? [];
  const at =
    (finding.step === undefined ? undefined : places.get(`step ${finding.step}`)) ??
    (slot === undefined ? undefined : places.get(`slot ${slot}`));
  if (!at) return { ...finding, file: origin.file, line: 1, column: 1 };
  return { ...finding, file: origin.file, ...nearer(finding.message, origin.text, at, places) };
}

/** The place of a text, or of the group it is missing from. */
function longest(places: ReadonlyMap<string, At>, key: string): At {
  const parts = key.split(".");
  for (let length = parts.length; length > 0; length--) {
    const at = places.get(parts.slice(0, length).join("."));
    if (at) return { line: at.line, column: at.column };
  }
  return { line: 1, column: 1 };
}

/** The word a message is about, where it stands inside the step; else the step. */
function nearer(message: string, text: string, at: At, places: ReadonlyMap<string, At>): At {
  const plain = { line: at.line, column: at.column };
  // `"pay" takes no "pedido"` is about the order; `"documnet" is no slot` about the first word.
  const [, word] =
    /\b(?:no|has no|never)(?: \w+)? "([^"\s]{2,60})"/i.exec(message) ??
    /"([^"\s]{2,60})"/.exec(message) ??
    [];
  if (word === undefined) return plain;
  const starts = lineStarts(text);
  const offsetOf = ({ line, column }: At): number => (starts[line - 1] ?? 0) + column - 1;
  const from = offsetOf(at);
  const after = [...places.values()].map(offsetOf).filter((offset) => offset > from);
  const until = after.length > 0 ? Math.min(...after) : text.length;
  const found = new RegExp(`(?<![\\w.-])${escaped(word)}(?![\\w-])`).exec(text.slice(from, until));
  return found ? atOffset(from + found.index, starts) : plain;
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

const CALL = new RegExp(
  String.raw`\b\w+\s*\.\s*(${Object.keys(METHODS).join("|")})\(\s*(?:(["'])([^"'\n]*)\2)?`,
  "g",
);

/**
 * Where the steps of a `flow.ts` are made: their calls stand in the order of the steps. A flow that makes its steps by
 * functions of its own is found as far as names go.
 */
export function typescriptPlaces(ast: Ast, source: string): ReadonlyMap<string, At> {
  const bare = blanked(source);
  const starts = lineStarts(source);
  const calls = [...bare.matchAll(CALL)].map((match) => ({
    method: match[1] ?? "",
    name: match[3] ?? "",
    offset: match.index,
    used: false,
  }));
  const places = new Map<string, At>();
  let last = 0;
  for (const { step, parent } of placed(ast)) {
    const kind = kindOf(step);
    const methods = Object.keys(kind.methods);
    const name = kind.name?.(step) ?? step.id;
    const fits = (call: (typeof calls)[number]): boolean =>
      !call.used && methods.includes(call.method) && (call.name === name || name === "");
    const call = calls.find((one) => one.offset >= last && fits(one)) ?? calls.find(fits);
    if (call && parent?.t !== "form") {
      call.used = true;
      last = call.offset;
      places.set(`step ${step.id}`, atOffset(call.offset, starts));
      continue;
    }
    const field = new RegExp(`\\b${escaped(name)}\\s*:`).exec(bare.slice(last));
    if (field) places.set(`step ${step.id}`, atOffset(last + field.index, starts));
  }
  for (const slot of Object.keys(ast.slots)) {
    const field = new RegExp(`\\b${escaped(slot)}\\s*:\\s*\\w`).exec(bare);
    if (field) places.set(`slot ${slot}`, atOffset(field.index, starts));
  }
  return places;
}

/** The source with its comments as blanks, so that offsets stay. */
function blanked(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, (comment) =>
    comment.replaceAll(/[^\n]/g, " "),
  );
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function atOffset(offset: number, starts: readonly number[]): At {
  let line = 0;
  while (line + 1 < starts.length && (starts[line + 1] ?? Infinity) <= offset) line += 1;
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
}
