/**
 * Whole conversations of the walk, repeated in other ways: answers in another order, all at once, or each message twice.
 * Each must end the same, with the same answers and the same costly calls.
 */
import { canonicalJson, type Json, type JsonObject } from "../../base/index.ts";
import type { FlowEvent, ProgramState, ProgramStep } from "../../engine/index.ts";
import { isAsk } from "../machine/steps.ts";
import { type Path } from "../versions/resting-places.ts";
import { factsOf, Ground, restOf } from "./property-place.ts";
import { BLANK, booked, type Ledger } from "./call-ledger.ts";

/** Conversations of one flow that are repeated. More of them would differ in nothing that the order affects. */
const STORIES_MAX = 12;
/** Turns of one telling at most. */
const TURNS_MAX = 80;

/** How a telling ended. */
interface Told {
  readonly at: string;
  readonly slots: string;
  readonly calls: readonly string[];
}

export class Stories extends Ground {
  readonly #paths = new Map<string, Path>();

  /** Keeps a conversation that came to its end, or to a person, by answers alone. */
  heard(step: ProgramStep, path: Path): void {
    const { at } = factsOf(step.state);
    if (!step.ended && this.program.model.steps.get(at)?.t !== "handoff") return;
    if (!path.events.every(isPlain)) return;
    const key = JSON.stringify([restOf(step), path.events.map(sortOf)]);
    if (this.#paths.size < STORIES_MAX && !this.#paths.has(key)) this.#paths.set(key, path);
  }

  tellAgain(): void {
    for (const path of this.#paths.values()) {
      this.path = path.events;
      this.#twice(path);
      this.#anyOrder(path);
    }
  }

  /** Each message and each result comes twice. */
  #twice(path: Path): void {
    const once = this.#play(path, false);
    const twice = this.#play(path, true);
    this.#compare("messages that come twice change nothing", once, twice, "each came twice");
  }

  #play({ begun, events }: Path, twice: boolean): Told {
    let step = this.program.start(begun, this.context);
    let ledger = booked(BLANK, undefined, step);
    for (const event of events) {
      for (let time = 0; time < (twice ? 2 : 1); time++) {
        if (step.ended || (time > 0 && !this.#repeats(event, step.state))) break;
        step = this.turn(step.state, event);
        ledger = booked(ledger, event, step);
      }
    }
    return this.#told(step, ledger);
  }

  /** Whether a person who says it again says it of the same thing: a second yes may be one to the next question. */
  #repeats(event: FlowEvent, { facts }: ProgramState): boolean {
    const { model } = this.program;
    const at = model.steps.get((facts as { at: string }).at);
    if (event.type === "YES") return at?.t !== "confirm";
    if ("values" in event) return !Object.keys(event.values).some((slot) => model.isPart(slot));
    return event.type !== "RESUME";
  }

  /** The same answers, later ones first and many in one message. */
  #anyOrder(path: Path): void {
    const { model } = this.program;
    if (this.overridden("", "ANSWER")) return;
    const values = answersOf(path.events);
    // What depends on another answer, is offered by it or is one of several is answered when it is asked.
    const free = [...values.keys()].filter(
      (slot) =>
        values.get(slot)?.length === 1 &&
        !model.isPart(slot) &&
        (model.asks.get(slot) ?? []).every(({ step }) => step.t !== "ask" || !step.from),
    );
    if (free.length < 2 || [...values.values()].some((of) => of.length > 1)) return;
    const half = Math.ceil(free.length / 2);
    const orders: [string, string[][]][] = [
      ["all in one message", [free]],
      ["the last first", [...free].reverse().map((slot) => [slot])],
      ["the later half in one message first", [free.slice(half), free.slice(0, half)]],
      ["every other one first", [...odd(free, 1), ...odd(free, 0)].map((slot) => [slot])],
    ];
    const plain = this.#drive(
      path,
      values,
      free.map((slot) => [slot]),
    );
    for (const [how, order] of orders)
      this.#compare(
        "the order of answers does not matter",
        plain,
        this.#drive(path, values, order),
        how,
      );
  }

  /** Sends the messages, then answers what is still asked; others report as they did in the story. */
  #drive(path: Path, values: Values, messages: readonly (readonly string[])[]): Told {
    const results = resultsOf(path.events);
    const { model } = this.program;
    let step = this.program.start(path.begun, this.context);
    let ledger = booked(BLANK, undefined, step);
    const take = (event: FlowEvent): void => {
      step = this.turn(step.state, event);
      ledger = booked(ledger, event, step);
    };
    const settle = (): void => {
      for (let left = TURNS_MAX; left > 0 && !step.ended; left--) {
        const { pending } = factsOf(step.state);
        const result = pending && results.get(pending.step);
        if (!pending || !result) return;
        take({ type: `${pending.step}.${result.outcome}`, for: pending.for, out: result.out });
        if (factsOf(step.state).pending?.for === pending.for) return;
      }
    };
    settle();
    for (const slots of messages) {
      if (step.ended) break;
      const of = slots.map((slot) => [slot, values.get(slot)?.[0] ?? null]);
      take({ type: "ANSWER", values: Object.fromEntries(of) as JsonObject });
      settle();
    }
    for (let left = TURNS_MAX; left > 0 && !step.ended; left--) {
      const at = model.steps.get(factsOf(step.state).at);
      const value = at && isAsk(at) ? values.get(at.slot)?.[0] : undefined;
      if (at?.t === "confirm") take({ type: "YES" });
      else if (at && isAsk(at) && value !== undefined)
        take({ type: "ANSWER", values: { [at.slot]: value } });
      else break;
      settle();
    }
    return this.#told(step, ledger);
  }

  #told(step: ProgramStep, { all }: Ledger): Told {
    return { at: restOf(step), slots: canonicalJson(factsOf(step.state).slots), calls: all };
  }

  #compare(property: string, one: Told, other: Told, how: string): void {
    const differs =
      one.at !== other.at
        ? `it ends at ${other.at}, not ${one.at}`
        : one.slots !== other.slots
          ? "other answers are kept"
          : one.calls.join() !== other.calls.join()
            ? `${other.calls.length} calls that count, not ${one.calls.length}, or others`
            : undefined;
    if (differs !== undefined) this.broken(property, one.at, `${how}: ${differs}`);
  }
}

type Values = ReadonlyMap<string, readonly Json[]>;

function isPlain(event: FlowEvent): boolean {
  return (
    event.type === "ANSWER" ||
    event.type === "YES" ||
    ("for" in event && !/\.held$/.test(event.type))
  );
}

function sortOf(event: FlowEvent): string {
  return "values" in event ? Object.keys(event.values).join() : event.type;
}

function answersOf(events: readonly FlowEvent[]): Values {
  const values = new Map<string, Json[]>();
  for (const event of events)
    if (event.type === "ANSWER" && "values" in event)
      for (const [slot, value] of Object.entries(event.values))
        if (value !== undefined) values.set(slot, [...(values.get(slot) ?? []), value]);
  return values;
}

function resultsOf(events: readonly FlowEvent[]) {
  const results = new Map<string, { readonly outcome: string; readonly out: JsonObject }>();
  for (const event of events) {
    if (!("for" in event)) continue;
    const dot = event.type.lastIndexOf(".");
    results.set(event.type.slice(0, dot), { outcome: event.type.slice(dot + 1), out: event.out });
  }
  return results;
}

function odd<T>(list: readonly T[], rest: number): T[] {
  return list.filter((_one, index) => index % 2 === rest);
}
