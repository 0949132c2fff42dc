/** Adds answers to the facts, and records what is wrong with answers that came before their question. Pure. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { Facts } from "./facts.ts";
import { type FlowIndex, unfitMark } from "../machine/flow-index.ts";
import type { MachineEvent } from "./move.ts";

/** Facts with values put in: consumed focus, digests of the context of dependent answers. */
export function taken(model: FlowIndex, facts: Facts, values: JsonObject): Facts {
  const slots: Record<string, Json> = { ...facts.slots };
  for (const [slot, value] of Object.entries(values)) if (value !== undefined) slots[slot] = value;
  const given = Object.keys(values);
  const next: Facts = {
    ...facts,
    slots,
    focus: facts.focus.filter((slot) => !given.includes(slot)),
    tries: 0,
    offer: [],
  };
  let marks: Record<string, string> | undefined;
  for (const slot of given) {
    if (Object.hasOwn(facts.marks, unfitMark(slot)))
      delete (marks ??= { ...facts.marks })[unfitMark(slot)];
    for (const { step } of model.asks.get(slot) ?? [])
      if (step.t === "ask" && step.from)
        (marks ??= { ...facts.marks })[slot] = model.stamp(next, step);
  }
  return marks ? { ...next, marks } : next;
}

/** Values that came in, and what was wrong with those that did not. */
export function takenWith(model: FlowIndex, facts: Facts, event: MachineEvent): Facts {
  const next = taken(model, facts, event.values ?? {});
  const unfit = Object.entries(event.unfit ?? {}).filter(
    ([slot]) => !Object.hasOwn(next.slots, slot),
  );
  if (unfit.length === 0) return next;
  const marks = Object.fromEntries(unfit.map(([slot, hint]) => [unfitMark(slot), hint]));
  return { ...next, marks: { ...next.marks, ...marks } };
}
