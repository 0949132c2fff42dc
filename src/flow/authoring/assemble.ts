/** Builds a flow from its options and steps, with the same defaults for TypeScript and YAML. */
import type { z } from "zod";
import { Fault } from "../../base/index.ts";
import {
  notJson,
  type Ast,
  type Repair,
  type RepairEvent,
  type RepairRule,
  type Step,
} from "../ast/ast.ts";
import type { Block, FlowOptions, RepairOptions } from "./kit-options.ts";

/** What a flow says of itself, already data: {@link FlowOptions} as any front-end has it in the end. */
export interface PlainOptions extends Pick<
  FlowOptions<z.ZodRawShape, z.ZodObject | undefined>,
  | "version"
  | "audience"
  | "role"
  | "restarts"
  | "title"
  | "outcomes"
  | "quiet"
  | "max"
  | "migrate"
  | "budget"
> {
  readonly slots: Ast["slots"];
  readonly input?: Ast["input"] | undefined;
  readonly takes?: readonly string[];
  readonly repair?: RepairOptions;
  readonly onSendFailed?: Block | undefined;
}

/** The defaults of a flow, the same whatever it was written in. */
export function assembled(
  id: string,
  options: PlainOptions,
  steps: readonly Step[],
  prompts: Readonly<Record<string, string>>,
): Ast {
  const policy = {
    ...(options.max === undefined ? {} : { max: options.max }),
    ...(options.quiet ? { quiet: options.quiet } : {}),
    ...repairs(options),
  };
  const ast: Ast = {
    flow: id,
    version: options.version,
    title: options.title ?? id,
    audience: options.audience ?? "customer",
    ...(options.role === undefined ? {} : { role: options.role }),
    ...(options.restarts ? { restarts: options.restarts } : {}),
    slots: options.slots,
    ...(options.input || options.takes
      ? { input: { ...taken(id, options), ...options.input } }
      : {}),
    outcomes: options.outcomes ?? [],
    policy,
    steps,
    ...(Object.keys(prompts).length > 0 ? { texts: { ask: prompts } } : {}),
    ...(options.migrate ? { migrate: options.migrate } : {}),
    ...(options.budget ? { budget: options.budget } : {}),
  };
  const lost = notJson(ast);
  if (lost) throw new Fault("FLOW_INVALID", `Flow ${id} is not plain data: ${lost}.`);
  return ast;
}

/** Answers that a caller may hand in, as input of their names. */
function taken(id: string, { takes = [], slots }: PlainOptions): NonNullable<Ast["input"]> {
  const lost = takes.find((name) => !Object.hasOwn(slots, name));
  if (lost !== undefined)
    throw new Fault("FLOW_INVALID", `Flow ${id} takes "${lost}", which is none of its slots.`);
  return Object.fromEntries(takes.map((name) => [name, { optional: true as const }]));
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

/** Flow-wide repair; what a flow does about a lost message is kept there too. */
function repairs({ repair, onSendFailed: lost }: PlainOptions): { readonly repair?: Repair } {
  if (!repair && !lost) return {};
  const block = lost as unknown as readonly Step[];
  return { repair: { ...repairOf(repair ?? {}), ...(lost ? { "send.failed": block } : {}) } };
}

/** Repair by the names authors use, as the machine's events. */
export function repairOf(options: RepairOptions): Repair {
  return Object.fromEntries(
    Object.entries(options).map(([name, rule]) => [
      EVENTS[name as keyof RepairOptions],
      rule as RepairRule,
    ]),
  );
}
