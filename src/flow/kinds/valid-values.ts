/** Which incoming values a flow accepts, and what is wrong with the others. Pure. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { ProgramContext } from "../../engine/index.ts";
import type { Facts } from "../moves/facts.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import type { Speaker } from "../texts/speaker.ts";

interface Place {
  readonly model: FlowIndex;
  readonly speaker: Speaker;
  readonly facts: Facts;
  readonly context: ProgramContext;
}

/** The values that are known slots and fit their kinds. Null (skipped) only for optional slots. */
export function validOf(at: Place, values: JsonObject): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [slot, value] of Object.entries(values)) {
    if (value === undefined || !Object.hasOwn(at.model.ast.slots, slot)) continue;
    if (value === null ? at.model.maySkip(slot) : fits(at, slot, value)) kept[slot] = value;
  }
  return kept;
}

/** Why a slot does not take these values, where its kind can say it. The person who gave them gets the reason. */
export function unfitOf(at: Place, values: JsonObject): Record<string, string> {
  const { model, speaker, facts, context } = at;
  return Object.fromEntries(
    Object.entries(values).flatMap(([slot, value]) => {
      if (value === undefined || value === null || !model.asks.has(slot) || fits(at, slot, value))
        return [];
      const { params } = speaker.kindContext(facts, slot, context);
      const hint = model.kind(slot)?.unfit?.(value, params);
      return hint === undefined ? [] : [[slot, hint]];
    }),
  );
}

function fits({ model, speaker, facts, context }: Place, slot: string, value: Json): boolean {
  const { params, options } = speaker.kindContext(facts, slot, context);
  if (options.length > 0) return options.some((option) => option.id === value);
  return model.accepts(slot, value, params);
}
