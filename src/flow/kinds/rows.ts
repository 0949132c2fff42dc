/** Rows of a list as the options of a choice. */
import type { Json } from "../../base/index.ts";
import type { AskStep } from "../ast/ast.ts";
import { at, type Facts } from "../moves/facts.ts";
import type { Option } from "../authoring/vocabulary.ts";

/** The rows as they are now; those without id or label are no options. */
export function rowsOf(
  model: { get(facts: Facts, path: string): Json | undefined },
  facts: Facts,
  from: NonNullable<AskStep["options"]>,
): Option[] {
  const list = model.get(facts, from.from);
  if (!Array.isArray(list)) return [];
  return list.flatMap((row: Json) => {
    const id = textOf(at(row, from.value.split(".")));
    const label = textOf(at(row, from.label.split(".")));
    return id === "" || label === "" ? [] : [{ id, label }];
  });
}

/** A scalar as text; empty for nothing and for what is no scalar. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}
