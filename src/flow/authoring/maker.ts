/** Makes the steps of a flow for {@link Kit}, whatever language the flow is written in. */
import { present } from "../../base/index.ts";
import {
  EFFECT_OUTCOMES,
  type AskStep,
  type Repair,
  type RepairEvent,
  type RepairRule,
} from "../ast/ast.ts";
import type { Expr } from "../ast/expression.ts";
import type { AskOptions, Block, RepairOptions } from "./kit-options.ts";
import type { Cond } from "./reference.ts";
import { exprOf, pathOf, refTo } from "./reference.ts";

type Bag = Readonly<Record<string, unknown>>;

/** The expression of an option, where it is given. */
function maybe(value: unknown): Expr | undefined {
  return value === undefined ? undefined : exprOf(value);
}

function exprs(values: Bag | undefined): Record<string, Expr> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [name, exprOf(value)]),
  );
}

function condOf(where: Cond | ((it: unknown) => Cond), id: string): Cond {
  return typeof where === "function" ? where(refTo(id)) : where;
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

interface Repaired {
  readonly repair?: RepairOptions;
}

function limits(o: Pick<AskOptions<Bag>, "max" | "onMax" | "quiet" | "repair">) {
  return { max: o.max, onMax: o.onMax, quiet: o.quiet, repair: repairOf(o.repair) };
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
    return present({
      t: "say",
      id,
      text: id === text ? undefined : text,
      vars: o.with && exprs(o.with),
      media: maybe(o.media),
      location: maybe(o.location),
    });
  }

  ask(slot: string, o: AskOptions<Bag> = {}): AskStep {
    if (o.ask !== undefined) this.prompts[slot] = o.ask;
    const { options } = o;
    return present({
      t: "ask",
      id: o.id ?? slot,
      slot,
      optional: o.optional || undefined,
      from: o.from?.map((one) => pathOf(one) ?? (one as string)),
      options: options && {
        from: pathOf(options.from) ?? "",
        value: options.value,
        label: options.label,
      },
      ...limits(o),
    });
  }

  form(id: string, fields: Readonly<Record<string, true | AskOptions<Bag>>>): Bag {
    const asks = Object.entries(fields).map(([slot, o]) => this.ask(slot, o === true ? {} : o));
    return { t: "form", id, asks };
  }

  choose(slot: string, branches: Bag, o: AskOptions<Bag> = {}): Bag {
    if (o.ask !== undefined) this.prompts[slot] = o.ask;
    return present({ t: "choose", id: o.id ?? slot, slot, branches, ...limits(o) });
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
    const { show, edit, word, no } = o;
    return present({ t: "confirm", id, show, edit, word, no, ...limits(o) });
  }

  repeat(
    slot: string,
    of: Block,
    o: { id?: string; max?: number | string; more?: AskOptions<Bag> } = {},
  ): Bag {
    const id = o.id ?? slot;
    const more = o.more && this.ask(`${slot}_more`, { ...o.more, id: `${id}-more` });
    return present({ t: "repeat", id, slot, of, max: o.max, more });
  }

  submit(effect: string, o: { id: string; input?: Bag } & Bag & Repaired): Bag {
    const on = this.branches(o.id, { done: [], ...o }, EFFECT_OUTCOMES);
    const input = exprs(o.input);
    return present({ t: "effect", id: o.id, effect, input, on, repair: repairOf(o.repair) });
  }

  call(effect: string, o: { id: string; input?: Bag } & Bag): Bag {
    return this.submit(effect, { rejected: [], failed: [], ...o });
  }

  when(condition: Cond, then: Block, otherwise?: Block): Bag {
    const first = then[0]?.id ?? otherwise?.[0]?.id ?? "nothing";
    const rest = otherwise && otherwise.length > 0 ? otherwise : undefined;
    const id = this.free(`if-${first}`);
    return present({ t: "when", id, if: condition.expr, then, else: rest });
  }

  goto(to: string, o: { clear?: unknown } = {}): Bag {
    const path = pathOf(o.clear);
    const clear = path === undefined ? o.clear : { ref: path };
    return present({ t: "goto", id: this.free(`to-${to}`), to, clear });
  }

  subflow(
    flowId: string,
    o: { id: string; input?: Bag; fills?: readonly string[]; on?: Bag } & Repaired,
  ): Bag {
    // Answers that will not come any more end this flow, too; else both would be asked in vain.
    const stopped = (): readonly Bag[] => (o.fills ? [this.end()] : []);
    const own = { done: [], cancelled: stopped(), expired: stopped(), ...o.on };
    const on = this.branches(o.id, own);
    const { id, fills } = o;
    const input = exprs(o.input);
    return present({
      t: "subflow",
      id,
      flow: flowId,
      input,
      fills,
      on,
      repair: repairOf(o.repair),
    });
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
    return present({
      t: "notify",
      id: o.id,
      flow: flowId,
      to: exprOf(o.to),
      input: exprs(o.input),
      within: o.within,
      remind: o.remind,
      on: this.branches(o.id, o.on),
      repair: repairOf(o.repair),
    });
  }

  wait(
    event: string,
    o: { id: string; where?: Cond | ((it: unknown) => Cond); within: string; on: Bag } & Repaired,
  ): Bag {
    return present({
      t: "wait",
      id: o.id,
      event,
      where: o.where && condOf(o.where, o.id).expr,
      within: o.within,
      on: this.branches(o.id, o.on),
      repair: repairOf(o.repair),
    });
  }

  handoff(reason: string, o: { id?: string } & Repaired = {}): Bag {
    const id = o.id ?? `handoff-${reason}`;
    return present({ t: "handoff", id, reason, repair: repairOf(o.repair) });
  }

  end(outcome = "done", o: { id?: string; output?: Bag } = {}): Bag {
    const id = o.id ?? this.free(`end-${outcome}`);
    return present({ t: "end", id, outcome, output: o.output && exprs(o.output) });
  }
}
