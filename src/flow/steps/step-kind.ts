/**
 * What a kind of step is to the flow kit: how it is written, what it reads and holds, its states, what it demands, what it
 * costs, and where a conversation waits at it. One file of this folder is one kind; `machine/steps.ts` lists them.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type { Demand, FlowEvent } from "../../engine/index.ts";
import type { AskStep, Block, ChooseStep, Repair, SlotDef, Step } from "../ast/ast.ts";
import type { Expr } from "../ast/expression.ts";
import type { Bag, Making } from "../authoring/making.ts";
import type { Vocabulary } from "../authoring/vocabulary.ts";
import type { StateConfig } from "../machine/config.ts";
import type { Facts } from "../moves/facts.ts";
import type { Field, Fields } from "../yaml/shape.ts";

export interface StepKind<S extends Step> {
  /** Whether a conversation can stand still here. */
  readonly rests: boolean;
  /** The methods of the kit that make it. */
  readonly methods: { readonly [name: string]: Method };
  /** The first argument of its method: a `flow.ts` is searched for it, and charts show it. Without it the id. */
  name?(step: S): string;
  /** Blocks directly inside it, with what leads into each. */
  blocks?(step: S): readonly NamedBlock[];
  /** The condition that leads into one of its blocks. */
  under?(step: S, block: string): readonly Expr[];
  /** Expressions it reads itself; those of the steps inside are theirs. */
  reads?(step: S): readonly Expr[];
  /** The step with its inner blocks linked, and with the inputs that the author left out. Its repair is linked besides. */
  link?(step: S, linker: Linker): S;
  /** What it is bound to: it counts as passed only for the content it was passed with. */
  content?(step: S, model: Model, facts: Facts): JsonObject;
  /** Its state, which leads to the state `next`; the id of another where it has none of its own. */
  state(step: S, next: string, states: States): BareState | string;
  /** What the engine shall begin when the step is come to. */
  demand?(step: S, begun: Begun): Demand;
  /** Its outcomes, where every step of this kind has the same. */
  readonly outcomes?: readonly string[];
  /** Whether every way through it ends, goes elsewhere, or is handed to a person. */
  closes?(step: S, closes: (block: Block) => boolean): boolean;
  /** The ways that go on behind it, with what they cost so far. */
  cost(step: S, way: Way, counter: Counter): readonly Way[];
  /** Where a conversation waits at it or inside it, by its facts alone; null where it is passed. */
  place(step: S, reading: Reading): string | null;
  /** Sample events that are possible while it waits: an answer of each sort, each outcome. */
  events?(step: S, trial: Trial): readonly FlowEvent[];
}

export interface NamedBlock {
  readonly name: string;
  readonly block: Block;
}

/** A method of the kit. YAML writes the first argument behind the method's name, and the options as keys beside it. */
export interface Method {
  readonly main: Field;
  readonly fields: Fields;
  make(making: Making, ...args: readonly unknown[]): unknown;
  /** The arguments as TypeScript has them, of those of YAML. Without it the first one and the options. */
  args?(main: unknown, options: Bag): readonly unknown[];
}

/** Links what stands inside a step. */
export interface Linker {
  readonly words: Vocabulary;
  block(block: Block): Block;
  blocks(named: { readonly [name: string]: Block }): { readonly [name: string]: Block };
  /** An input with the slots of these names added, as far as it does not name them. */
  fill(input: Inputs, names: readonly string[]): Inputs;
  /** What a flow takes, by name. */
  inputOf(flow: string): readonly string[];
  readonly repair: (one: { readonly repair?: Repair }) => { readonly repair?: Repair };
  /** Adds a slot that the kit itself asks for. */
  slot(name: string, def: SlotDef): void;
}
export type Inputs = { readonly [name: string]: Expr };

/** What a step asks of the flow it stands in, for the facts of one conversation. */
export interface Model {
  readonly words: Vocabulary;
  /** Every step in order. */
  readonly places: readonly { readonly step: Step }[];
  value(facts: Facts, expr: Expr): Json | undefined;
  holds(facts: Facts, expr: Expr): boolean;
  resolve(facts: Facts, input: Inputs): JsonObject;
  /** Live answers by slot. */
  shown(facts: Facts, slots: readonly string[]): JsonObject;
  /** Whether a slot is only a part of a list, or its question. */
  isPart(slot: string): boolean;
  isFilled(facts: Facts, step: AskStep | ChooseStep): boolean;
  isOptional(step: AskStep | ChooseStep): boolean;
  liveSlots(facts: Facts): readonly string[];
  /** How a step ended for exactly what it would be asked now. */
  settled(facts: Facts, step: Step): string | undefined;
}

export type BareState = Omit<StateConfig, "meta">;

/** Builds the states of a flow, each block from its end. */
export interface States {
  /** The target of an edge that leads to a state. */
  to(id: string): string;
  /** Builds the states of a block; the answer is where it begins. `group`: the step it is drawn inside. */
  block(block: Block, next: string, group?: string): string;
  /** Adds the state of a step, with the step's own repair. */
  add(step: Step, state: BareState, group?: string): void;
  /** Adds a state that is no step's own. */
  addBeside(id: string, state: StateConfig): void;
  /** What happens to the answer that is one too many, where the step says it. */
  onMax(step: AskStep | ChooseStep, next: string): BareState;
  step(id: string): Step | undefined;
  /** Ids of a step and of all that come after it; in a jump back those are forgotten. */
  from(id: string): readonly string[];
}

/** A step that is come to, for the demand it makes. */
export interface Begun {
  readonly model: Model;
  readonly facts: Facts;
  readonly head: { readonly step: string; readonly for: string };
  /** Milliseconds of a duration: business hours are those of the account. */
  readonly span: (text: string | undefined) => number | undefined;
}

/** A way through a flow: whether words wait for their message, and the least and most it cost so far. */
export interface Way {
  readonly words: boolean;
  /** Calls of the messaging plan. */
  readonly calls: Range;
  /** Credits in BRL. */
  readonly brl: Range;
}
type Range = readonly [least: number, most: number];

export interface Counter {
  readonly words: Vocabulary;
  block(block: Block, ways: readonly Way[]): readonly Way[];
  /** The ways through each of these blocks; without any, the way itself. */
  branches(blocks: readonly Block[], way: Way): readonly Way[];
  /** The way behind a question, which takes the words before it into its message. */
  readonly asked: (way: Way) => Way;
  /** The way once the words that wait are sent. */
  sent(way: Way): Way;
  plus(way: Way, calls: number, brl?: number): Way;
  /** The way behind another flow; `announced`: calls where nothing is known of it. */
  through(flow: string, way: Way, announced?: number): Way;
  end(outcome: string, way: Way): void;
}

/** Reads a flow as its author wrote it, to find where its facts lead. The compiled machine has no part in it. */
export interface Reading {
  readonly model: Model;
  readonly facts: Facts;
  /** The place in this block, null when it is passed whole. */
  readonly block: (block: Block) => string | null;
  say(id: string): void;
  jump(to: string): never;
  /** The place at or inside a step that ends by an outcome: the block behind the outcome, or the place itself. */
  settled(step: Step, branch: (outcome: string) => Block | string): string | null;
}

/** A conversation that waits at a step, to be tried with everything that may happen there. */
export interface Trial {
  readonly model: Model;
  readonly facts: Facts;
  /** Sample answers of a slot. */
  readonly answers: (slot: string) => readonly Json[];
  /** Sample results of a step. */
  readonly results: (step: string) => readonly JsonObject[];
  /** Outcomes that the compiled state takes. */
  readonly taken: readonly string[];
}
