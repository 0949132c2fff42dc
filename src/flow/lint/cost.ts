/** `cost/`: what a conversation costs, for each outcome, and how large the flow and its answers get. */
import type { Ast, Block } from "../ast/ast.ts";
import type { Vocabulary } from "../authoring/vocabulary.ts";
import { kindOf } from "../machine/steps.ts";
import type { Counter, Way } from "../steps/step-kind.ts";
import type { LintContext, LintRule, Neighbours } from "./context.ts";

/** Of 1,000 calls a month, what one request of a new customer may use, the other side included. */
const CALLS = 20;
/** The dearest single operation that a conversation is made for costs 19.00 BRL. */
const BRL = 20;
const MAX_STEPS = 150;
const MAX_AST = 64 * 1_024;
const MAX_CONTEXT = 16 * 1_024;
/** Flows inside flows are counted this deep. */
const MAX_DEPTH = 4;

/** Calls of the messaging plan and BRL of credits from the first word to an outcome; ways back are counted once. */
export interface Cost {
  readonly outcome: string;
  readonly calls: readonly [least: number, most: number];
  readonly brl: readonly [least: number, most: number];
}

type World = { readonly words: Vocabulary; readonly flows: Neighbours };

/** What a flow costs, by outcome. Answers that are misunderstood and people who ask for help come on top. */
export function costsOf(ast: Pick<Ast, "steps">, world: World, depth = 0): Cost[] {
  const ends = new Map<string, Way>();
  const counter = new WayCounter(world, ends, depth);
  const rest = counter.block(ast.steps, [{ words: false, calls: [0, 0], brl: [0, 0] }]);
  for (const way of rest) counter.end("done", way);
  return [...ends].map(([outcome, { calls, brl }]) => ({ outcome, calls, brl }));
}

const span = (a: readonly [number, number], b: readonly [number, number]): [number, number] => [
  Math.min(a[0], b[0]),
  Math.max(a[1], b[1]),
];

class WayCounter implements Counter {
  private readonly flows: Neighbours;
  private readonly ends: Map<string, Way>;
  private readonly depth: number;
  readonly words: Vocabulary;
  readonly asked = asked;
  readonly sent = sent;
  readonly plus = plus;

  constructor({ words, flows }: World, ends: Map<string, Way>, depth: number) {
    this.words = words;
    this.flows = flows;
    this.ends = ends;
    this.depth = depth;
  }

  block(block: Block, ways: readonly Way[]): readonly Way[] {
    return block.reduce<readonly Way[]>(
      (now, step) => joined(now.flatMap((way) => kindOf(step).cost(step, way, this))),
      ways,
    );
  }

  branches(blocks: readonly Block[], way: Way): readonly Way[] {
    return blocks.length === 0 ? [way] : blocks.flatMap((block) => this.block(block, [way]));
  }

  end(outcome: string, way: Way): void {
    const whole = sent(way);
    const before = this.ends.get(outcome);
    this.ends.set(outcome, before ? merged(before, whole) : whole);
  }

  through(flow: string, way: Way, announced = 0): Way {
    const ast = this.depth < MAX_DEPTH ? this.flows.get(flow) : undefined;
    const world = { words: this.words, flows: this.flows };
    const [first, ...more] = ast ? costsOf(ast, world, this.depth + 1) : [];
    if (!first) return plus(way, announced);
    const whole = more.reduce(
      (all, { calls, brl }) => ({ calls: span(all.calls, calls), brl: span(all.brl, brl) }),
      { calls: first.calls, brl: first.brl },
    );
    return { words: false, calls: sum(way.calls, whole.calls), brl: sum(way.brl, whole.brl) };
  }
}

function sum(a: Way["calls"], b: Way["calls"]): Way["calls"] {
  return [a[0] + b[0], a[1] + b[1]];
}
function plus(way: Way, calls: number, brl = 0): Way {
  return { ...way, calls: sum(way.calls, [calls, calls]), brl: sum(way.brl, [brl, brl]) };
}
/** A question takes the words before it into its message. */
function asked(way: Way): Way {
  return { ...plus(way, 1), words: false };
}
function sent(way: Way): Way {
  return way.words ? asked(way) : way;
}
function merged(a: Way, b: Way): Way {
  return { words: a.words, calls: span(a.calls, b.calls), brl: span(a.brl, b.brl) };
}
/** At most two ways go on: with words waiting, and without. */
function joined(ways: readonly Way[]): readonly Way[] {
  return [true, false].flatMap((words) => {
    const [first, ...more] = ways.filter((way) => way.words === words);
    return first ? [more.reduce(merged, first)] : [];
  });
}

export const costRules: LintRule = (context) => {
  budget(context);
  weight(context);
};

function budget(context: LintContext): void {
  const { ast, found } = context;
  const { calls: most = CALLS, brl: limit = BRL } = ast.budget ?? {};
  for (const { outcome, calls, brl } of costsOf(ast, context)) {
    const until = `Until ${outcome} it`;
    if (calls[0] > most)
      found(
        "cost/calls",
        `${until} takes ${calls[0]} calls of the plan or more; its budget is ${most}.`,
      );
    if (brl[1] > limit)
      found(
        "cost/price",
        `${until} may cost R$ ${brl[1].toFixed(2)}; its budget is R$ ${limit.toFixed(2)}.`,
      );
  }
}

function weight({ ast, model, places, found }: LintContext): void {
  const { length } = places;
  if (length > MAX_STEPS)
    found("cost/walk-too-long", `It has ${length} steps; ${MAX_STEPS} are walked in time.`);
  const size = JSON.stringify(ast).length;
  if (size > MAX_AST) found("cost/too-big", `It has ${size} bytes, at most ${MAX_AST}.`);
  const answers = Object.entries(ast.slots).reduce((sum, [slot, { kind, params }]) => {
    const max = kind === "text" || kind === "name" ? params?.["max"] : undefined;
    const longest = typeof max === "number" ? max : (model.kind(slot)?.longest.length ?? 0);
    return sum + slot.length + longest;
  }, 0);
  if (answers > MAX_CONTEXT) {
    const kept = `at most ${MAX_CONTEXT} are kept for a conversation`;
    found("cost/too-big", `Its answers can take ${answers} bytes, ${kept}.`);
  }
}
