/**
 * `text/` beyond names: texts fit their channel at their longest values, have the same references in both languages, and
 * are used.
 */
import type { Json } from "../../../base/index.ts";
import { askText, confirmText, type Catalogue } from "../../texts/catalogue.ts";
import { refs } from "../../ast/expression.ts";
import { didYouMean, type Finding } from "../../ast/finding.ts";
import { eachStep, isAsk } from "../../machine/steps.ts";
import {
  forms,
  pieces,
  placeholders,
  plainText,
  type Piece,
  type Text,
} from "../../texts/template.ts";
import { textsOf } from "../../texts/text-refs.ts";
import { found, foundText, type LintContext, type LintRule } from "../context.ts";
import { typeOfPath } from "../types.ts";

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

export const textFormRules: LintRule = (context) =>
  Object.values(context.texts)
    .flatMap((catalogue) => [
      ...textsOf(catalogue).flatMap(({ key, text }) => [
        ...pipes(context, catalogue, key, text),
        ...choosing(context, catalogue, key, text),
        ...signs(context, catalogue, key, text),
        ...lengths(context, catalogue, key, text),
      ]),
      ...confirms(context, catalogue),
      ...labels(context, catalogue),
      ...unused(context, catalogue),
    ])
    .concat(variables(context));

function pipes(context: LintContext, own: Catalogue, key: string, text: Text): Finding[] {
  return placeholders(text).flatMap(({ ref, pipes: [first] }) => {
    const kinds = first ? PIPE_KINDS[first.name] : undefined;
    const kind = Object.hasOwn(context.ast.slots, ref) ? context.ast.slots[ref]?.kind : undefined;
    if (!first || !kinds || kind === undefined || kinds.includes(kind)) return [];
    const message = `"${first.name}" is for ${kinds.join(", ")}; "${ref}" is a ${kind}.`;
    return [foundText(context, "text/pipe-kind", key, own.locale, message)];
  });
}

/** `by:` must have a form for whatever it may meet. */
function choosing(context: LintContext, own: Catalogue, key: string, text: Text): Finding[] {
  if (typeof text !== "object" || !("by" in text) || "other" in text) return [];
  const { sort, of } = typeOfPath(context, text.by);
  const bare = of?.filter((value) => !Object.hasOwn(text, plainText(value))) ?? [];
  const covered = of !== undefined && bare.length === 0;
  if (covered || (sort === "yesno" && "true" in text && "false" in text)) return [];
  const lost = bare.length > 0 ? ` (${bare.map(String).join(", ")})` : "";
  const message = `by: ${text.by} has no form "other"${lost}.`;
  return [foundText(context, "text/no-other", key, own.locale, message)];
}

function signs(context: LintContext, own: Catalogue, key: string, text: Text): Finding[] {
  const findings: Finding[] = [];
  for (const form of forms(text)) {
    const words = pieces(form)
      .map((piece) => (typeof piece === "string" ? piece : "x"))
      .join("");
    if (words.split("\n").some((line) => (line.match(/\*/g)?.length ?? 0) % 2 === 1))
      findings.push(
        foundText(context, "text/bold", key, own.locale, "a star has no partner in its line."),
      );
    if (pieces(form).some((piece) => typeof piece === "string" && /\{\{|\}\}/.test(piece)))
      findings.push(
        foundText(context, "text/braces", key, own.locale, "braces in it hold no reference."),
      );
    const gendered = own.locale === "pt-BR" ? GENDERED.exec(words)?.[0] : undefined;
    if (gendered !== undefined)
      findings.push(
        foundText(
          context,
          "text/gendered",
          key,
          own.locale,
          `"${gendered}" is for some readers only.`,
          "warning",
        ),
      );
  }
  return findings;
}

