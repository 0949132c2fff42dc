/** What an installation adds to the vocabulary of its flows. */
import type { Rule } from "../ast/expression.ts";
import { type AnyRef, Cond, exprOf, refTo } from "./reference.ts";
import type { Pipe, VersionedRule } from "./vocabulary.ts";

export { defineKind } from "../kinds/kinds.ts";

/** A formatter for texts: `{{plate | dashed}}`. */
export function definePipe(name: string, pipe: Pipe): Readonly<Record<string, Pipe>> {
  return { [name]: pipe };
}

/** Odd pure logic by name: `isHoliday(date)`. Raise `version` when it answers differently. */
export function defineRule(
  name: string,
  rule: { readonly version: number; readonly run: Rule },
): Readonly<Record<string, VersionedRule>> {
  return { [name]: rule };
}

/** A registered rule in a condition: `f.when(rule("isHoliday", $.date), …)`. */
export function rule(name: string, ...of: readonly unknown[]): Cond {
  return new Cond({ rule: name, of: of.map(exprOf) });
}

/** A field of the result of a step passed before, where no branch of it is at hand: `result("issue", "number")`. */
export function result(step: string, field: string): AnyRef {
  return refTo(`${step}.${field}`);
}
