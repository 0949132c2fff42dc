/**
 * `flow()`: a conversation written in TypeScript, checked by types, turned into data.
 */
import type { z } from "zod";
import { Fault } from "../base/index.ts";
import {
  EFFECT_OUTCOMES,
  notJson,
  type AskStep,
  type Ast,
  type Repair,
  type RepairEvent,
  type RepairRule,
  type Step,
} from "./ast.ts";
import type { Expr } from "./expression.ts";
import type {
  AskOptions,
  Block,
  Built,
  Complete,
  FlowOptions,
  Kit,
  RepairOptions,
  Scope,
} from "./kit-types.ts";
import type { Cond } from "./reference.ts";
import { exprOf, pathOf, refTo } from "./reference.ts";
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
  const input = options.input?.shape as Bag | undefined;
  const slots = slotDefs(options.slots.shape);
  const onSendFailed = options.onSendFailed?.(maker, refTo(""));
  const plain = { ...options, slots, input: input && inputOf(input), onSendFailed };
  return assembled(id, plain, steps, prompts);
}

/** What a flow says of itself, already data: {@link FlowOptions} as any front-end has it in the end. */
export interface PlainOptions extends Pick<
  AnyOptions,
  "version" | "audience" | "title" | "outcomes" | "quiet" | "max" | "migrate" | "budget"
> {
  readonly slots: Ast["slots"];
  readonly input?: Ast["input"] | undefined;
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
    slots: options.slots,
    ...(options.input ? { input: options.input } : {}),
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

function inputOf(shape: Bag): NonNullable<Ast["input"]> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const optional = (schema as z.ZodType).safeParse(undefined).success;
      return [name, optional ? { optional: true as const } : {}];
    }),
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

/** Flow-wide repair; what a flow does about a lost bubble is kept there too. */
function repairs({ repair, onSendFailed: lost }: PlainOptions): { readonly repair?: Repair } {
  if (!repair && !lost) return {};
  const block = lost as unknown as readonly Step[];
  return { repair: { ...repairOf(repair ?? {}), ...(lost ? { "send.failed": block } : {}) } };
}

function repairOf(options: RepairOptions): Repair {
  return Object.fromEntries(
    Object.entries(options).map(([name, rule]) => [
      EVENTS[name as keyof RepairOptions],
      rule as RepairRule,
    ]),
  );
}

function exprs(values: Bag | undefined): Record<string, Expr> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [name, exprOf(value)]),
  );
}

function condOf(where: Cond | ((it: unknown) => Cond), id: string): Cond {
  return typeof where === "function" ? where(refTo(id)) : where;
}

interface Repaired {
  readonly repair?: RepairOptions;
}

function repaired({ repair }: Repaired): { readonly repair?: Repair } {
  return repair ? { repair: repairOf(repair) } : {};
}

/** The runtime of {@link Kit}: untyped here, typed there. */
export class Maker {
  private readonly prompts: Record<string, string>;
  private readonly used = new Map<string, number>();

  constructor(prompts: Record<string, string>) {
    this.prompts = prompts;
  }

  /** An id for a step where nobody rests: it may move when the flow is edited. */
  private free(base: string): string {
    const count = (this.used.get(base) ?? 0) + 1;
    this.used.set(base, count);
    return count === 1 ? base : `${base}-${count}`;
  }

  private branch(id: string, branch: unknown): Block {
    const made: unknown =
      typeof branch === "function" ? (branch as (r: unknown) => unknown)(refTo(id)) : branch;
    return made as Block;
  }

  private branches(
    id: string,
    on: Bag | undefined,
    names?: readonly string[],
  ): Record<string, Block> {
    const entries = Object.entries(on ?? {}).filter(
      ([name, block]) => block !== undefined && (!names || names.includes(name)),
    );
    return Object.fromEntries(entries.map(([name, block]) => [name, this.branch(id, block)]));
  }

  say(text: string, o: { id?: string; with?: Bag; media?: unknown; location?: unknown } = {}): Bag {
    const id = o.id ?? text;
    return {
      t: "say",
      id,
      ...(id === text ? {} : { text }),
      ...(o.with ? { vars: exprs(o.with) } : {}),
      ...(o.media === undefined ? {} : { media: exprOf(o.media) }),
      ...(o.location === undefined ? {} : { location: exprOf(o.location) }),
    };
  }

  ask(slot: string, o: AskOptions<Bag> = {}): AskStep {
    if (o.ask !== undefined) this.prompts[slot] = o.ask;
    const { options } = o;
    return {
      t: "ask",
      id: o.id ?? slot,
      slot,
      ...(o.optional ? { optional: true } : {}),
      ...(o.from ? { from: o.from.map((one) => pathOf(one) ?? (one as string)) } : {}),
      ...(options
        ? {
            options: {
              from: pathOf(options.from) ?? "",
              value: options.value,
              label: options.label,
            },
          }
        : {}),
      ...this.limits(o),
    };
  }

