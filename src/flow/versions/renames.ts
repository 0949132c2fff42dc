/** New names of an older version's steps and slots, and whether an answer still has the same meaning. */
import type { Json } from "../../base/index.ts";
import type { Ast, Migration } from "../ast/ast.ts";
import type { FlowIndex } from "../machine/flow-index.ts";

/** The version that a conversation is of, and the one that it moves to. */
export interface Versions {
  readonly from: { readonly version: number; readonly hash: string };
  readonly model: FlowIndex;
  /** The version that is left, where it is loaded. Needed for what hangs on its steps. */
  readonly older: FlowIndex | undefined;
}

/** The rule a flow has for conversations of an older version; one by hash is meant more exactly than one by number. */
function migrationFor({ migrate }: Ast, from: Versions["from"]): Migration | undefined {
  return (
    migrate?.find((rule) => rule.from === from.hash) ??
    migrate?.find((rule) => rule.from === from.version)
  );
}

/** Old names to new ones. Steps of renamed slots follow them, as does the question for another item of a renamed list. */
export class Renames {
  /** The rule of the newer version for conversations of the older one, where it has one. */
  readonly rule: Migration | undefined;
  private readonly versions: Versions;
  private readonly derived = new Map<string, string>();

  constructor(versions: Versions) {
    const { from, model, older } = versions;
    this.versions = versions;
    this.rule = migrationFor(model.ast, from);
    for (const [old, { step }] of older?.repeats.lists ?? []) {
      const now = model.repeats.lists.get(this.rule?.rename?.[old] ?? old)?.step;
      if (!step.more || !now?.more) continue;
      this.derived.set(step.more.slot, now.more.slot);
      this.derived.set(step.more.id, now.more.id);
      this.derived.set(step.id, now.id);
    }
  }

  /** Undefined for a slot whose answers are dropped. */
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
    const { older, model } = this.versions;
    const before = older?.kind(slot)?.name;
    if (typeof value !== "number" || before === undefined) return true;
    return before === model.kind(name)?.name || this.rule?.map?.[slot] !== undefined;
  }
}
