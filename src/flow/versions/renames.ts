/** New names of an older version's steps and slots, and whether an answer still has the same meaning. */
import type { Json } from "../../base/index.ts";
import type { Ast, Migration } from "../ast/ast.ts";
import type { FlowIndex } from "../machine/flow-index.ts";

/** The rule a flow has for conversations of an older version; one by hash is meant more exactly than one by number. */
export function migrationFor(
  ast: Ast,
  from: { readonly version: number; readonly hash: string },
): Migration | undefined {
  return (
    ast.migrate?.find((rule) => rule.from === from.hash) ??
    ast.migrate?.find((rule) => rule.from === from.version)
  );
}

/** Old names to new ones. Steps of renamed slots follow them, as does the question for another item of a renamed list. */
export class Names {
  private readonly rule: Migration | undefined;
  private readonly model: FlowIndex;
  private readonly older: FlowIndex | undefined;
  private readonly derived = new Map<string, string>();

  constructor(rule: Migration | undefined, model: FlowIndex, older: FlowIndex | undefined) {
    this.rule = rule;
    this.model = model;
    this.older = older;
    for (const [old, { step }] of older?.repeats.lists ?? []) {
      const now = model.repeats.lists.get(rule?.rename?.[old] ?? old)?.step;
      if (!step.more || !now?.more) continue;
      this.derived.set(step.more.slot, now.more.slot);
      this.derived.set(step.more.id, now.more.id);
      this.derived.set(step.id, now.id);
    }
  }

  slot(name: string): string | undefined {
    if (this.rule?.drop?.includes(name)) return undefined;
    return this.rule?.rename?.[name] ?? this.derived.get(name) ?? name;
  }

  step(id: string): string {
    return this.rule?.steps?.[id] ?? this.rule?.rename?.[id] ?? this.derived.get(id) ?? id;
  }

  /**
   * Whether a value means under its new name what it meant before. A number has no unit: 150 pieces would be R$ 1,50 in a
   * slot that has become money, and nobody would be asked. A rule that makes the new value of the old one knows better.
   */
  means(slot: string, name: string, value: Json): boolean {
    const before = this.older?.kind(slot)?.name;
    if (typeof value !== "number" || before === undefined) return true;
    return before === this.model.kind(name)?.name || this.rule?.map?.[slot] !== undefined;
  }
}
