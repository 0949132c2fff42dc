/**
 * The one table of step kinds, and the walks over a flow that everything else is made of.
 */
import { refs, type Expr } from "../ast/expression.ts";
import type { AskStep, Ast, Block, ChooseStep, Repair, RepeatStep, Step } from "../ast/ast.ts";
import { ask, form } from "../steps/ask.ts";
import { choose } from "../steps/choose.ts";
import { confirm } from "../steps/confirm.ts";
import { effect } from "../steps/effect.ts";
import { end } from "../steps/end.ts";
import { goto } from "../steps/goto.ts";
import { handoff } from "../steps/handoff.ts";
import { notify } from "../steps/notify.ts";
import { repeat } from "../steps/repeat.ts";
import { say } from "../steps/say.ts";
import type { Method, NamedBlock, StepKind } from "../steps/step-kind.ts";
import { subflow } from "../steps/subflow.ts";
import { wait } from "../steps/wait.ts";
import { when } from "../steps/when.ts";

export const STEP_KINDS: { readonly [T in Step["t"]]: StepKind<Extract<Step, { t: T }>> } = {
  say,
  ask,
  form,
  choose,
  confirm,
  repeat,
  effect,
  when,
  goto,
  subflow,
  notify,
  wait,
  handoff,
  end,
};

/** What a step's kind is: every other part of the kit asks it here. */
export function kindOf<S extends Step>(step: S): StepKind<S> {
  return STEP_KINDS[step.t] as unknown as StepKind<S>;
}

/** The methods of the kit, by name; YAML has each of them. */
export const METHODS: { readonly [name: string]: Method } = Object.fromEntries(
  Object.values(STEP_KINDS).flatMap(({ methods }) => Object.entries(methods)),
);

/** Blocks directly inside a step, with what leads into each. */
export function blocksOf(step: Step): readonly NamedBlock[] {
  return kindOf(step).blocks?.(step) ?? [];
}

/** Expressions a step itself reads (not those of steps inside it). */
export function expressionsOf(step: Step): readonly Expr[] {
  return kindOf(step).reads?.(step) ?? [];
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
        visit(inner.block, [...under, ...(kindOf(step).under?.(step, inner.name) ?? [])], {
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

export function eachStep(ast: Ast): Step[] {
  return placed(ast).map((entry) => entry.step);
}

export function isAsk(step: Step): step is AskStep | ChooseStep {
  return step.t === "ask" || step.t === "choose";
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
