/**
 * Lists of a flow: the items so far, the current item, and the possible answers after each. The current item is held in
 * ordinary slots, so that all repair works on it. Earlier items are rows in the list's own slot.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type { RepeatStep } from "../ast/ast.ts";
import type { Facts } from "./facts.ts";
import { amountOf } from "../machine/limits.ts";
import { isAsk, type Placed } from "../machine/steps.ts";

/** Most items where the flow names no limit. Each costs a person several messages. */
const MAX_ITEMS = 10;
/** No flow may ask for more: the list is part of the session. */
export const ITEMS_LIMIT = 50;

export const DONE = "done";
const ADD = "add";
/** `drop-2`: the second item goes. */
const DROP = /^drop-(\d{1,2})$/;

export interface Repeat {
  readonly step: RepeatStep;
  /** Slots of one item, in asking order. */
  readonly slots: readonly string[];
  /** Every step inside. Its facts are cleared after each item. */
  readonly ids: readonly string[];
}

/** What lists ask of the slots around them. */
interface Slots {
  isLive(facts: Facts, slot: string): boolean;
  maySkip(slot: string): boolean;
  get(facts: Facts, path: string): Json | undefined;
}

export class Repeats {
  /** By the list's slot, by the slot of "another one?", and by the slots of an item. */
  readonly lists = new Map<string, Repeat>();
  readonly mores = new Map<string, Repeat>();
  readonly items = new Map<string, Repeat>();
  private readonly model: Slots;

  constructor(model: Slots, places: readonly Placed[]) {
    this.model = model;
    for (const { step } of places) {
      if (step.t !== "repeat") continue;
      const inside = places.filter((place) => place.repeat === step);
      const slots = inside.flatMap((place) => (isAsk(place.step) ? [place.step.slot] : []));
      const ids = inside.map((place) => place.step.id);
      const repeat: Repeat = { step, slots: [...new Set(slots)], ids };
      this.lists.set(step.slot, repeat);
      if (step.more) this.mores.set(step.more.slot, repeat);
      for (const slot of repeat.slots) this.items.set(slot, repeat);
    }
  }

  /** Items before the one in hand. */
  before(facts: Facts, { step }: Repeat): readonly JsonObject[] {
    const kept = facts.slots[step.slot];
    return Array.isArray(kept) ? (kept as readonly JsonObject[]) : [];
  }

  /** The item in hand; undefined while one of its questions has no answer. */
  inHand(facts: Facts, repeat: Repeat): JsonObject | undefined {
    const item: Record<string, Json> = {};
    for (const slot of repeat.slots) {
      if (!this.model.isLive(facts, slot)) continue;
      const value = Object.hasOwn(facts.slots, slot) ? facts.slots[slot] : undefined;
      if (value === undefined) return undefined;
      if (value !== null) item[slot] = value;
    }
    return item;
  }

  all(facts: Facts, repeat: Repeat): readonly JsonObject[] {
    const item = this.inHand(facts, repeat);
    const before = this.before(facts, repeat);
    return item ? [...before, item] : before;
  }

  most(facts: Facts, { step }: Repeat): number {
    return Math.min(ITEMS_LIMIT, amountOf(this.model, facts, step.max) ?? MAX_ITEMS);
  }

  /** What may be said after an item. */
  choices(facts: Facts, repeat: Repeat): string[] {
    const count = this.all(facts, repeat).length;
    return [
      ...(count < this.most(facts, repeat) ? [ADD] : []),
      DONE,
      ...(count > 1 ? Array.from({ length: count }, (_, index) => `drop-${index + 1}`) : []),
    ];
  }

  /** Whether the question for another one needs no asking. */
  isClosed(facts: Facts, repeat: Repeat): boolean {
    const slot = repeat.step.more?.slot ?? "";
    if (facts.focus.includes(slot)) return false;
    return (
      facts.slots[slot] === DONE ||
      (facts.slots[slot] === undefined &&
        this.all(facts, repeat).length >= this.most(facts, repeat))
    );
  }

  /** Whether the answer to "another one?" changes the list, or an item before lacks something. */
  goesOn(facts: Facts, repeat: Repeat): boolean {
    if (this.unfinished(facts, repeat) >= 0) return true;
    const said = facts.slots[repeat.step.more?.slot ?? ""];
    return said === ADD || (typeof said === "string" && DROP.test(said));
  }

  /**
   * The first item before the one in hand that lacks an answer it must have, or -1: what was asked for it has changed since,
   * by a newer version of the flow or by an answer that its questions depend on.
   */
  private unfinished(facts: Facts, repeat: Repeat): number {
    return this.before(facts, repeat).findIndex((row) => {
      const missing = repeat.slots.filter(
        (slot) => row[slot] === undefined && !this.model.maySkip(slot),
      );
      if (missing.length === 0) return false;
      const holding = this.holding(facts, repeat, row);
      return missing.some((slot) => this.model.isLive(holding, slot));
    });
  }

  /** Does what was said: the item in hand joins the others and a new one begins, or an item goes. */
  next(facts: Facts, repeat: Repeat): Facts {
    const more = repeat.step.more?.slot ?? "";
    const said = facts.slots[more];
    const items = [...this.all(facts, repeat)];
    const open = this.unfinished(facts, repeat);
    if (open >= 0) {
      // It is taken into hand; what was said of another one is kept for later.
      const [row] = items.splice(open, 1);
      const next = this.put(facts, repeat, items, row);
      return said === undefined ? next : { ...next, slots: { ...next.slots, [more]: said } };
    }
    const dropped = typeof said === "string" ? DROP.exec(said) : null;
    if (!dropped) return this.put(facts, repeat, items, undefined);
    items.splice(Number(dropped[1]) - 1, 1);
    return this.put(facts, repeat, items.slice(0, -1), items.at(-1));
  }

  /** Takes the last item into hand again when the one in hand was not even begun to an end: "back" over "another one". */
  undo(facts: Facts, repeat: Repeat): Facts {
    const before = this.before(facts, repeat);
    const last = before.at(-1);
    if (!last || this.inHand(facts, repeat)) return facts;
    return this.put(facts, repeat, before.slice(0, -1), last);
  }

  /** The facts with an item of the list in hand, for texts about it. */
  holding(facts: Facts, repeat: Repeat, item: JsonObject): Facts {
    return this.put(facts, repeat, [], item);
  }

  private put(
    facts: Facts,
    { step, slots: names, ids }: Repeat,
    before: readonly JsonObject[],
    item: JsonObject | undefined,
  ): Facts {
    const gone = new Set([...names, step.more?.slot ?? ""]);
    const kept = Object.entries(facts.slots).filter(([slot]) => !gone.has(slot));
    const drop = new Set(ids);
    const rest = <V>(record: { readonly [id: string]: V }) =>
      Object.fromEntries(Object.entries(record).filter(([id]) => !drop.has(id) && !gone.has(id)));
    const slots: Record<string, Json> = {
      ...Object.fromEntries(kept),
      [step.slot]: [...before],
      ...(item as Record<string, Json> | undefined),
    };
    const next: Facts = {
      ...facts,
      slots,
      marks: rest(facts.marks),
      done: rest(facts.done),
      focus: facts.focus.filter((slot) => !gone.has(slot)),
    };
    if (!item) return next;
    // What was left out of the item that comes back stays left out, where it was asked at all.
    for (const slot of names)
      if (!Object.hasOwn(item, slot) && this.model.maySkip(slot) && this.model.isLive(next, slot))
        slots[slot] = null;
    return next;
  }
}
