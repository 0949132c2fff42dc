/** Where a flow rests and what it waits for: all that turning a message into an event needs. */
import type { Choice, Expectation, ExpectedSlot, ProgramContext } from "../engine/index.ts";
import type { AskStep, ChooseStep, Step } from "./ast.ts";
import type { Facts } from "./facts.ts";
import type { Model } from "./model.ts";
import type { Speaker } from "./speaker.ts";
import { isAsk } from "./steps.ts";

export function expectation(
  model: Model,
  speaker: Speaker,
  value: string,
  facts: Facts,
  context: ProgramContext,
): Expectation {
  const step = model.steps.get(facts.at);
  if (value.startsWith("ended-") || !step)
    return { step: value, rests: "ended", slots: [], sealed: false, optional: false };
  const asked = isAsk(step) ? step : undefined;
  const choices = choicesOf(speaker, step, facts, context);
  let slots: ExpectedSlot[] | undefined;
  return {
    step: step.id,
    rests: step.t as Expectation["rests"],
    ...(asked ? { slot: asked.slot } : {}),
    ...(choices.length > 0 ? { choices } : {}),
    ...(step.t === "confirm" && step.word !== undefined ? { word: step.word } : {}),
    // Made when asked for: most who ask where a flow rests want no more than that.
    get slots() {
      return (slots ??= slotsOf(step, model, facts).map((slot) =>
        expected(model, speaker, facts, slot, context),
      ));
    },
    sealed: facts.sealed !== null,
    optional: asked !== undefined && model.isOptional(asked),
  };
}

/** Live slots; a confirm that names what may be edited offers no other. */
function slotsOf(step: Step, model: Model, facts: Facts): string[] {
  const live = model.liveSlots(facts);
  const edit = step.t === "confirm" ? step.edit : undefined;
  return edit ? live.filter((slot) => edit.includes(slot)) : live;
}

function choicesOf(
  speaker: Speaker,
  step: Step,
  facts: Facts,
  context: ProgramContext,
): readonly Choice[] {
  if (facts.offer.length > 0) return facts.offer;
  if (isAsk(step))
    return speaker.choices(facts, (step satisfies AskStep | ChooseStep).slot, context);
  return step.t === "confirm" ? speaker.confirmChoices(step, facts, context) : [];
}

function expected(
  model: Model,
  speaker: Speaker,
  facts: Facts,
  slot: string,
  context: ProgramContext,
): ExpectedSlot {
  const kind = model.kind(slot);
  const value = facts.slots[slot];
  const secret = model.ast.slots[slot]?.secret === true;
  return {
    name: slot,
    kind: kind?.name ?? "",
    filled: value !== undefined,
    ...(value !== undefined && !secret ? { value } : {}),
    names: speaker.names(slot),
    read: (text: string, at: ProgramContext = context) =>
      kind?.read(text, speaker.kindContext(facts, slot, at)) ?? { ok: false, reason: "absent" },
  };
}
