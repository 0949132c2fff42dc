/** A flow with its indexes, for guards, moves and the renderer. Pure; made once for each loaded version. */
import type { z } from "zod";
import { digest, fits, type Json, type JsonObject } from "../../base/index.ts";
import type { AskStep, Ast, ChooseStep, Step } from "../ast/ast.ts";
import { flowHash } from "../ast/flow-hash.ts";
import { evaluate, type Expr, holds, type Rule } from "../ast/expression.ts";
import {
  type Given,
  isGrave,
  type Option,
  type SlotKind,
  type Vocabulary,
} from "../authoring/vocabulary.ts";
import { rowsOf, textOf, at, type Facts, wantedMark } from "../moves/facts.ts";
import { Repeats } from "../moves/repeats.ts";
import { isAsk, isPath, kindOf, placed, type Placed } from "./steps.ts";

/** Distinct parameter sets of a flow's slots kept as schemas: a few per account. */
const SCHEMAS_KEPT = 500;
/** How far conditions may depend on conditions at run time; lint refuses circles, this only ends them. */
const MAX_DEPTH = 20;
const NO_PARAMS: JsonObject = {};

export class FlowIndex {
  readonly ast: Ast;
  readonly hash: string;
  readonly words: Vocabulary;
  readonly places: readonly Placed[];
  readonly steps: ReadonlyMap<string, Step>;
  /** Asks of each slot, in order. */
  readonly asks: ReadonlyMap<string, readonly Placed[]>;
  /** Slots in the order they are first asked. */
  readonly order: readonly string[];
  readonly rules: ReadonlyMap<string, Rule>;
  /** Lists of items. */
  readonly repeats: Repeats;
  /** Asks and lists by slot: where a slot gets its value. */
  private readonly homes: ReadonlyMap<string, readonly Placed[]>;
  private readonly schemas = new Map<string, z.ZodType>();
  /** Slots that are asked under no condition, and slots whose answer is one of several. */
  private readonly unconditional: ReadonlySet<string>;
  private readonly offering: ReadonlySet<string>;
  /** Parameters without references. */
  private readonly fixed: ReadonlyMap<string, JsonObject>;

  /** `hash`: where it is known; to work it out is most of what an index costs. */
  constructor(ast: Ast, words: Vocabulary, hash = flowHash(ast, words)) {
    this.ast = ast;
    this.words = words;
    this.hash = hash;
    this.places = placed(ast);
    this.steps = new Map(this.places.map((place) => [place.step.id, place.step]));
    const homes = new Map<string, Placed[]>();
    for (const place of this.places)
      if (isAsk(place.step) || place.step.t === "repeat")
        homes.set(place.step.slot, [...(homes.get(place.step.slot) ?? []), place]);
    this.homes = homes;
    this.asks = new Map([...homes].filter(([, [home]]) => home && isAsk(home.step)));
    this.order = [...homes.keys()];
    this.repeats = new Repeats(this, this.places);
    const those = (test: (place: Placed, slot: string) => boolean): ReadonlySet<string> =>
      new Set(this.order.filter((slot) => homes.get(slot)?.some((place) => test(place, slot))));
    this.unconditional = those(({ under }) => under.length === 0);
    this.offering = those(
      ({ step }, slot) =>
        step.t === "choose" ||
        (step.t === "ask" && step.options !== undefined) ||
        this.repeats.mores.has(slot) ||
        Array.isArray(ast.slots[slot]?.params?.options),
    );
    this.fixed = new Map(
      Object.entries(ast.slots).flatMap(([slot, { params }]) =>
        params && !Object.values(params).some(isPath) ? [[slot, params]] : [],
      ),
    );
    this.rules = new Map([...words.rules].map(([name, rule]) => [name, rule.run]));
  }

  /** Whether a value has the shape of its slot under resolved parameters. Schemas are cached, because making one costs most. */
  accepts(slot: string, value: Json, params: JsonObject): boolean {
    const kind = this.kind(slot);
    if (!kind) return false;
    const key = `${kind.name} ${JSON.stringify(params)}`;
    let schema = this.schemas.get(key);
    if (!schema) {
      if (this.schemas.size >= SCHEMAS_KEPT) this.schemas.clear();
      schema = kind.schema(params);
      this.schemas.set(key, schema);
    }
    return fits(schema, value) || schema.safeParse(value).success;
  }

