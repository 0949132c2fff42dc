/**
 * `slot/` and `repeat/`: kinds exist, required slots are asked, nothing is read before it is asked, what a call needs is there, and the
 * parameters of a slot are ones that its kind takes.
 */
import { type Expr, headOf, refs } from "../ast/expression.ts";
import { didYouMean } from "../ast/finding.ts";
import { KINDS } from "../kinds/kinds.ts";
import { expressionsOf, isAsk, isPath } from "../machine/steps.ts";
import { placeholders } from "../texts/template.ts";
import { textsOf } from "../texts/catalogue.ts";
import type { LintContext, LintRule } from "./context.ts";
import type { Json, JsonObject } from "../../base/index.ts";
import {
  isDayLimit,
  isHours,
  isMomentStart,
  isSpanEnd,
  isTimeLimit,
  resolvedDay,
} from "../kinds/kinds-time.ts";
import { nameProblem } from "./expr.ts";

export const slotRules: LintRule = (context) => {
  kinds(context);
  asked(context);
  order(context);
  secrets(context);
  parts(context);
  lists(context);
  hidden(context);
  parameters(context);
};

function kinds({ ast, words, found }: LintContext): void {
  for (const [slot, { kind }] of Object.entries(ast.slots)) {
    if (words.kinds.has(kind)) continue;
    const near = didYouMean(kind, words.kinds.keys());
    found("slot/unknown-kind", `Unknown kind "${kind}" of slot "${slot}".${near}`);
  }
}

function asked({ ast, model, places, found }: LintContext): void {
  for (const [slot, { optional }] of Object.entries(ast.slots))
    if (!model.asks.has(slot) && !model.repeats.lists.has(slot))
      found(optional ? "slot/unused" : "slot/never-asked", `Slot "${slot}" is never asked.`);
  const known = Object.keys(ast.slots);
  for (const { step } of places) {
    const named =
      isAsk(step) || step.t === "repeat"
        ? [step.slot]
        : step.t === "confirm"
          ? [...step.show, ...(step.edit ?? [])]
          : step.t === "subflow"
            ? (step.fills ?? [])
            : [];
    for (const slot of named)
      if (!known.includes(slot))
        found("slot/unknown", `No slot "${slot}".${didYouMean(slot, known)}`, step.id);
  }
}

/** A condition, an input or a `with` may only read slots that are asked before it. */
function order({ places, ast, model, found }: LintContext): void {
  const known = new Set<string>();
  const brought = new Set(
    places.flatMap(({ step }) => (step.t === "subflow" ? (step.fills ?? []) : [])),
  );
  for (const { step } of places) {
    // What another flow may fill is handed to it as far as it was said.
    const own = step.t === "subflow" ? (step.fills ?? []) : [];
    const heads = expressionsOf(step)
      .flatMap((expr) => read(expr, brought))
      .map(headOf);
    for (const head of heads)
      if (
        !own.includes(head) &&
        Object.hasOwn(ast.slots, head) &&
        !known.has(head) &&
        model.asks.has(head)
      )
        found("slot/asked-after-use", `"${head}" is read here but asked only later.`, step.id);
    if (isAsk(step)) known.add(step.slot);
  }
}

/**
 * What an expression reads. Whether somebody said already what another flow would bring is a question before it is asked for:
 * then that flow need not begin.
 */
function read(expr: Expr, brought: ReadonlySet<string>): string[] {
  if ("has" in expr && brought.has(expr.has)) return [];
  if ("and" in expr) return expr.and.flatMap((part) => read(part, brought));
  if ("first" in expr)
    return expr.first.flatMap((part, at) => {
      const isAsked = at < expr.first.length - 1 && "ref" in part && brought.has(part.ref);
      return isAsked ? [] : read(part, brought);
    });
  return "not" in expr ? read(expr.not, brought) : refs(expr);
}

