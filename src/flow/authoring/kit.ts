/**
 * `flow()`: a conversation written in TypeScript, checked by types, turned into data.
 */
import type { z } from "zod";
import { assembled } from "./assemble.ts";
import type { Ast, Step } from "../ast/ast.ts";
import type { Block, Built, Complete, FlowOptions, Scope } from "./kit-options.ts";
import type { Kit } from "./kit-types.ts";
import { Maker } from "./maker.ts";
import { refTo } from "./reference.ts";
import type { AnyRegistry, FlowRegistry } from "./registry.ts";
import { slotDefs } from "./slot.ts";

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
type Bag = Readonly<Record<string, unknown>>;

function built(id: string, options: AnyOptions, build: AnyBuild): Ast {
  const prompts: Record<string, string> = {};
  const maker = new Maker(prompts);
  const steps = build(maker, refTo("")) as unknown as readonly Step[];
  const input = options.input?.shape;
  const slots = slotDefs(options.slots.shape);
  const onSendFailed = options.onSendFailed?.(maker, refTo(""));
  const plain = { ...options, slots, input: input && inputOf(input), onSendFailed };
  return assembled(id, plain, steps, prompts);
}

function inputOf(shape: Bag): NonNullable<Ast["input"]> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const optional = (schema as z.ZodType).safeParse(undefined).success;
      return [name, optional ? { optional: true as const } : {}];
    }),
  );
}

export type { Built };
