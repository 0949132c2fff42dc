/** Which values that come in a flow takes. Pure. */
import type { Json, JsonObject } from "../base/index.ts";
import type { ProgramContext } from "../engine/index.ts";
import type { Facts } from "./facts.ts";
import type { Model } from "./model.ts";
import type { Speaker } from "./speaker.ts";

interface Place {
  readonly model: Model;
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

function fits({ model, speaker, facts, context }: Place, slot: string, value: Json): boolean {
  const { params, options } = speaker.kindContext(facts, slot, context);
  if (options.length > 0) return options.some((option) => option.id === value);
  return model.accepts(slot, value, params);
}