function secrets({ ast, texts, foundText }: LintContext): void {
  for (const catalogue of Object.values(texts))
    for (const { key, text } of textsOf(catalogue))
      for (const { ref } of placeholders(text))
        if (ast.slots[headOf(ref)]?.secret) {
          const at = { key, locale: catalogue.locale };
          foundText("slot/secret-in-text", at, `it would show the secret slot "${ref}".`);
        }
}

/** What is asked for each item of a list is many values: outside only the list can be read. */
function parts({ model, places, found }: LintContext): void {
  for (const { step, repeat } of places)
    for (const path of expressionsOf(step).flatMap(refs)) {
      const many = model.repeats.items.get(headOf(path));
      if (!many || many.step === repeat) continue;
      const message = `"${path}" is asked for each item of "${many.step.slot}": read the list.`;
      found("slot/one-of-many", message, step.id);
    }
}

/** Steps that a list may have for each item, beside look-ups: whatever leaves nothing behind in the world. */
const INSIDE = new Set(["ask", "choose", "form", "say", "when"]);

/** The slot is a list, and the questions for its items can be asked again. */
function lists({ ast, places, words, found }: LintContext): void {
  for (const { step, repeat } of places) {
    if (step.t === "repeat") {
      const { slot, id } = step;
      const kind = ast.slots[slot]?.kind;
      if (kind !== undefined && kind !== "list")
        found("repeat/no-list", `Slot "${slot}" is of kind ${kind}: its kind must be list.`, id);
      if (!places.some((one) => one.repeat?.slot === slot && isAsk(one.step)))
        found("repeat/nothing-asked", `Nothing is asked for an item of "${slot}".`, id);
      continue;
    }
    const isRead = step.t === "effect" && words.effects.get(step.effect)?.class === "read";
    if (!repeat || INSIDE.has(step.t) || isRead) continue;
    const message = `A ${step.t} cannot be done for each item of "${repeat.slot}": put it after the list.`;
    found("repeat/once-only", message, step.id);
  }
}

/** Slots that a required key of a call reads, and that may be hidden or skipped when it is made. */
function hidden({ ast, model, places, words, found }: LintContext): void {
  for (const { step, under } of places) {
    if (step.t !== "effect") continue;
    for (const { name, optional } of words.effects.get(step.effect)?.input ?? []) {
      const expr = step.input[name];
      if (optional || !expr) continue;
      for (const slot of refs(expr).map(headOf)) {
        const asks = model.asks.get(slot);
        const def = ast.slots[slot];
        if (!asks || !def) continue;
        const shown = asks.some((ask) => ask.under.every((one) => under.includes(one)));
        if (shown && !def.optional) continue;
        const why = shown ? "may be skipped" : "is asked under a condition only";
        const message = `"${step.effect}" needs "${name}", but "${slot}" ${why}.`;
        found("slot/hidden-in-input", message, step.id);
      }
    }
  }
}

type Takes = { readonly [name: string]: Sort };
type Sort =
  | "count"
  | "amount"
  | "options"
  | "files"
  | "yes"
  | "list"
  | "path"
  | "day"
  | "moment"
  | "time"
  | "end"
  | "hours";

/** What the kinds of the kit take; the others of them take nothing. */
const TAKES: { readonly [kind: string]: Takes } = {
  text: { min: "count", max: "count", words: "yes" },
  name: { max: "count" },
  document: { not: "path" },
  number: { min: "amount", max: "amount" },
  money: { min: "amount", max: "amount" },
  choice: { options: "options", more: "list", whole: "options" },
  date: { from: "day", to: "day" },
  time: { from: "time", to: "time" },
  datetime: { from: "moment", to: "day", hours: "hours" },
  period: { from: "time", to: "end" },
  media: { of: "files", maxBytes: "amount", ends: "list" },
};
const FILES = ["image", "video", "audio", "document", "sticker"];
const KNOWN = new Map(KINDS.map(({ name }) => [name, TAKES[name] ?? {}]));

