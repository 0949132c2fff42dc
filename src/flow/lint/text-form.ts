/** `text/` of forms: texts fit their channel at their longest values, and their signs, pipes and forms are whole. */
import type { Json } from "../../base/index.ts";
import { askText, type Catalogue, confirmText, textsOf } from "../texts/catalogue.ts";
import {
  forms,
  type Piece,
  pieces,
  placeholders,
  plainText,
  type Text,
} from "../texts/template.ts";
import type { LintContext, LintRule } from "./context.ts";
import { typeOfPath } from "./types.ts";

/** Longest values of what is not known before: results of calls, fields of the account. */
const UNKNOWN_LENGTH = 120;
/** Stands for an unknown letter. */
const LETTER = "x";
/** Kinds whose values a pipe is made for; other pipes take any text. */
const PIPE_KINDS: { readonly [pipe: string]: readonly string[] } = {
  brl: ["money", "number"],
  masked: ["document", "cpf", "cnpj"],
  document: ["document", "cpf", "cnpj"],
  phone: ["phone"],
  month: ["month"],
  date: ["date"],
};
const GENDERED =
  /\b\p{L}+[oae]?\((?:a|o|as|os)\)|\b\p{L}+[oa]\/[ao]s?\b|\b\p{L}+@s?\b(?!\.)|\bprezad[oa]s?\b|\bcar[oa] cliente\b|\bseja bem-vind[oa]\b/iu;

/** A text and where it stands. */
interface Place {
  readonly key: string;
  readonly locale: Catalogue["locale"];
}

export const textFormRules: LintRule = (context) => {
  for (const catalogue of Object.values(context.texts)) {
    const { locale } = catalogue;
    for (const { key, text } of textsOf(catalogue)) {
      const at = { key, locale };
      pipes(context, at, text);
      choosing(context, at, text);
      signs(context, at, text);
      // Each form by itself: a single sign can make the shorter one cost more.
      rendered(context, text).some((form) => isTooLong(context, at, form));
    }
    confirms(context, catalogue);
    labels(context, catalogue);
  }
};

function pipes({ ast, foundText }: LintContext, at: Place, text: Text): void {
  for (const {
    ref,
    pipes: [first],
  } of placeholders(text)) {
    const kinds = first && PIPE_KINDS[first.name];
    const kind = Object.hasOwn(ast.slots, ref) ? ast.slots[ref]?.kind : undefined;
    if (!kinds || kind === undefined || kinds.includes(kind)) continue;
    const message = `"${first.name}" is for ${kinds.join(", ")}; "${ref}" is a ${kind}.`;
    foundText("text/pipe-kind", at, message);
  }
}

/** `by:` must have a form for whatever it may meet. */
function choosing(context: LintContext, at: Place, text: Text): void {
  if (typeof text !== "object" || !("by" in text) || "other" in text) return;
  const { sort, of } = typeOfPath(context, text.by);
  const bare = of?.filter((value) => !Object.hasOwn(text, plainText(value))) ?? [];
  const covered = of !== undefined && bare.length === 0;
  if (covered || (sort === "yesno" && "true" in text && "false" in text)) return;
  const lost = bare.length > 0 ? ` (${bare.map(String).join(", ")})` : "";
  context.foundText("text/no-other", at, `by: ${text.by} has no form "other"${lost}.`);
}

function signs({ foundText }: LintContext, at: Place, text: Text): void {
  for (const form of forms(text)) {
    const parts = pieces(form);
    const words = parts.map((piece) => (typeof piece === "string" ? piece : LETTER)).join("");
    if (words.split("\n").some((line) => (line.match(/\*/g)?.length ?? 0) % 2 === 1))
      foundText("text/bold", at, "a star has no partner in its line.");
    if (parts.some((piece) => typeof piece === "string" && /\{\{|\}\}/.test(piece)))
      foundText("text/braces", at, "braces in it hold no reference.");
    const gendered = at.locale === "pt-BR" ? GENDERED.exec(words)?.[0] : undefined;
    if (gendered !== undefined)
      foundText("text/gendered", at, `"${gendered}" is for some readers only.`);
  }
}

/** A value as a text shows it, when it is as long as it may be. */
function longest(
  { ast, model }: LintContext,
  ref: string,
  pipe?: { name: string; arg?: string },
): string {
  if (pipe?.name === "short") return LETTER.repeat(Math.max(2, Number(pipe.arg ?? 60) || 60));
  const slot = Object.hasOwn(ast.slots, ref) ? ast.slots[ref] : undefined;
  if (!slot) return LETTER.repeat(UNKNOWN_LENGTH);
  const max: Json | undefined = slot.params?.["max"];
  if ((slot.kind === "text" || slot.kind === "name") && typeof max === "number")
    return LETTER.repeat(max);
  return model.kind(ref)?.longest ?? LETTER.repeat(UNKNOWN_LENGTH);
}

/** Each form of a text with the longest values. */
function rendered(context: LintContext, text: Text): string[] {
  const words = (piece: Piece): string =>
    typeof piece === "string" ? piece : longest(context, piece.ref, piece.pipes[0]);
  return forms(text).map((form) => pieces(form).map(words).join(""));
}

function longestOf(texts: readonly string[]): string {
  return texts.reduce((long, one) => (one.length > long.length ? one : long), "");
}

/** Reports a text that a channel cuts, or that costs more there. */
function isTooLong({ channels, foundText }: LintContext, at: Place, text: string): boolean {
  let isLong = false;
  for (const { name, maxText, over } of channels) {
    const rest =
      text.length > maxText
        ? `it has ${text.length} letters; ${name} shows ${maxText}`
        : over?.(text);
    if (rest === undefined) continue;
    const message = `with the longest answers ${rest}.`;
    foundText("text/too-long", at, message, over ? "warning" : "error");
    isLong = true;
  }
  return isLong;
}

/** A summary is its title, one line for each answer, and its end. */
function confirms(context: LintContext, { locale, confirm, ask: asks }: Catalogue): void {
  const most = (text: Text): string => longestOf(rendered(context, text));
  for (const { step } of context.places) {
    const entry = step.t === "confirm" ? confirmText(confirm?.[step.id]) : undefined;
    if (step.t !== "confirm" || !entry) continue;
    const lines = step.show.map((slot) => {
      const ask = askText(asks?.[slot]);
      const shown = ask?.echo === undefined ? longest(context, slot) : most(ask.echo);
      return `${ask?.label ?? slot}: ${shown}`;
    });
    const whole = [most(entry.title), ...lines, most(entry.end ?? "")].join("\n");
    isTooLong(context, { key: `confirm.${step.id}`, locale }, whole);
  }
}

function labels({ channels, foundText }: LintContext, { locale, options = {} }: Catalogue): void {
  for (const [slot, table] of Object.entries(options))
    for (const [id, entry] of Object.entries(table)) {
      const { length } = typeof entry === "string" ? entry : entry.label;
      const at = { key: `options.${slot}.${id}`, locale };
      for (const { name, label } of channels)
        if (length > label)
          foundText("text/rows", at, `the label has ${length} letters; ${name} shows ${label}.`);
    }
}
