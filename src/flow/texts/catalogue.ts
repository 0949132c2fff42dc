/**
 * The texts of one flow in one language, as written in `texts.<locale>.yaml`, and the reading of such a file.
 */
import { z } from "zod";
import { didYouMean, type Finding } from "../ast/finding.ts";
import { type At, located, placesOf, plain } from "../yaml/located.ts";
import { placeholders, type Text } from "./template.ts";

export const LOCALES = ["pt-BR", "en"] as const;
export type Locale = (typeof LOCALES)[number];

/** Longest catalogue file, in characters; a whole installation's texts fit many times. */
const MAX_FILE = 400_000;

const Text = z.union([
  z.string(),
  z.array(z.string()).min(1).max(20),
  z.object({ by: z.string() }).catchall(z.string()),
]);
const Texts = z.record(z.string(), Text);

const AskLong = z.strictObject({
  text: Text,
  /** Second and later prompts in a row. */
  again: Text.optional(),
  why: Text.optional(),
  help: Text.optional(),
  /** How the answer is shown; default = the kind's own form. */
  echo: Text.optional(),
  /** How one item of a list is shown; default = its answers one after the other. */
  item: Text.optional(),
  /** Name of the answer in summaries; default = the slot's name. */
  label: z.string().optional(),
  /** Words that name it in "muda o …", beside the label. */
  names: z.array(z.string()).max(20).optional(),
  bad: Texts.optional(),
});
const AskText = z.union([z.string(), AskLong]);
const ConfirmLong = z.strictObject({
  title: Text,
  /** Further words that confirm, beside the flow's own: the same in this language. */
  words: z.array(z.string().min(2).max(40)).max(10).optional(),
  /** Words that decline it, beside a no: "é a mesma". */
  nots: z.array(z.string().min(2).max(40)).max(20).optional(),
  line: Text.optional(),
  end: Text.optional(),
  help: Text.optional(),
  why: Text.optional(),
  /** The reply to text that is not an answer; default: the common words. */
  bad: Texts.optional(),
});
const ConfirmText = z.union([z.string(), ConfirmLong]);
const OptionLong = z.strictObject({
  label: z.string(),
  names: z.array(z.string()).max(20).optional(),
});
const OptionText = z.union([z.string(), OptionLong]);

export const Catalogue = z.strictObject({
  locale: z.enum(LOCALES),
  /** Name of the flow in menus. */
  title: z.string().optional(),
  /** Phrases that begin the flow. */
  start: z.array(z.string()).max(50).optional(),
  say: Texts.optional(),
  ask: z.record(z.string(), AskText).optional(),
  confirm: z.record(z.string(), ConfirmText).optional(),
  /** Labels of fixed options: slot, then option. */
  options: z.record(z.string(), z.record(z.string(), OptionText)).optional(),
  /** What is said when somebody writes while a step waits for others: step id. */
  rest: Texts.optional(),
  /** Own words in place of the common ones. */
  repair: Texts.optional(),
  /** By kind of slot, then reason; `default` for all others. */
  bad: z.record(z.string(), Texts).optional(),
});
export type Catalogue = z.output<typeof Catalogue>;
export type AskText = Exclude<z.output<typeof AskText>, string>;
export type ConfirmText = Exclude<z.output<typeof ConfirmText>, string>;

export type ParsedCatalogue =
  | {
      readonly ok: true;
      readonly catalogue: Catalogue;
      /** Where each text stands, by its path: `ask.value.again`. */
      readonly places: ReadonlyMap<string, At>;
    }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/**
 * Reads a catalogue: a pure function of its text, so that a changed file can be tried before it is used. Aliases, anchors,
 * tags and merge keys are refused; findings carry line and column, and the nearest name.
 */
export function parseCatalogue(text: string, file = "texts.yaml"): ParsedCatalogue {
  const finding = (message: string, { line, column }: At): Finding => ({
    rule: "text/file",
    severity: "error",
    file,
    line,
    column,
    message,
  });
  const read = located(text, MAX_FILE);
  if (!read.ok) return { ok: false, findings: [finding(read.problem.message, read.problem)] };
  const places = placesOf(read.root);
  const parsed = Catalogue.safeParse(plain(read.root));
  if (parsed.success) return { ok: true, catalogue: parsed.data, places };
  const findings = parsed.error.issues.map((issue) => {
    const [at, message] = complaint(issue);
    return finding(message, placeOf(at, places, read.root));
  });
  return { ok: false, findings };
}

