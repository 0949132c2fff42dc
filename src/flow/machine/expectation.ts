/**
 * The step at which a flow waits: what it expects there, which values it takes, and its question as far as two versions of it
 * can be compared.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type {
  Choice,
  Content,
  Expectation,
  ExpectedSlot,
  ProgramContext,
  SlotReading,
} from "../../engine/index.ts";
import type { Step } from "../ast/ast.ts";
import { type Facts, likelyMark, unfitMark } from "../moves/facts.ts";
import type { Speaker } from "../texts/speaker.ts";
import type { FlowIndex } from "./flow-index.ts";
import { isAsk } from "./steps.ts";

/** A flow in progress, and the moment it is looked at. */
interface Moment {
  readonly model: FlowIndex;
  readonly speaker: Speaker;
  readonly facts: Facts;
  readonly context: ProgramContext;
}

interface Occasion extends Moment {
  /** Does what the flow's own kinds and texts may throw in; what they throw names file and step. */
  readonly own: <T>(work: () => T) => T;
}

export function expectation(of: Occasion, value: string): Expectation {
  const { model, speaker, facts } = of;
  const step = model.steps.get(facts.at);
  if (value.startsWith("ended-") || !step)
    return { step: value, rests: "ended", slots: [], sealed: false, optional: false };
  const asked = isAsk(step) ? step : undefined;
  const confirm = step.t === "confirm" ? step : undefined;
  const choices = choicesOf(of, step);
  let slots: readonly ExpectedSlot[] | undefined;
  return {
    step: step.id,
    rests: step.t as Expectation["rests"],
    slot: asked?.slot,
    asked: asked && model.isLive(facts, asked.slot) ? new Expected(of, asked.slot) : undefined,
    choices: choices.length > 0 ? choices : undefined,
    word: confirm?.word,
    words: confirm?.word === undefined ? undefined : speaker.confirmWords(confirm),
    nots: confirm && speaker.confirmNots(confirm),
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

function choicesOf({ speaker, facts, context }: Moment, step: Step): readonly Choice[] {
  if (facts.offer.length > 0) return facts.offer;
  if (isAsk(step)) return speaker.choices(facts, step.slot, context);
  return step.t === "confirm" ? speaker.confirmChoices(step, facts, context) : [];
}

/** The current question: kinds, options in their order, and the values shown; neither words nor names. */
export function question(of: Moment): string {
  const { model, facts } = of;
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
    if (isAsk(step)) return [kind(step.slot), choicesOf(of, step).map(({ id }) => id)];
    if (step.t !== "confirm") return null;
    const values = step.show.flatMap((slot): Json[] => {
      const value = model.get(facts, slot);
      return value === undefined ? [] : [[kind(slot), bare(slot, value)]];
    });
    return [step.word ?? null, values];
  };
  return JSON.stringify([step?.t ?? "", shown()]);
}

/** The values that are known slots and fit their kinds. Null (skipped) only for optional slots. */
export function validOf(at: Moment, values: JsonObject): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [slot, value] of Object.entries(values)) {
    if (value === undefined || !Object.hasOwn(at.model.ast.slots, slot)) continue;
    if (value === null ? at.model.maySkip(slot) : fits(at, slot, value)) kept[slot] = value;
  }
  return kept;
}

/** Why a slot does not take these values, where its kind can say it. The person who gave them gets the reason. */
export function unfitOf(at: Moment, values: JsonObject): Record<string, string> {
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

/** What came before its question, as marks: what is wrong with a value, or which one is probably meant. */
export function marksOf(of: Moment, prefill: JsonObject, likely: JsonObject): Facts["marks"] {
  const unfit = Object.entries(unfitOf(of, prefill)).map(([slot, hint]) => [unfitMark(slot), hint]);
  const meant = Object.entries(validOf(of, likely)).map(([slot, value]) => {
    const label = of.speaker.echo(of.facts, slot, value ?? null, of.context);
    // A choice with the value in its id.
    return [likelyMark(slot), JSON.stringify({ id: `=${JSON.stringify(value)}`, label })];
  });
  return Object.fromEntries([...unfit, ...meant]) as Facts["marks"];
}

function fits({ model, speaker, facts, context }: Moment, slot: string, value: Json): boolean {
  const { params, options } = speaker.kindContext(facts, slot, context);
  if (options.length > 0) return options.some((option) => option.id === value);
  return model.accepts(slot, value, params);
}
