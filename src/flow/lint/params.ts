/** `slot/bad-parameter`: the parameters of a slot are ones that its kind takes and that can be stored. */
import type { Json, JsonObject } from "../../base/index.ts";
import { didYouMean } from "../ast/finding.ts";
import { isPath } from "../machine/steps.ts";
import type { LintContext, LintRule } from "./context.ts";
import { nameProblem } from "./expr.ts";

type Takes = { readonly [name: string]: Sort };
type Sort = "count" | "amount" | "options" | "files" | "yes" | "list" | "path";

/** What the kinds of the kit take; the others of them take nothing. */
const TAKES: { readonly [kind: string]: Takes } = {
  text: { min: "count", max: "count", words: "yes" },
  name: { max: "count" },
  document: { not: "path" },
  number: { min: "amount", max: "amount" },
  money: { min: "amount", max: "amount" },
  choice: { options: "options", more: "list", whole: "options" },
  media: { of: "files", maxBytes: "amount", ends: "list" },
};
const NOTHING =
  "cpf cnpj date month email phone cep city location address cnae percent password registration list yesno";
const FILES = ["image", "video", "audio", "document", "sticker"];
const KNOWN = new Map<string, Takes>([
  ...NOTHING.split(" ").map((kind) => [kind, {}] as const),
  ...Object.entries(TAKES),
]);

/** Kinds of an installation's own take what they like. */
export const paramRules: LintRule = (context) => {
  for (const [slot, { kind, params = {} }] of Object.entries(context.ast.slots)) {
    const takes = KNOWN.get(kind);
    if (!takes) continue;
    const problems = Object.entries(params).flatMap(([name, value]) =>
      problemOf(context, kind, takes, [name, value]),
    );
    for (const problem of [...problems, ...order(params), ...strangers(params)])
      context.found("slot/bad-parameter", `Slot "${slot}" ${problem}`);
  }
};

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
  if (isPath(value) && (sort === "amount" || sort === "path")) {
    const problem = nameProblem(context, value);
    return problem === null ? [] : [`cannot read its ${name}: ${problem}`];
  }
  const problem = value === undefined ? null : wrong(sort, value);
  return problem === null ? [] : [`has the parameter ${name}, which ${problem}`];
}

function wrong(sort: Sort, value: Json): string | null {
  if (sort === "count")
    return Number.isInteger(value) && Number(value) > 0 ? null : "is no whole number from 1 on.";
  if (sort === "amount") return typeof value === "number" ? null : "is neither number nor path.";
  if (sort === "path") return "is no path of the account.";
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

function order({ min, max }: JsonObject): string[] {
  return typeof min === "number" && typeof max === "number" && min > max
    ? [`takes nothing: its min ${min} is above its max ${max}.`]
    : [];
}
