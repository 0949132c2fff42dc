/** What steps have in common that demand something of the world and end by an outcome: effects, other flows, events. */
import type { Block, PendingStep } from "../ast/ast.ts";
import { type EdgeConfig, guard, type GuardConfig, move } from "../machine/config.ts";
import type { BareState, NamedBlock, Reading, States, StepKind, Trial } from "./step-kind.ts";

/** How long others are waited for where the account, which is to say it, says nothing. */
export const WITHIN_MS = 24 * 3_600_000;

export function named(branches: { readonly [name: string]: Block }): readonly NamedBlock[] {
  return Object.entries(branches).map(([name, block]) => ({ name, block }));
}

interface Different {
  /** Guards by outcome, in place of `fresh`. */
  readonly guards?: { readonly [outcome: string]: GuardConfig["type"] };
  /** States by outcome, in place of the block behind it. */
  readonly states?: { readonly [outcome: string]: string };
}

/** Begin once per content, settle by a fresh outcome, go on by the fact. */
export function pending(
  step: PendingStep,
  next: string,
  states: States,
  different: Different = {},
): Required<Pick<BareState, "entry" | "always" | "on">> {
  const outcomes = Object.keys(step.on);
  const edge = (outcome: string): EdgeConfig => ({
    guard: guard(different.guards?.[outcome] ?? "fresh", { step: step.id }),
    actions: [move("settle", { step: step.id, is: outcome })],
  });
  const state = (outcome: string): string =>
    different.states?.[outcome] ?? states.block(step.on[outcome] ?? [], next);
  return {
    entry: [move("begin", { step: step.id })],
    on: Object.fromEntries(outcomes.map((outcome) => [`${step.id}.${outcome}`, [edge(outcome)]])),
    always: outcomes.map((outcome) => ({
      guard: guard("settled", { step: step.id, is: outcome }),
      target: states.to(state(outcome)),
    })),
  };
}

type OfOutcomes = Pick<Required<StepKind<PendingStep>>, "blocks" | "under" | "place" | "events">;

export const OF_OUTCOMES: OfOutcomes = {
  blocks: (step) => named(step.on),
  under: (step, outcome) => [{ cmp: "==", l: { ref: `${step.id}.outcome` }, r: { val: outcome } }],
  place: (step, reading: Reading) => reading.settled(step, (is) => step.on[is] ?? []),
  events: (step, { facts, results, taken }: Trial) => {
    const digest = facts.pending?.for;
    if (digest === undefined) return [];
    return [...new Set([...Object.keys(step.on), ...taken])].flatMap((outcome) =>
      results(step.id).map((out) => ({ type: `${step.id}.${outcome}`, for: digest, out }) as const),
    );
  },
};
