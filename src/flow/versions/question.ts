/** The current question of a flow in a form that can be compared between two versions. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { ProgramContext } from "../../engine/index.ts";
import type { Facts } from "../moves/facts.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import type { Speaker } from "../texts/speaker.ts";
import { isAsk } from "../machine/steps.ts";

interface Occasion {
  readonly model: FlowIndex;
  readonly speaker: Speaker;
  readonly facts: Facts;
  readonly context: ProgramContext;
}

/** Kinds, options in their order, and the values shown; neither words nor names. */
export function question({ model, speaker, facts, context }: Occasion): string {
  const step = model.steps.get(facts.at);
  const kind = (slot: string): string => model.kind(slot)?.name ?? "";
  /** A list without what its slots are called. */
  const bare = (slot: string, value: Json): Json => {
    const list = model.repeats.lists.get(slot);
    if (!list || !Array.isArray(value)) return value;
    const rows = value as readonly JsonObject[];
    return rows.map((row) => list.slots.map((name) => row[name] ?? null));
  };
  const shown = (): Json => {
    if (!step) return null;
    if (isAsk(step)) {
      const rows =
        facts.offer.length > 0 ? facts.offer : speaker.choices(facts, step.slot, context);
      return [kind(step.slot), rows.map(({ id }) => id)];
    }
    if (step.t !== "confirm") return null;
    const values = step.show.flatMap((slot): Json[] => {
      const value = model.get(facts, slot);
      return value === undefined ? [] : [[kind(slot), bare(slot, value)]];
    });
    return [step.word ?? null, values];
  };
  return JSON.stringify([step?.t ?? "", shown()]);
}
