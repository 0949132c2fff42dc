/** What the methods of the kit share when they make steps: ids, branches, expressions and repair by the names of authors. */
import type { Repair, RepairEvent, RepairRule } from "../ast/ast.ts";
import type { Expr } from "../ast/expression.ts";
import type { AskOptions, Block, RepairOptions } from "./kit-options.ts";
import { exprOf, refTo } from "./reference.ts";

/** Options as they were written. */
export type Bag = Readonly<Record<string, unknown>>;

/** The expression of an option, where it is given. */
export function maybe(value: unknown): Expr | undefined {
  return value === undefined ? undefined : exprOf(value);
}

export function exprs(values: Bag | undefined): Record<string, Expr> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [name, exprOf(value)]),
  );
}

const EVENTS: Record<keyof RepairOptions, RepairEvent> = {
  cancel: "CANCEL",
  back: "BACK",
  skip: "SKIP",
  repeat: "REPEAT",
  help: "HELP",
  why: "WHY",
  human: "HUMAN",
  nudge: "quiet.nudge",
  expire: "quiet.expire",
};

/** Repair by the names authors use, as the machine's events. */
export function repairOf(options: RepairOptions | undefined): Repair | undefined {
  if (!options) return undefined;
  const rules = Object.entries(options).map(([name, rule]) => [
    EVENTS[name as keyof RepairOptions],
    rule as RepairRule,
  ]);
  return Object.fromEntries(rules) as Repair;
}

export interface Repaired {
  readonly repair?: RepairOptions;
}

export function limits(o: Pick<AskOptions<Bag>, "max" | "onMax" | "quiet" | "repair">) {
  return { max: o.max, onMax: o.onMax, quiet: o.quiet, repair: repairOf(o.repair) };
}

/** The steps of one flow while they are made. */
export class Making {
  /** Prompts written in the flow itself, by slot. */
  readonly prompts: Record<string, string>;
  private readonly used = new Map<string, number>();

  constructor(prompts: Record<string, string>) {
    this.prompts = prompts;
  }

  /** An id for a step that never waits: it may change when the flow is edited. */
  free(base: string): string {
    const count = (this.used.get(base) ?? 0) + 1;
    this.used.set(base, count);
    return count === 1 ? base : `${base}-${count}`;
  }

  /** Branches by outcome; one that is written as a function is given the step's result. */
  branches(id: string, on: Bag | undefined, names?: readonly string[]): Record<string, Block> {
    const entries = Object.entries(on ?? {}).filter(
      ([name, block]) => block !== undefined && (!names || names.includes(name)),
    );
    return Object.fromEntries(
      entries.map(([name, branch]) => [
        name,
        (typeof branch === "function"
          ? (branch as (result: unknown) => unknown)(refTo(id))
          : branch) as Block,
      ]),
    );
  }
}