/** Kinds of an installation's own take what they like. */
function parameters(context: LintContext): void {
  for (const [slot, { kind, params = {} }] of Object.entries(context.ast.slots)) {
    const takes = KNOWN.get(kind);
    if (!takes) continue;
    const problems = Object.entries(params).flatMap(([name, value]) =>
      problemOf(context, kind, takes, [name, value]),
    );
    for (const problem of [...problems, ...limitOrder(params), ...strangers(params)])
      context.found("slot/bad-parameter", `Slot "${slot}" ${problem}`);
  }
}

/** What is wrong with one parameter, as the rest of a sentence about its slot. */
function problemOf(
  context: LintContext,
  kind: string,
  takes: Takes,
  [name, value]: readonly [string, Json | undefined],
): readonly string[] {
  const sort = Object.hasOwn(takes, name) ? takes[name] : undefined;
  if (sort === undefined)
    return [`takes no "${name}" as a ${kind}.${didYouMean(name, Object.keys(takes))}`];
  if (isPath(value) && PATHS.has(sort)) {
    const problem = nameProblem(context, value);
    return problem === null ? [] : [`cannot read its ${name}: ${problem}`];
  }
  const problem = value === undefined ? null : wrong(sort, value);
  return problem === null ? [] : [`has the parameter ${name}, which ${problem}`];
}

/** Sorts of parameters that the account may say. */
const PATHS: ReadonlySet<Sort> = new Set([
  "amount",
  "path",
  "day",
  "moment",
  "time",
  "end",
  "hours",
]);

function wrong(sort: Sort, value: Json): string | null {
  if (sort === "count")
    return Number.isInteger(value) && Number(value) > 0 ? null : "is no whole number from 1 on.";
  if (sort === "amount") return typeof value === "number" ? null : "is neither number nor path.";
  if (sort === "path") return "is no path of the account.";
  const text = typeof value === "string" ? value : "";
  if (sort === "day")
    return isDayLimit(text) ? null : "is no day: 2026-12-31, today, today+60d, today-18y.";
  if (sort === "moment")
    return isMomentStart(text) ? null : "is no moment: now, 2026-12-31, today, today+60d.";
  if (sort === "time") return isTimeLimit(text) ? null : "is no time; write it like 08:00.";
  if (sort === "end") return isSpanEnd(text) ? null : "is no time; write it like 18:00, or 24:00.";
  if (sort === "hours")
    return isHours(text) ? null : "is no span of hours; write it like 08:00-18:00.";
  if (sort === "yes") return value === true ? null : "is not true; leave it out instead.";
  if (sort === "list") return null;
  if (!Array.isArray(value) || value.length === 0) return "is no list with something in it.";
  const names = value.map(String);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `names "${twice}" twice.`;
  const strange = sort === "files" ? names.find((name) => !FILES.includes(name)) : undefined;
  return strange === undefined ? null : `knows no "${strange}".${didYouMean(strange, FILES)}`;
}

/** An unknown name would leave the option that it was meant for unguarded. */
function strangers({ options, whole }: JsonObject): string[] {
  if (!Array.isArray(options) || !Array.isArray(whole)) return [];
  const names = options.map(String);
  return whole
    .map(String)
    .filter((name) => !names.includes(name))
    .map((name) => `asks for "${name}" whole, which is no option.${didYouMean(name, names)}`);
}

/** Limits as texts in their order; those that count from today as of one day, and paths below all. */
function ordered(limit: string): string {
  return isPath(limit) || limit === "now" ? "" : (resolvedDay(limit, "2026-01-01") ?? limit);
}

function limitOrder({ min, max, from, to }: JsonObject): string[] {
  if (typeof from === "string" && typeof to === "string" && ordered(from) > ordered(to))
    return [`takes nothing: its from ${from} is above its to ${to}.`];
  return typeof min === "number" && typeof max === "number" && min > max
    ? [`takes nothing: its min ${min} is above its max ${max}.`]
    : [];
}
