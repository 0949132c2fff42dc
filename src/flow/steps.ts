/**
 * The one table of step kinds, and the walks over a flow that everything else is made of.
 */
import { refs, type Expr } from "./expression.ts";
import type { AskStep, Ast, Block, ChooseStep, Step } from "./ast.ts";

export interface StepKind {
  /** Whether a conversation can stand still here. */
  readonly rests: boolean;
  /** How outcomes are named, when the step has branches by outcome. */
  readonly branches: boolean;
  readonly doc: string;
}

export const STEP_KINDS = {
  say: { rests: false, branches: false, doc: "Says a text once per set of its variables." },
  ask: { rests: true, branches: false, doc: "Asks for one slot." },
  form: { rests: false, branches: false, doc: "Several asks, one group on the chart." },
  choose: { rests: true, branches: true, doc: "A menu: one branch per option." },
  confirm: { rests: true, branches: false, doc: "Shows answers and wants a yes to exactly them." },
  effect: { rests: true, branches: true, doc: "Has something done, once per input." },
  when: { rests: false, branches: false, doc: "Goes one way or the other." },
  goto: { rests: false, branches: false, doc: "Goes on elsewhere." },
  subflow: { rests: true, branches: true, doc: "Runs another flow with the same person." },
  notify: { rests: true, branches: true, doc: "Asks somebody else by another flow." },
  wait: { rests: true, branches: true, doc: "Waits for something from outside." },
  handoff: { rests: true, branches: false, doc: "A person takes over; goes on when given back." },
  end: { rests: false, branches: false, doc: "Ends the flow with an outcome." },
} as const satisfies Record<Step["t"], StepKind>;

/** Blocks directly inside a step, with what leads into each. */
export function blocksOf(step: Step): { readonly name: string; readonly block: Block }[] {
  switch (step.t) {
    case "form":
      return [{ name: "asks", block: step.asks }];
    case "when":
      return [
        { name: "then", block: step.then },
        ...(step.else ? [{ name: "else", block: step.else }] : []),
      ];
    case "choose":
      return named(step.branches);
    case "effect":
    case "subflow":
    case "notify":
    case "wait":
      return named(step.on);
    case "confirm":
      return step.no ? [{ name: "no", block: step.no }] : [];
    case "say":
    case "ask":
    case "goto":
    case "handoff":
    case "end":
      return [];
  }
}

function named(branches: { readonly [name: string]: Block }): { name: string; block: Block }[] {
  return Object.entries(branches).map(([name, block]) => ({ name, block }));
}

/** Override blocks of a step's repair. */
export function repairBlocks(step: Step): { readonly name: string; readonly block: Block }[] {
  const repair = "repair" in step ? step.repair : undefined;
  return Object.entries(repair ?? {}).flatMap(([name, rule]) =>
    typeof rule === "string" ? [] : [{ name, block: rule }],
  );
}

/** Every step in order, parents before what is inside them, with the conditions and the group it stands under. */
export interface Placed {
  readonly step: Step;
  readonly under: readonly Expr[];
  readonly group?: string;
  readonly parent?: Step;
}

export function placed(ast: Ast): Placed[] {
  const list: Placed[] = [];
  const visit = (block: Block, under: readonly Expr[], group?: string, parent?: Step): void => {
    for (const step of block) {
      list.push({ step, under, ...(group ? { group } : {}), ...(parent ? { parent } : {}) });
      for (const inner of blocksOf(step))
        visit(
          inner.block,
          [...under, ...conditionOf(step, inner.name)],
          step.t === "form" ? step.id : group,
          step,
        );
      for (const inner of repairBlocks(step)) visit(inner.block, under, group, step);
    }
  };
  visit(ast.steps, []);
  for (const rule of Object.values(ast.policy.repair ?? {}))
    if (typeof rule !== "string") visit(rule, []);
  return list;
}

/** The condition that leads from a step into one of its blocks. */
function conditionOf(step: Step, name: string): Expr[] {
  if (step.t === "when") return [name === "then" ? step.if : { not: step.if }];
  if (step.t === "choose") return [{ cmp: "==", l: { ref: step.slot }, r: { val: name } }];
  if (step.t === "effect" || step.t === "subflow" || step.t === "notify" || step.t === "wait")
    return [{ cmp: "==", l: { ref: `${step.id}.outcome` }, r: { val: name } }];
  return [];
}

export function eachStep(ast: Ast): Step[] {
  return placed(ast).map((entry) => entry.step);
}

export function isAsk(step: Step): step is AskStep | ChooseStep {
  return step.t === "ask" || step.t === "choose";
}

/** Expressions a step itself reads (not those of steps inside it). */
export function expressionsOf(step: Step): Expr[] {
  switch (step.t) {
    case "say":
      return [...Object.values(step.vars ?? {}), ...(step.media ? [step.media] : [])];
    case "ask":
      return [
        ...(step.options ? [{ ref: step.options.from }] : []),
        ...(step.from ?? []).map((slot) => ({ ref: slot })),
      ];
    case "effect":
    case "subflow":
      return Object.values(step.input);
    case "notify":
      return [step.to, ...Object.values(step.input)];
    case "when":
      return [step.if];
    case "goto":
      return step.clear && "ref" in step.clear ? [{ ref: step.clear.ref }] : [];
    case "end":
      return Object.values(step.output ?? {});
    case "confirm":
      return step.show.map((slot) => ({ ref: slot }));
    case "form":
    case "choose":
    case "wait":
    case "handoff":
      return [];
  }
}

/** Every path the flow reads, wherever. */
export function allRefs(ast: Ast): Set<string> {
  const found = new Set<string>();
  for (const step of eachStep(ast))
    for (const expr of expressionsOf(step)) for (const path of refs(expr)) found.add(path);
  for (const slot of Object.values(ast.slots))
    for (const param of Object.values(slot.params ?? {}))
      if (typeof param === "string" && /^(account|contact|input)\./.test(param)) found.add(param);
  return found;
}