  private limits(o: Pick<AskOptions<Bag>, "max" | "onMax" | "quiet" | "repair">) {
    return {
      ...(o.max === undefined ? {} : { max: o.max }),
      ...(o.onMax ? { onMax: o.onMax } : {}),
      ...(o.quiet ? { quiet: o.quiet } : {}),
      ...(o.repair ? { repair: repairOf(o.repair) } : {}),
    };
  }

  form(id: string, fields: Readonly<Record<string, true | AskOptions<Bag>>>): Bag {
    const asks = Object.entries(fields).map(([slot, o]) => this.ask(slot, o === true ? {} : o));
    return { t: "form", id, asks };
  }

  choose(slot: string, branches: Bag, o: AskOptions<Bag> = {}): Bag {
    if (o.ask !== undefined) this.prompts[slot] = o.ask;
    return { t: "choose", id: o.id ?? slot, slot, branches, ...this.limits(o) };
  }

  confirm(
    id: string,
    o: {
      show: readonly string[];
      edit?: readonly string[];
      word?: string;
      no?: Block;
    } & AskOptions<Bag>,
  ): Bag {
    return {
      t: "confirm",
      id,
      show: o.show,
      ...(o.edit ? { edit: o.edit } : {}),
      ...(o.word === undefined ? {} : { word: o.word }),
      ...(o.no ? { no: o.no } : {}),
      ...this.limits(o),
    };
  }

  repeat(
    slot: string,
    of: Block,
    o: { id?: string; max?: number | string; more?: AskOptions<Bag> } = {},
  ): Bag {
    const id = o.id ?? slot;
    return {
      t: "repeat",
      id,
      slot,
      of,
      ...(o.max === undefined ? {} : { max: o.max }),
      ...(o.more ? { more: this.ask(`${slot}_more`, { ...o.more, id: `${id}-more` }) } : {}),
    };
  }

  submit(effect: string, o: { id: string; input?: Bag } & Bag & Repaired): Bag {
    const on = this.branches(o.id, { done: [], ...o }, EFFECT_OUTCOMES);
    return { t: "effect", id: o.id, effect, input: exprs(o.input), on, ...repaired(o) };
  }

  call(effect: string, o: { id: string; input?: Bag } & Bag): Bag {
    return this.submit(effect, { rejected: [], failed: [], ...o });
  }

  when(condition: Cond, then: Block, otherwise?: Block): Bag {
    const first = then[0]?.id ?? otherwise?.[0]?.id ?? "nothing";
    const rest = otherwise && otherwise.length > 0 ? { else: otherwise } : {};
    return { t: "when", id: this.free(`if-${first}`), if: condition.expr, then, ...rest };
  }

  goto(to: string, o: { clear?: unknown } = {}): Bag {
    const path = pathOf(o.clear);
    const clear = path === undefined ? o.clear : { ref: path };
    return { t: "goto", id: this.free(`to-${to}`), to, ...(clear === undefined ? {} : { clear }) };
  }

  subflow(flowId: string, o: { id: string; input?: Bag; on?: Bag } & Repaired): Bag {
    const on = this.branches(o.id, { done: [], cancelled: [], expired: [], ...o.on });
    return { t: "subflow", id: o.id, flow: flowId, input: exprs(o.input), on, ...repaired(o) };
  }

  notify(
    flowId: string,
    o: {
      id: string;
      to: unknown;
      input?: Bag;
      within: string;
      remind?: string;
      on: Bag;
    } & Repaired,
  ): Bag {
    return {
      t: "notify",
      id: o.id,
      flow: flowId,
      to: exprOf(o.to),
      input: exprs(o.input),
      within: o.within,
      ...(o.remind === undefined ? {} : { remind: o.remind }),
      on: this.branches(o.id, o.on),
      ...repaired(o),
    };
  }

  wait(
    event: string,
    o: { id: string; where?: Cond | ((it: unknown) => Cond); within: string; on: Bag } & Repaired,
  ): Bag {
    return {
      t: "wait",
      id: o.id,
      event,
      ...(o.where ? { where: condOf(o.where, o.id).expr } : {}),
      within: o.within,
      on: this.branches(o.id, o.on),
      ...repaired(o),
    };
  }

  handoff(reason: string, o: { id?: string } & Repaired = {}): Bag {
    return { t: "handoff", id: o.id ?? `handoff-${reason}`, reason, ...repaired(o) };
  }

  end(outcome = "done", o: { id?: string; output?: Bag } = {}): Bag {
    const output = o.output ? { output: exprs(o.output) } : {};
    return { t: "end", id: o.id ?? this.free(`end-${outcome}`), outcome, ...output };
  }
}

export type { Built };
