/**
 * Random walks: anything that a person or the world may send, in an order that a fixed seed gives. No walk may throw or
 * violate the call ledger.
 */
import type { Json } from "../../base/index.ts";
import type { FlowEvent, ProgramState } from "../../engine/index.ts";
import type { FlowProgram } from "../machine/program.ts";
import { Ways, type Path, type Place } from "../versions/resting-places.ts";
import { factsOf, Ground } from "./property-place.ts";
import { BLANK, booked, type Ledger, ONCE } from "./call-ledger.ts";

/** Walks of one flow, and turns of each. */
const WALKS = 16;
const TURNS = 40;
/** Of ten turns so many are what is waited for; the others are anything. */
const FITTING = 6;

const ANY_TIME = [
  ...(["YES", "NO", "BACK", "SKIP", "REPEAT", "HELP", "WHY", "HUMAN", "RESUME"] as const),
  ...(["quiet.nudge", "YES", "BACK"] as const),
].map((type): FlowEvent => ({ type }));

export class Rambles extends Ground {
  /** Numbers from 0 to 1, the same for everybody: mulberry32 with a fixed seed. */
  #seed = 0x5eed;

  ramble(): void {
    const ways = new Ways(this.program, this.context, this.samples);
    const surroundings = this.samples.surroundings();
    for (let walk = 0; walk < WALKS; walk++) {
      const begun = surroundings[walk % surroundings.length];
      if (begun) this.#walk(begun, ways);
    }
  }

  #walk(begun: Path["begun"], ways: Ways): void {
    let step = this.program.start(begun, this.context);
    let ledger = booked(BLANK, undefined, step);
    const path: FlowEvent[] = [];
    let last: FlowEvent | undefined;
    for (let turn = 0; turn < TURNS && !step.ended; turn++) {
      const fitting = ways.at(step.state);
      const event =
        this.#below(10) < FITTING ? this.#pick(fitting) : this.#anything(step.state, last);
      if (!event) continue;
      path.push(event);
      this.path = path;
      last = event;
      step = this.turn(step.state, event);
      ledger = booked(ledger, event, step);
      if (ledger.wrong !== undefined)
        return this.broken(
          "a call that counts is begun once",
          factsOf(step.state).at,
          ledger.wrong,
        );
    }
  }

  /** A call that counts is under way; somebody does something else, and then all that would lead there again. */
  beset(place: Place, ledger: Ledger): void {
    const ways = new Ways(this.program, this.context, this.samples);
    const facts = factsOf(place.state);
    const changes = this.changes(facts);
    const slots = Object.keys(facts.slots);
    const events: FlowEvent[] = [
      ...(["CORRECT", "ANSWER"] as const).flatMap((type) =>
        changes.map(([slot, value]) => ({ type, values: { [slot]: value } })),
      ),
      { type: "EDIT", slots },
      ...(["CANCEL", "BACK", "SKIP", "NO", "RESUME", "quiet.expire"] as const).map((type) => ({
        type,
      })),
      ...stale(this.program, place.state),
    ];
    for (const event of events) {
      this.path = [...place.events, event];
      let step = this.turn(place.state, event);
      let book = booked(ledger, event, step);
      for (let turn = 0; turn < TURNS && !step.ended && book.wrong === undefined; turn++) {
        const [next] = ways.at(step.state);
        const { pending } = factsOf(step.state);
        if (!next || (pending && Object.hasOwn(book.open, pending.step))) break;
        step = this.turn(step.state, next);
        book = booked(book, next, step);
      }
      if (book.wrong !== undefined) this.broken(ONCE, factsOf(step.state).at, book.wrong);
    }
  }

  /** An answer to another question than the current one. */
  #anything(state: ProgramState, last: FlowEvent | undefined): FlowEvent | undefined {
    const facts = factsOf(state);
    const changes = this.changes(facts);
    const slots = Object.keys(facts.slots);
    const values = (): { readonly [slot: string]: Json } => Object.fromEntries(this.#some(changes));
    const sorts: (() => FlowEvent | undefined)[] = [
      () => this.#pick(ANY_TIME),
      () => ({ type: "ANSWER", values: values() }),
      () => ({ type: "CORRECT", values: values() }),
      () => ({ type: "EDIT", slots: this.#some(slots) }),
      () => ({ type: "BAD", reason: "invalid" }),
      () => this.#pick(stale(this.program, state)),
      () => last,
    ];
    return this.#pick(sorts)?.();
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#below(list.length)];
  }

  /** One or two of a list. */
  #some<T>(list: readonly T[]): T[] {
    const from = this.#below(Math.max(1, list.length));
    return list.slice(from, from + 1 + this.#below(2));
  }

  #below(limit: number): number {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }
}

/** Outcomes of something that was asked before. */
function stale(program: FlowProgram, { value }: ProgramState): FlowEvent[] {
  return Object.keys(program.machine.config.states[value as string]?.on ?? {})
    .filter((type) => type.includes(".") && !/^(?:quiet|send)\./.test(type))
    .map((type) => ({ type: type as `${string}.${string}`, for: "of something else", out: {} }));
}
