/** Flows that begin one another without a question in between. Such a circle would run until it is cut off. */
import type { Block, Step } from "../ast/ast.ts";
import type { Finding } from "../ast/finding.ts";
import { blocksOf } from "../machine/steps.ts";
import { found, type LintContext, type LintRule } from "./context.ts";

export const circleRules: LintRule = (context) => {
  const { flow } = context.ast;
  return openings(context.ast.steps).flatMap(({ id, flow: first }): Finding[] => {
    // A flow inside itself is reported whether it waits or not.
    const way = first === flow ? undefined : wayBack(context, first, flow);
    if (!way) return [];
    const names = [first, ...way].map((name) => `"${name}"`).join(" begins ");
    const message = `"${flow}" begins ${names} again, and nobody is asked anything on the way.`;
    return [found(context, "notify/circle", message, id)];
  });
};

/** The flows that lead from one to another, the shortest way, each begun before anything rests. */
function wayBack(context: LintContext, from: string, to: string): string[] | undefined {
  const before = new Map<string, string | undefined>([[from, undefined]]);
  for (const one of before.keys())
    for (const { flow } of openings(context.flows.get(one)?.steps ?? [])) {
      if (flow === to) return [...lineTo(before, one).slice(1), to];
      if (!before.has(flow)) before.set(flow, one);
    }
  return undefined;
}

function lineTo(before: ReadonlyMap<string, string | undefined>, last: string): string[] {
  const line: string[] = [];
  for (let one: string | undefined = last; one !== undefined; one = before.get(one))
    line.unshift(one);
  return line;
}

type Opening = Extract<Step, { t: "subflow" }>;

/** Subflows that may begin before the flow rests anywhere, whatever its conditions say. */
function openings(steps: Block): Opening[] {
  const found = new Set<Opening>();
  const seen = new Set<string>();
  /** Whether a block can be gone through to its end without a rest. */
  const passes = (block: Block): boolean => {
    for (const step of block) {
      switch (step.t) {
        case "say":
          continue;
        case "when":
          if ([step.then, step.else ?? []].map(passes).includes(true)) continue;
          return false;
        case "subflow":
          found.add(step);
          return false;
        case "goto": {
          const rest = seen.has(step.to) ? undefined : tailOf(steps, step.to);
          seen.add(step.to);
          if (rest) passes(rest);
          return false;
        }
        default:
          return false;
      }
    }
    return true;
  };
  passes(steps);
  return [...found];
}

/** A block from the step of this id on, wherever it stands. */
function tailOf(block: Block, id: string): Block | undefined {
  for (const [index, step] of block.entries()) {
    if (step.id === id) return block.slice(index);
    for (const inner of blocksOf(step)) {
      const tail = tailOf(inner.block, id);
      if (tail) return tail;
    }
  }
  return undefined;
}
