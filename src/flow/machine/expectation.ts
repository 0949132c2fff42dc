/** The step at which a flow waits and what it expects there: all that is needed to turn a message into an event. */
import type { Json } from "../../base/index.ts";
import type {
  Choice,
  Content,
  Expectation,
  ExpectedSlot,
  ProgramContext,
  SlotReading,
} from "../../engine/index.ts";
import type { AskStep, ChooseStep, Step } from "../ast/ast.ts";
import type { Facts } from "../moves/facts.ts";
import type { FlowIndex } from "./flow-index.ts";
import type { Speaker } from "../texts/speaker.ts";
import { isAsk } from "./steps.ts";

/** What the parts of one expectation are made from. */
interface Occasion {
  readonly model: FlowIndex;
  readonly speaker: Speaker;
  readonly facts: Facts;
  readonly context: ProgramContext;
  /** Does what the flow's own kinds and texts may throw in; what they throw names file and step. */
  readonly own: <T>(work: () => T) => T;
}

export function expectation(of: Occasion, value: string): Expectation {
  const { model, speaker, facts } = of;
  const step = model.steps.get(facts.at);
  if (value.startsWith("ended-") || !step)
    return { step: value, rests: "ended", slots: [], sealed: false, optional: false };
  const asked = isAsk(step) ? step : undefined;
  const choices = choicesOf(of, step);
  let slots: readonly ExpectedSlot[] | undefined;
  return {
    step: step.id,
    rests: step.t as Expectation["rests"],
    ...(asked ? { slot: asked.slot } : undefined),
    ...(asked && model.isLive(facts, asked.slot)
      ? { asked: new Expected(of, asked.slot) }
      : undefined),
    ...(choices.length > 0 ? { choices } : undefined),
    ...(step.t === "confirm" && step.word !== undefined
      ? { word: step.word, words: speaker.confirmWords(step) }
      : undefined),
    ...(step.t === "confirm" ? { nots: speaker.confirmNots(step) } : undefined),
    // Made when asked for: a plain answer is understood without looking at every other question.
    get slots() {
      return (slots ??= slotsOf(of, step).map((slot) => new Expected(of, slot)));
    },
    named: (line) => named(of, step, line),
    sealed: facts.sealed !== null,
    optional: asked !== undefined && model.isOptional(asked),
  };
}

class Expected implements ExpectedSlot {
  readonly name: string;
  readonly kind: string;
  readonly filled: boolean;
  readonly value: Json | undefined;
  readonly secret: boolean;
  readonly #of: Occasion;

  constructor(of: Occasion, name: string) {
    const { model, facts } = of;
    const value = model.repeats.lists.has(name) ? model.get(facts, name) : facts.slots[name];
    this.name = name;
    this.kind = model.kind(name)?.name ?? "";
    this.filled = value !== undefined;
    this.secret = model.ast.slots[name]?.secret === true;
    this.value = this.secret ? undefined : value;
    this.#of = of;
  }

  get names(): readonly string[] {
    return this.#of.speaker.names.of(this.name);
  }

  take(content: Content, at: ProgramContext = this.#of.context): SlotReading | undefined {
    const { model, speaker, facts, own } = this.#of;
    const kind = model.kind(this.name);
    return own(() => kind?.take?.(content, speaker.kindContext(facts, this.name, at)));
  }

  read(text: string, at: ProgramContext = this.#of.context): SlotReading {
    const { model, speaker, facts, own } = this.#of;
    const kind = model.kind(this.name);
    if (!kind) return { ok: false, reason: "absent" };
    return own(() => kind.read(text, speaker.kindContext(facts, this.name, at)));
  }
}

/** Live slots; a confirm that names what may be edited offers no other. */
function slotsOf({ model, facts }: Occasion, step: Step): string[] {
  const live = model.liveSlots(facts);
  const edit = step.t === "confirm" ? step.edit : undefined;
  return edit ? live.filter((slot) => edit.includes(slot)) : live;
}

function named(of: Occasion, step: Step, line: string): { slot: ExpectedSlot; name: string }[] {
  const edit = step.t === "confirm" ? step.edit : undefined;
  return of.speaker.names
    .within(line)
    .filter(({ slot }) => (edit?.includes(slot) ?? true) && of.model.isLive(of.facts, slot))
    .map(({ slot, name }) => ({ slot: new Expected(of, slot), name }));
}

function choicesOf({ speaker, facts, context }: Occasion, step: Step): readonly Choice[] {
  if (facts.offer.length > 0) return facts.offer;
  if (isAsk(step))
    return speaker.choices(facts, (step satisfies AskStep | ChooseStep).slot, context);
  return step.t === "confirm" ? speaker.confirmChoices(step, facts, context) : [];
}