  kind(slot: string): SlotKind | undefined {
    return this.words.kinds.get(this.ast.slots[slot]?.kind ?? "");
  }

  /** The value at a path: a live slot or one of its facets, a step's result, or the surroundings. */
  get(facts: Facts, path: string, depth = 0): Json | undefined {
    const [head = "", ...rest] = path.split(".");
    if (head === "account" || head === "contact" || head === "input")
      return at(facts.env[head], rest);
    if (Object.hasOwn(this.ast.slots, head)) return this.slotValue(facts, head, rest, depth);
    const done = Object.hasOwn(facts.done, head) ? facts.done[head] : undefined;
    if (!done) return undefined;
    return rest.length === 1 && rest[0] === "outcome" ? done.is : at(done.out, rest);
  }

  private slotValue(
    facts: Facts,
    slot: string,
    rest: readonly string[],
    depth: number,
  ): Json | undefined {
    const list = this.repeats.lists.get(slot);
    const items = list && this.repeats.all(facts, list);
    const own = Object.hasOwn(facts.slots, slot) ? facts.slots[slot] : undefined;
    const value = items && items.length > 0 ? items : own;
    if (value === undefined || value === null || !this.isLive(facts, slot, depth)) return undefined;
    const facet = rest[0] === undefined ? undefined : this.kind(slot)?.facets[rest[0]];
    return facet ? at(facet(value), rest.slice(1)) : at(value, rest);
  }

  /** Whether any ask of the slot stands under conditions that hold now: otherwise it is hidden, not deleted. */
  isLive(facts: Facts, slot: string, depth = 0): boolean {
    if (this.unconditional.has(slot)) return true;
    if (depth > MAX_DEPTH) return false;
    const get = (path: string) => this.get(facts, path, depth + 1);
    if (Object.hasOwn(facts.marks, wantedMark(slot))) return true;
    return (this.homes.get(slot) ?? []).some((place) =>
      place.under.every((condition) => holds(condition, get, this.rules)),
    );
  }

  liveSlots(facts: Facts): string[] {
    return this.order.filter((slot) => this.isLive(facts, slot));
  }

  value(facts: Facts, expr: Expr): Json | undefined {
    return evaluate(expr, (path) => this.get(facts, path), this.rules);
  }

  holds(facts: Facts, expr: Expr): boolean {
    return this.value(facts, expr) === true || this.leadsToWanted(facts, expr);
  }

  /** Whether a slot that is wanted against the conditions is asked under this one. */
  private leadsToWanted(facts: Facts, condition: Expr): boolean {
    const text = JSON.stringify(condition);
    return this.order.some(
      (slot) =>
        Object.hasOwn(facts.marks, wantedMark(slot)) &&
        this.homes
          .get(slot)
          ?.some(({ under }) => under.some((one) => JSON.stringify(one) === text)),
    );
  }

  /** Named expressions as data; absent and skipped ones are left out, a written `null` is meant. */
  resolve(facts: Facts, input: { readonly [name: string]: Expr }): JsonObject {
    const data: Record<string, Json> = {};
    for (const [name, expr] of Object.entries(input)) {
      const value = this.value(facts, expr);
      if (value !== undefined && (value !== null || "val" in expr)) data[name] = value;
    }
    return data;
  }

  /** What a confirm shows: live answers by slot. */
  shown(facts: Facts, show: readonly string[]): JsonObject {
    return this.resolve(facts, Object.fromEntries(show.map((slot) => [slot, { ref: slot }])));
  }

  /** Everything a step is bound to: the same content, the same digest. */
  content(facts: Facts, step: Step): JsonObject {
    return kindOf(step).content?.(step, this, facts) ?? {};
  }

  stamp(facts: Facts, step: Step): string {
    return digest(this.content(facts, step));
  }

