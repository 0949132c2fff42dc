/**
 * The texts of one flow in one language, as written in `texts.<locale>.yaml`: the reading of such a file, its keys as types, and the
 * catalogue that a text is taken from.
 */
import { z } from "zod";
import { didYouMean, type Finding } from "../ast/finding.ts";
import { type At, located, placesOf, plain } from "../yaml/located.ts";
import { placeholders, type Text } from "./template.ts";
import type { Out } from "../moves/move.ts";

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
type ConfirmText = Exclude<z.output<typeof ConfirmText>, string>;

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

const GROUPS = ["say", "ask", "confirm"] as const;

/** `flows/texts.d.ts`, so that an unknown key does not compile: one entry a flow, each group a union of its keys. */
export function textTypes(texts: ReadonlyMap<string, Catalogues>): string {
  const flows = [...texts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([flow, catalogues]) => {
      const groups = GROUPS.map((group) => {
        const keys = Object.values(catalogues).flatMap((one) => Object.keys(one[group] ?? {}));
        const union = [...new Set(keys)].sort().map((key) => JSON.stringify(key));
        return `${group}: ${union.length > 0 ? union.join(" | ") : "never"}`;
      });
      return `      ${JSON.stringify(flow)}: { ${groups.join("; ")} };`;
    });
  return [
    "/** Written by `flows types` from the catalogues; not for hands. */",
    'import "prosa";',
    "",
    'declare module "prosa" {',
    "  interface FlowRegistry {",
    "    texts: {",
    ...flows,
    "    };",
    "  }",
    "}",
    "",
  ].join("\n");
}

export type Catalogues = { readonly [L in Locale]?: Catalogue };

/** The wanted language before the other. */
export function find<V>(
  from: Catalogues,
  locale: Locale,
  read: (catalogue: Catalogue) => V | undefined,
): V | undefined {
  for (const name of [locale, ...LOCALES.filter((other) => other !== locale)]) {
    const catalogue = from[name];
    const found = catalogue ? read(catalogue) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

type Table = (catalogue: Catalogue) => { readonly [reason: string]: Text } | undefined;

/**
 * Why an answer was not taken: the most exact reason first. For each reason the slot's own words come before those of its kind, and
 * the flow's before the common ones.
 */
export function badText(
  out: Extract<Out, { type: "out.bad" }>,
  kind: string,
  [own, common]: readonly [Catalogues, Catalogues],
  locale: Locale,
): { readonly reason: string; readonly text: Text } | undefined {
  const reasons = [...(out.hint === undefined ? [] : [out.hint]), out.reason, "default"];
  // What is confirmed asks for no slot.
  const ofStep: Table = (catalogue) =>
    out.slot === ""
      ? confirmText(catalogue.confirm?.[out.facts.at])?.bad
      : askText(catalogue.ask?.[out.slot])?.bad;
  const ofKind: Table = (catalogue) => catalogue.bad?.[kind];
  const ofAny: Table = (catalogue) => catalogue.bad?.any;
  const sources: readonly (readonly [Catalogues, Table])[] = [
    [own, ofStep],
    [own, ofKind],
    [common, ofKind],
    [common, ofAny],
  ];
  for (const reason of reasons)
    for (const [from, table] of sources) {
      const text = find(from, locale, (catalogue) => table(catalogue)?.[reason]);
      if (text !== undefined) return { reason, text };
    }
  return undefined;
}
