/** Makes the steps of a flow for {@link Kit}, whatever language the flow is written in. */
import { repairOf } from "./assemble.ts";
import { EFFECT_OUTCOMES, type AskStep, type Repair } from "../ast/ast.ts";
import type { Expr } from "../ast/expression.ts";
import type { AskOptions, Block, RepairOptions } from "./kit-options.ts";
import type { Cond } from "./reference.ts";
import { exprOf, pathOf, refTo } from "./reference.ts";

type Bag = Readonly<Record<string, unknown>>;

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

  /** An id for a step that never waits: it may change when the flow is edited. */
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

  subflow(
    flowId: string,
    o: { id: string; input?: Bag; fills?: readonly string[]; on?: Bag } & Repaired,
  ): Bag {
    // Answers that will not come any more end this flow, too; else both would be asked in vain.
    const stopped = (): readonly Bag[] => (o.fills ? [this.end()] : []);
    const own = { done: [], cancelled: stopped(), expired: stopped(), ...o.on };
    const on = this.branches(o.id, own);
    const fills = o.fills ? { fills: o.fills } : {};
    const input = exprs(o.input);
    return { t: "subflow", id: o.id, flow: flowId, input, ...fills, on, ...repaired(o) };
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