  /** Whether an ask needs no asking: answered (or skipped), not to be asked again, and given in this context. */
  isFilled(facts: Facts, step: AskStep | ChooseStep): boolean {
    const { slot } = step;
    const repeat = this.repeats.mores.get(slot);
    if (repeat) return this.repeats.isClosed(facts, repeat);
    if (!Object.hasOwn(facts.slots, slot) || facts.focus.includes(slot)) return false;
    if (step.t === "choose") return Object.hasOwn(step.branches, textOf(facts.slots[slot]));
    if (!step.from || step.from.length === 0) return true;
    return facts.marks[slot] === this.stamp(facts, step) || this.stillFits(facts, step);
  }

  /** Whether an answer that was given in another context fits this one. When that is unknown, it is asked again. */
  private stillFits(facts: Facts, step: AskStep): boolean {
    const value = facts.slots[step.slot];
    if (value === undefined || value === null) return false;
    if (step.options) return rowsOf(this, facts, step.options).some(({ id }) => id === value);
    return this.kind(step.slot)?.fits?.(value, this.given(facts, step.slot)) ?? false;
  }

  /** What an answer depends on, as it stands now. */
  given(facts: Facts, slot: string): readonly Given[] {
    return (this.asks.get(slot) ?? []).flatMap(({ step }) =>
      step.t !== "ask" || !step.from
        ? []
        : step.from.flatMap((path) => {
            const value = this.get(facts, path);
            return value === undefined ? [] : [{ path, kind: this.kind(path)?.name ?? "", value }];
          }),
    );
  }

  /** Whether a slot is only a part of a list, or its question: not an answer of its own. */
  isPart(slot: string): boolean {
    return this.repeats.items.has(slot) || this.repeats.mores.has(slot);
  }

  /** How a step ended for exactly what it would be asked now; undefined while it has not. */
  settled(facts: Facts, step: Step): string | undefined {
    const done = Object.hasOwn(facts.done, step.id) ? facts.done[step.id] : undefined;
    if (!done) return undefined;
    if (step.t === "handoff") return done.is;
    return done.for === this.stamp(facts, step) ? done.is : undefined;
  }

  /** Whether a step is a call that costs money or cannot be undone: nothing changes while it is under way. */
  isSealing(step: Step): boolean {
    return step.t === "effect" && isGrave(this.words.effects.get(step.effect)?.class);
  }

  /** Whether the slot may have rows to choose from. */
  hasOptions(slot: string): boolean {
    return this.offering.has(slot) || !this.asks.has(slot);
  }

  /** Rows of a choice in this moment. */
  options(facts: Facts, slot: string, labels: Labels): Option[] {
    const repeat = this.repeats.mores.get(slot);
    if (repeat) return this.repeats.choices(facts, repeat).map((id) => labels(slot, id));
    for (const { step } of this.asks.get(slot) ?? []) {
      if (step.t === "choose") return Object.keys(step.branches).map((id) => labels(slot, id));
      if (step.t === "ask" && step.options) return rowsOf(this, facts, step.options);
    }
    const fixed = this.ast.slots[slot]?.params?.options;
    return Array.isArray(fixed) ? fixed.map((id: Json) => labels(slot, textOf(id))) : [];
  }

  /** Parameters of a slot with paths replaced by what the account says. */
  params(facts: Facts, slot: string): JsonObject {
    const fixed = this.fixed.get(slot);
    if (fixed) return fixed;
    const given = this.ast.slots[slot]?.params;
    if (!given) return NO_PARAMS;
    const params: Record<string, Json> = {};
    for (const [name, value] of Object.entries(given)) {
      const resolved = isPath(value) ? this.get(facts, value) : value;
      if (resolved !== undefined) params[name] = resolved;
    }
    return params;
  }

  /** Whether any ask of a slot lets it be left out. */
  maySkip(slot: string): boolean {
    return (this.asks.get(slot) ?? []).some(
      ({ step }) => isAsk(step) && (this.isOptional(step) || step.onMax === "skip"),
    );
  }

  isOptional(step: AskStep | ChooseStep): boolean {
    return (
      (step.t === "ask" && step.optional === true) || this.ast.slots[step.slot]?.optional === true
    );
  }
}

export type Labels = (slot: string, option: string) => Option;
