/** The possible types of an expression, as far as they are known before any answer. */
import type { Json } from "../../base/index.ts";
import type { Expr } from "../ast/expression.ts";
import { KINDS } from "../kinds/kinds.ts";
import type { LintContext } from "./context.ts";

export type Sort = "text" | "number" | "yesno" | "list" | "object" | "nothing" | "any";
export interface Type {
  readonly sort: Sort;
  /** All values it can have. */
  readonly of?: readonly Json[];
}

const ANY: Type = { sort: "any" };
const YESNO: Type = { sort: "yesno" };
const text = (...of: readonly string[]): Type =>
  of.length > 0 ? { sort: "text", of } : { sort: "text" };

/** The account and the contact as flows see them without plugins (`FlowAccount`, `FlowContact`). */
const SURROUNDINGS: { readonly [path: string]: Type } = {
  "account.id": text(),
  "account.name": text(),
  "account.zone": text(),
  "account.operators": { sort: "list" },
  "account.policy.openRequests": { sort: "number" },
  "account.policy.requestsPerDay": { sort: "number" },
  "account.policy.perMinute": { sort: "number" },
  "account.retention.draftDays": { sort: "number" },
  "account.retention.chatDays": { sort: "number" },
  "account.open": YESNO,
  "account.today": text(),
  "account.time": text(),
  "account.weekday": { sort: "number" },
  "account.hours": { sort: "object" },
  "account.hours.days": { sort: "list" },
  "account.hours.from": text(),
  "account.hours.to": text(),
  "contact.name": text(),
  "contact.mayRequest": YESNO,
  "contact.returning": YESNO,
  "contact.role": text("customer", "operator"),
  "contact.waiting": text(),
  now: { sort: "number" },
};

const ACCOUNT = "account.";

const SORTS: { readonly [schema: string]: Sort } = {
  string: "text",
  number: "number",
  boolean: "yesno",
  array: "list",
  object: "object",
};
/** Values of the kinds the kit brings; those of an installation's own are anything. */
const OF_KIND = new Map<string, Type>(
  KINDS.map((kind) => [kind.name, { sort: SORTS[kind.schema({}).def.type] ?? "any" }]),
);
const FACETS: { readonly [path: string]: Type } = {
  "document.type": text("cpf", "cnpj"),
  "cpf.type": text("cpf"),
  "cnpj.type": text("cnpj"),
  "cep.uf": text(),
  "address.city": text(),
};

export function typeOfPath(context: LintContext, path: string): Type {
  const { ast, model, words } = context;
  const known = SURROUNDINGS[path];
  if (known) return known;
  const added = path.startsWith(ACCOUNT) ? words.account?.[path.slice(ACCOUNT.length)] : undefined;
  if (added !== undefined) return typeof added === "string" ? { sort: added } : text(...added);
  const [head = "", ...rest] = path.split(".");
  const slot = Object.hasOwn(ast.slots, head) ? ast.slots[head] : undefined;
  if (slot) {
    if (rest.length > 0) return FACETS[`${slot.kind}.${rest.join(".")}`] ?? ANY;
    return slot.kind === "choice" ? choice(context, head) : (OF_KIND.get(slot.kind) ?? ANY);
  }
  const step = model.steps.get(head);
  if (step && rest.length === 1 && rest[0] === "outcome" && "on" in step)
    return { sort: "text", of: Object.keys(step.on) };
  return step?.t === "effect" ? result(context, step.effect, rest) : ANY;
}

/** A field of what a call gave; what stands inside it is not known. */
function result(context: LintContext, effect: string, [field, ...inner]: readonly string[]): Type {
  const known = context.words.effects.get(effect)?.results;
  if (field === undefined || inner.length > 0 || !known || !Object.hasOwn(known, field)) return ANY;
  return known[field] ?? ANY;
}

function choice(context: LintContext, slot: string): Type {
  const given = context.ast.slots[slot]?.params?.["options"];
  const asks = context.model.asks.get(slot) ?? [];
  const fromRows = asks.some(({ step }) => step.t === "ask" && step.options);
  return Array.isArray(given) && !fromRows ? { sort: "text", of: given } : text();
}

export function typeOf(context: LintContext, expr: Expr): Type {
  if ("ref" in expr) return typeOfPath(context, expr.ref);
  if ("val" in expr) return { sort: sortOf(expr.val), of: [expr.val] };
  if ("first" in expr) return either(expr.first.map((part) => typeOf(context, part)));
  if ("rule" in expr) return ANY;
  if ("list" in expr) return { sort: "list" };
  return "object" in expr ? { sort: "object" } : YESNO;
}

/** What any of these can be. */
function either(types: readonly Type[]): Type {
  const [one] = types;
  if (!one || types.some(({ sort }) => sort !== one.sort)) return ANY;
  const of = types.flatMap((type) => type.of ?? []);
  return types.every((type) => type.of) ? { sort: one.sort, of } : { sort: one.sort };
}

function sortOf(value: Json): Sort {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "list";
  const sorts = { string: "text", number: "number", boolean: "yesno", object: "object" } as const;
  return sorts[typeof value as keyof typeof sorts];
}

/** Whether both are known and cannot be the same sort of thing. */
export function differ(a: Type, b: Type): boolean {
  return [a, b].every(({ sort }) => sort !== "any" && sort !== "nothing") && a.sort !== b.sort;
}

/** Paths of the account and the contact, for the nearest name. */
export function surroundingPaths({ words }: LintContext): readonly string[] {
  const added = Object.keys(words.account ?? {}).map((path) => `${ACCOUNT}${path}`);
  return [...Object.keys(SURROUNDINGS), ...added];
}
