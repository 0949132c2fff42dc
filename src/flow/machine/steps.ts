/**
 * The one table of step kinds, and the walks over a flow that everything else is made of.
 */
import { refs, type Expr } from "../ast/expression.ts";
import type { AskStep, Ast, Block, ChooseStep, Repair, RepeatStep, Step } from "../ast/ast.ts";

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
  repeat: { rests: false, branches: false, doc: "Asks the same for each item of a list." },
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
    case "repeat":
      return [
        { name: "of", block: step.of },
        ...(step.more ? [{ name: "more", block: [step.more] }] : []),
      ];
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

/** The overrides of repair of a flow, with the step that has them; without one those of the whole flow. */
export function repairsOf(ast: Ast): { readonly repair: Repair; readonly step?: Step }[] {
  const own = eachStep(ast).flatMap((step) =>
    "repair" in step && step.repair ? [{ repair: step.repair, step }] : [],
  );
  return ast.policy.repair ? [{ repair: ast.policy.repair }, ...own] : own;
}

/** Every step in order, parents before what is inside them, with the conditions and the group it stands under. */
export interface Placed {
  readonly step: Step;
  readonly under: readonly Expr[];
  readonly group?: string;
  readonly parent?: Step;
  /** The list whose items it asks about. */
  readonly repeat?: RepeatStep;
}

export function placed(ast: Ast): Placed[] {
  const list: Placed[] = [];
  const visit = (block: Block, under: readonly Expr[], around: Omit<Placed, "step" | "under">) => {
    for (const step of block) {
      list.push({ step, under, ...around });
      const grouped = step.t === "form" || step.t === "repeat" ? { group: step.id } : {};
      for (const inner of blocksOf(step))
        visit(inner.block, [...under, ...conditionOf(step, inner.name)], {
          ...around,
          ...grouped,
          ...(step.t === "repeat" && inner.name === "of" ? { repeat: step } : {}),
          parent: step,
        });
      for (const inner of repairBlocks(step))
        visit(inner.block, under, { ...around, parent: step });
    }
  };
  visit(ast.steps, [], {});
  for (const rule of Object.values(ast.policy.repair ?? {}))
    if (typeof rule !== "string") visit(rule, [], {});
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
      return [
        ...Object.values(step.vars ?? {}),
        ...(step.media ? [step.media] : []),
        ...(step.location ? [step.location] : []),
      ];
    case "ask":
      return [
        ...(step.options ? [{ ref: step.options.from }] : []),
        ...(step.from ?? []).map((path) => ({ ref: path })),
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
    case "wait":
      return step.where ? [step.where] : [];
    case "form":
    case "choose":
    case "repeat":
    case "handoff":
      return [];
  }
}

/** Numbers and durations of a step that may stand in the account instead. */
function amountsOf(step: Step): (string | number | undefined)[] {
  const quiet = "quiet" in step ? [step.quiet?.nudge, step.quiet?.expire] : [];
  const within = "within" in step ? [step.within] : [];
  const remind = "remind" in step ? [step.remind] : [];
  return [...quiet, ...within, ...remind, ...("max" in step ? [step.max] : [])];
}

const SURROUNDING = /^(?:account|contact|input)\./;

/** Whether a value is the path of one: a limit that the account, the contact or the caller sets. */
export function isPath(value: unknown): value is `${"account" | "contact" | "input"}.${string}` {
  return typeof value === "string" && SURROUNDING.test(value);
}

/** Every path the flow reads, wherever. */
export function allRefs(ast: Ast): Set<string> {
  const found = new Set<string>();
  for (const step of eachStep(ast))
    for (const expr of expressionsOf(step)) for (const path of refs(expr)) found.add(path);
  const { policy } = ast;
  const written = [
    ...Object.values(ast.slots).flatMap((slot) => Object.values(slot.params ?? {})),
    policy.max,
    policy.quiet?.nudge,
    policy.quiet?.expire,
    ...eachStep(ast).flatMap(amountsOf),
  ];
  for (const one of written) if (isPath(one)) found.add(one);
  // A duration in business hours, written or to be read, needs to know them, and by which zone they are.
  if (written.some((one) => typeof one === "string" && (/b[hd]$/.test(one) || isPath(one))))
    for (const path of ["account.hours", "account.zone"]) found.add(path);
  return found;
}