/** A value as a text shows it, when it is as long as it may be. */
function longest(context: LintContext, ref: string, pipe?: { name: string; arg?: string }): string {
  if (pipe?.name === "short") return LETTER.repeat(Math.max(2, Number(pipe.arg ?? 60) || 60));
  const slot = Object.hasOwn(context.ast.slots, ref) ? context.ast.slots[ref] : undefined;
  if (!slot) return LETTER.repeat(UNKNOWN_LENGTH);
  const max: Json | undefined = slot.params?.["max"];
  if ((slot.kind === "text" || slot.kind === "name") && typeof max === "number")
    return LETTER.repeat(max);
  return context.model.kind(ref)?.longest ?? LETTER.repeat(UNKNOWN_LENGTH);
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

function tooLong(context: LintContext, own: Catalogue, key: string, text: string): Finding[] {
  return context.channels.flatMap(({ name, maxText, over }) => {
    const rest =
      text.length > maxText
        ? `it has ${text.length} letters; ${name} shows ${maxText}`
        : over?.(text);
    if (rest === undefined) return [];
    const message = `with the longest answers ${rest}.`;
    const severity = over ? "warning" : "error";
    return [foundText(context, "text/too-long", key, own.locale, message, severity)];
  });
}

function lengths(context: LintContext, own: Catalogue, key: string, text: Text): Finding[] {
  // Each form by itself: a single sign can make the shorter one cost more.
  const found = rendered(context, text).map((form) => tooLong(context, own, key, form));
  return found.find((one) => one.length > 0) ?? [];
}

/** A summary is its title, one line for each answer, and its end. */
function confirms(context: LintContext, own: Catalogue): Finding[] {
  return eachStep(context.ast).flatMap((step) => {
    const entry = step.t === "confirm" ? confirmText(own.confirm?.[step.id]) : undefined;
    if (step.t !== "confirm" || !entry) return [];
    const most = (text: Text): string => longestOf(rendered(context, text));
    const lines = step.show.map((slot) => {
      const ask = askText(own.ask?.[slot]);
      const shown = ask?.echo === undefined ? longest(context, slot) : most(ask.echo);
      return `${ask?.label ?? slot}: ${shown}`;
    });
    const whole = [most(entry.title), ...lines, most(entry.end ?? "")].join("\n");
    return tooLong(context, own, `confirm.${step.id}`, whole);
  });
}

function labels(context: LintContext, own: Catalogue): Finding[] {
  return Object.entries(own.options ?? {}).flatMap(([slot, options]) =>
    Object.entries(options).flatMap(([id, entry]) => {
      const { length } = typeof entry === "string" ? entry : entry.label;
      return context.channels.flatMap(({ name, label }) =>
        length <= label
          ? []
          : [
              foundText(
                context,
                "text/rows",
                `options.${slot}.${id}`,
                own.locale,
                `the label has ${length} letters; ${name} shows ${label}.`,
              ),
            ],
      );
    }),
  );
}

/** Keys that no step and no override names. */
function unused(context: LintContext, own: Catalogue): Finding[] {
  const { ast, common, model } = context;
  const steps = eachStep(ast);
  const overrides = [
    ast.policy.repair,
    ...steps.map((step) => ("repair" in step ? step.repair : undefined)),
  ]
    .flatMap((repair) => Object.values(repair ?? {}))
    .filter((rule) => typeof rule === "string");
  const says = [
    ...steps.flatMap((step) => (step.t === "say" ? [step.text ?? step.id] : [])),
    ...overrides,
  ];
  const slots = Object.keys(ast.slots);
  const asks = [...slots, ...steps.filter(isAsk).map(({ id }) => id), ...model.steps.keys()];
  const confirmed = steps.flatMap((step) => (step.t === "confirm" ? [step.id] : []));
  const words = Object.values(common).flatMap((shared) => Object.keys(shared.say ?? {}));
  const known: readonly (readonly [string, object | undefined, readonly string[]])[] = [
    ["say", own.say, says],
    ["ask", own.ask, asks],
    ["confirm", own.confirm, confirmed],
    ["options", own.options, asks],
    ["rest", own.rest, [...model.steps.keys()]],
    ...(words.length > 0 ? [["repair", own.repair, words] as const] : []),
  ];
  return known.flatMap(([group, texts, names]) =>
    Object.keys(texts ?? {})
      .filter((key) => !names.includes(key))
      .map((key) =>
        foundText(
          context,
          "text/unused",
          `${group}.${key}`,
          own.locale,
          `nothing says it.${didYouMean(key, names)}`,
          "warning",
        ),
      ),
  );
}

/** What a text reads is the same in every language. */
function variables(context: LintContext): Finding[] {
  const [first, ...others] = Object.values(context.texts);
  if (!first) return [];
  const read = (text: Text): string =>
    [...new Set(placeholders(text).map(({ ref }) => ref))].sort().join(", ");
  const texts = new Map(textsOf(first).map(({ key, text }) => [key, read(text)]));
  return others.flatMap((other) =>
    textsOf(other).flatMap(({ key, text }) => {
      const there = texts.get(key);
      const here = read(text);
      if (there === undefined || there === here) return [];
      const message = `it reads ${here || "nothing"}; in ${first.locale} it reads ${there || "nothing"}.`;
      return [foundText(context, "text/variables-differ", key, other.locale, message)];
    }),
  );
}

/** Slots that a required key of a call reads, and that may be hidden or skipped when it is made. */
export const hiddenInputRules: LintRule = (context) =>
  context.places.flatMap(({ step, under }) => {
    const info = step.t === "effect" ? context.words.effects.get(step.effect) : undefined;
    if (step.t !== "effect" || !info) return [];
    return info.input.flatMap(({ name, optional }) => {
      const expr = step.input[name];
      if (optional || !expr) return [];
      return refs(expr).flatMap((path) => {
        const slot = path.split(".")[0] ?? "";
        const asks = context.model.asks.get(slot);
        const def = context.ast.slots[slot];
        if (!asks || !def) return [];
        const shown = asks.some((ask) => ask.under.every((one) => under.includes(one)));
        if (shown && !def.optional) return [];
        const why = shown ? "may be skipped" : "is asked under a condition only";
        const message = `"${step.effect}" needs "${name}", but "${slot}" ${why}.`;
        return [found(context, "slot/hidden-in-input", message, step.id)];
      });
    });
  });
