/**
 * The answers that a completed call depends on, for calls that cost money or cannot be undone. They can no longer be
 * changed, because the same call would be confirmed and sent a second time. Only the flow itself can go back before such a
 * call.
 */
import { canonicalJson, type Json } from "../../base/index.ts";
import { refs } from "../ast/expression.ts";
import type { Facts } from "./facts.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import type { MachineEvent } from "./move.ts";
import { expressionsOf, isAsk } from "../machine/steps.ts";

type Slots = ReadonlySet<string>;

/** For each call that counts, the answers it depends on. Made once for a version of a flow. */
const hangingOn = new WeakMap<FlowIndex, ReadonlyMap<string, Slots>>();

/** Slots that a completed call depends on, when the flow has not gone back before that call. */
export function carriedOut(model: FlowIndex, facts: Facts): Slots {
  const calls = callsOf(model);
  const done = [...calls].filter(([id]) => facts.done[id]?.is === "done");
  return new Set(done.flatMap(([, slots]) => [...slots]));
}

/** Whether one of them came behind this step: what was said yes to there was done. */
export function isCarriedOutSince(model: FlowIndex, facts: Facts, step: string): boolean {
  const from = model.ast.machine ? 0 : model.places.findIndex((place) => place.step.id === step);
  return model.places
    .slice(from)
    .some(({ step: { id } }) => callsOf(model).has(id) && facts.done[id]?.is === "done");
}

/** Whether what somebody says now would change what was carried out. The same answer again changes nothing. */
export function isChangeTooLate(model: FlowIndex, facts: Facts, event: MachineEvent): boolean {
  const { slots = [], values = {} } = event;
  const changed = Object.entries(values).filter(([slot, value]) =>
    differ(facts.slots[slot], value),
  );
  const named = [...slots, ...changed.map(([slot]) => slot)];
  if (named.length === 0) return false;
  const fixed = carriedOut(model, facts);
  return named.some((slot) => fixed.has(slot));
}

export function differ(before: Json | undefined, now: Json | undefined): boolean {
  return canonicalJson(before ?? null) !== canonicalJson(now ?? null);
}

/** Whether a call that counts was carried out for what is known now. */
export function isSent(model: FlowIndex, facts: Facts): boolean {
  return model.places.some(
    ({ step }) => model.isSealing(step) && model.settled(facts, step) === "done",
  );
}

function callsOf(model: FlowIndex): ReadonlyMap<string, Slots> {
  let calls = hangingOn.get(model);
  if (!calls) {
    const sealing = model.places.filter(({ step }) => model.isSealing(step));
    calls = new Map(sealing.map(({ step }) => [step.id, hangsOn(model, step.id)]));
    hangingOn.set(model, calls);
  }
  return calls;
}

/** Whatever the way to a call reads: what it takes, what was shown and approved before it, and where the way parted. */
function hangsOn(model: FlowIndex, call: string): Slots {
  const index = model.places.findIndex(({ step }) => step.id === call);
  // The steps of a machine made by hand stand in no order.
  const before = model.ast.machine ? model.places : model.places.slice(0, index + 1);
  const slots = new Set<string>();
  for (const [place, { step }] of before.entries()) {
    // What was only told on the way is told again at worst.
    if (step.t === "say" || step.t === "end") continue;
    const heads = expressionsOf(step)
      .flatMap(refs)
      .map((path) => path.split(".")[0] ?? "");
    for (const head of heads) if (Object.hasOwn(model.ast.slots, head)) slots.add(head);
    if (step.t === "choose") slots.add(step.slot);
    // A yes of somebody else is one to everything that was answered until then.
    if (step.t === "notify")
      for (const { step: one } of before.slice(0, place)) if (isAsk(one)) slots.add(one.slot);
  }
  for (const [list, repeat] of model.repeats.lists)
    if (slots.has(list) || repeat.slots.some((slot) => slots.has(slot)))
      for (const slot of [list, ...repeat.slots, repeat.step.more?.slot ?? ""]) slots.add(slot);
  return slots;
}