/** What an issue is about; for an unknown key, a sentence with the nearest valid name. */
function complaint(issue: z.core.$ZodIssue): [PropertyKey[], string] {
  const where = issue.path.join(".");
  const inner = issue.code === "invalid_union" ? longest(issue.errors) : undefined;
  if (inner) {
    const [path, message] = complaint({ ...inner, path: [...issue.path, ...inner.path] });
    return [path, message];
  }
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const known = keysAt(issue.path);
    return [
      [...issue.path, key],
      `${where === "" ? "a catalogue" : where} takes no "${key}".${didYouMean(key, known)}`,
    ];
  }
  return [issue.path, `${where === "" ? "a catalogue" : where}: ${issue.message}`];
}

/** Of the alternatives of a union the one that a map was meant for: it knows the keys, or went deepest. */
function longest(errors: z.core.$ZodIssue[][]): z.core.$ZodIssue | undefined {
  const all = errors.flat();
  return (
    all.find(({ code }) => code === "unrecognized_keys") ?? all.find(({ path }) => path.length > 0)
  );
}

/** Keys that may stand at a path of a catalogue. */
function keysAt([group, ...rest]: readonly PropertyKey[]): readonly string[] {
  if (group === undefined) return Object.keys(Catalogue.shape);
  if (group === "ask" && rest.length === 1) return Object.keys(AskLong.shape);
  if (group === "confirm" && rest.length === 1) return Object.keys(ConfirmLong.shape);
  return group === "options" && rest.length === 2 ? Object.keys(OptionLong.shape) : [];
}

/** The place of the longest beginning of a path that stands in the file. */
function placeOf(path: readonly PropertyKey[], places: ReadonlyMap<string, At>, root: At): At {
  for (let length = path.length; length > 0; length--) {
    const at = places.get(path.slice(0, length).join("."));
    if (at) return at;
  }
  return root;
}

/** The long form of a prompt. */
export function askText(entry: string | AskText | undefined): AskText | undefined {
  return typeof entry === "string" ? { text: entry } : entry;
}

export function confirmText(entry: string | ConfirmText | undefined): ConfirmText | undefined {
  return typeof entry === "string" ? { title: entry } : entry;
}

/** Every text of a catalogue with where it stands: `ask.value.again`. */
export function textsOf(catalogue: Catalogue): { readonly key: string; readonly text: Text }[] {
  const list: { key: string; text: Text }[] = [];
  const group = (name: string, texts: { readonly [key: string]: Text } | undefined): void => {
    for (const [key, text] of Object.entries(texts ?? {}))
      list.push({ key: `${name}.${key}`, text });
  };
  group("say", catalogue.say);
  group("rest", catalogue.rest);
  group("repair", catalogue.repair);
  for (const [kind, texts] of Object.entries(catalogue.bad ?? {})) group(`bad.${kind}`, texts);
  for (const [slot, entry] of Object.entries(catalogue.ask ?? {})) {
    const ask = askText(entry);
    for (const part of ["text", "again", "why", "help", "echo", "item"] as const) {
      const text = ask?.[part];
      if (text !== undefined) list.push({ key: `ask.${slot}.${part}`, text });
    }
    group(`ask.${slot}.bad`, ask?.bad);
  }
  for (const [id, entry] of Object.entries(catalogue.confirm ?? {})) {
    const confirm = confirmText(entry);
    for (const part of ["title", "line", "end", "help", "why"] as const) {
      const text = confirm?.[part];
      if (text !== undefined) list.push({ key: `confirm.${id}.${part}`, text });
    }
    group(`confirm.${id}.bad`, confirm?.bad);
  }
  return list;
}

/** Paths read by any text of the catalogue. */
export function textRefs(catalogue: Catalogue): string[] {
  const found = textsOf(catalogue).flatMap(({ text }) => placeholders(text).map(({ ref }) => ref));
  return [...new Set(found)];
}
