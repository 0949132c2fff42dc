/**
 * The texts of one flow in one language, as written in `texts.<locale>.yaml`, and the reading of such a file.
 */
import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import type { Finding } from "./finding.ts";

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

const AskText = z.union([
  z.string(),
  z.strictObject({
    text: Text,
    /** Second and later prompts in a row. */
    again: Text.optional(),
    why: Text.optional(),
    help: Text.optional(),
    /** How the answer is shown; default = the kind's own form. */
    echo: Text.optional(),
    /** Name of the answer in summaries; default = the slot's name. */
    label: z.string().optional(),
    /** Words that name it in "muda o …", beside the label. */
    names: z.array(z.string()).max(20).optional(),
    bad: Texts.optional(),
  }),
]);
const ConfirmText = z.union([
  z.string(),
  z.strictObject({
    title: Text,
    line: Text.optional(),
    end: Text.optional(),
    help: Text.optional(),
    why: Text.optional(),
  }),
]);
const OptionText = z.union([
  z.string(),
  z.strictObject({ label: z.string(), names: z.array(z.string()).max(20).optional() }),
]);

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
  | { readonly ok: true; readonly catalogue: Catalogue }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Reads a catalogue. Aliases, anchors, tags and merge keys are refused; findings carry line and column. */
export function parseCatalogue(text: string, file = "texts.yaml"): ParsedCatalogue {
  const fail = (message: string, line = 1, column = 1): ParsedCatalogue => ({
    ok: false,
    findings: [{ rule: "text/file", severity: "error", file, line, column, message }],
  });
  if (text.length > MAX_FILE) return fail(`the file is longer than ${MAX_FILE} characters`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: false, strict: true });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    return fail(error.message.split("\n")[0] ?? "not YAML", line, col);
  }
  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: 0 });
  } catch {
    return fail("aliases are not taken: write the text out");
  }
  const parsed = Catalogue.safeParse(data);
  if (parsed.success) return { ok: true, catalogue: parsed.data };
  return {
    ok: false,
    findings: parsed.error.issues.map((issue) => {
      const node = document.getIn(issue.path.map(String), true) as { range?: number[] } | undefined;
      const { line, col } = lines.linePos(node?.range?.[0] ?? 0);
      return {
        rule: "text/file",
        severity: "error",
        file,
        line,
        column: col,
        message: `${issue.path.join(".") || "file"}: ${issue.message}`,
      };
    }),
  };
}

/** The long form of a prompt. */
export function askText(entry: string | AskText | undefined): AskText | undefined {
  return typeof entry === "string" ? { text: entry } : entry;
}

export function confirmText(entry: string | ConfirmText | undefined): ConfirmText | undefined {
  return typeof entry === "string" ? { title: entry } : entry;
}
