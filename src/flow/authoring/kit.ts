/**
 * `flow()`: a conversation written in TypeScript, checked by types, turned into data; and the defaults of a flow, the same
 * for TypeScript and YAML.
 */
import type { z } from "zod";
import { Fault, present } from "../../base/index.ts";
import { type Ast, notJson, type Step } from "../ast/ast.ts";
import type { Block, Complete, FlowOptions, RepairOptions, Scope } from "./kit-options.ts";
import type { Kit } from "./kit-types.ts";
import { METHODS } from "../machine/steps.ts";
import { Making, repairOf } from "./making.ts";
import { refTo } from "./reference.ts";
import type { AnyRegistry, FlowRegistry } from "./registry.ts";
import { slotDefs } from "./slot.ts";

/** The methods of {@link Kit} at run time: untyped here, typed there. */
type Maker = { readonly [method: string]: (...args: readonly unknown[]) => unknown };

export function makerOf(making: Making): Maker {
  return Object.fromEntries(
    Object.entries(METHODS).map(([name, method]) => [
      name,
      (...args: readonly unknown[]) => method.make(making, ...args),
    ]),
  );
}

type Build<
  Id extends string,
  S extends z.ZodRawShape,
  I extends z.ZodObject | undefined,
  R extends AnyRegistry,
  O extends string,
  T,
> = (f: Kit<Id, S, R, O>, $: Scope<S, I, R>) => T & Complete<S, T>;

interface OnSendFailed<
  Id extends string,
  S extends z.ZodRawShape,
  I extends z.ZodObject | undefined,
  R extends AnyRegistry,
> {
  /**
   * Steps to run when something this flow said could not be delivered, for good; then the question is asked again. Once
   * until the person writes, and never while a call that costs or counts is on its way. Default: nothing is said, and
   * the person's next message meets the question again.
   */
  readonly onSendFailed?: (f: Kit<Id, S, R>, $: Scope<S, I, R>) => Block;
}

/** `flow` for a registry of its own, for libraries and tests that must not touch the installation's. */
export function flowsOf<R extends AnyRegistry>() {
  return <
    const Id extends string,
    S extends z.ZodRawShape,
    T extends Block,
    I extends z.ZodObject | undefined = undefined,
    const O extends string = never,
  >(
    id: Id,
    options: FlowOptions<S, I> & OnSendFailed<Id, S, I, R> & { readonly outcomes?: readonly O[] },
    build: Build<Id, S, I, R, O, T>,
  ): Ast => built(id, options as unknown as AnyOptions, build as unknown as AnyBuild);
}

/**
 * A flow as data. Throws a `FLOW_INVALID` fault naming the first thing that is not data; everything else is lint's.
 */
export const flow = flowsOf<FlowRegistry>();

type AnyOptions = FlowOptions<z.ZodRawShape, z.ZodObject | undefined> & {
  readonly onSendFailed?: AnyBuild;
};
type AnyBuild = (f: unknown, $: unknown) => Block;

function built(id: string, options: AnyOptions, build: AnyBuild): Ast {
  const prompts: Record<string, string> = {};
  const maker = makerOf(new Making(prompts));
  const steps = build(maker, refTo("")) as unknown as readonly Step[];
  const onSendFailed = options.onSendFailed?.(maker, refTo(""));
  return assembled(id, plainOf(options, onSendFailed), steps, prompts);
}

/** Options with the schemas of slots and input as data. */
export function plainOf(
  options: FlowOptions<z.ZodRawShape, z.ZodObject | undefined>,
  onSendFailed: Block | undefined,
): PlainOptions {
  const shape: Readonly<Record<string, z.ZodType>> | undefined = options.input?.shape;
  const inputs = Object.entries(shape ?? {}).map(([name, schema]) => [
    name,
    schema.safeParse(undefined).success ? { optional: true as const } : {},
  ]);
  return {
    ...options,
    slots: slotDefs(options.slots.shape),
    input: shape && (Object.fromEntries(inputs) as Ast["input"]),
    onSendFailed,
  };
}

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
  const {
    version,
    title = id,
    audience = "customer",
    slots,
    outcomes = [],
    onSendFailed,
  } = options;
  const { max, quiet, role, restarts, migrate, budget, input, takes } = options;
  // What a flow does about a lost message is kept beside its repair.
  const lostBlock = onSendFailed && { "send.failed": onSendFailed as unknown as readonly Step[] };
  const repair = lostBlock
    ? { ...repairOf(options.repair), ...lostBlock }
    : repairOf(options.repair);
  const ast: Ast = present({
    flow: id,
    version,
    title,
    audience,
    role,
    restarts,
    slots,
    input: input || takes ? { ...taken(id, options), ...input } : undefined,
    outcomes,
    policy: present({ max, quiet, repair }),
    steps,
    texts: Object.keys(prompts).length > 0 ? { ask: prompts } : undefined,
    migrate,
    budget,
  });
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
