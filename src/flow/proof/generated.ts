/**
 * Generated tests of a flow: sample answers reach every place where a conversation can wait, and all properties are
 * checked there.
 */
import type { FlowEvent, ProgramContext, ProgramState, ProgramStep } from "../../engine/index.ts";
import type { FlowProgram } from "../machine/program.ts";
import { kindOf } from "../machine/steps.ts";
import { ITEMS_LIMIT } from "../moves/repeats.ts";
import { type Path, type Place, placesOf } from "../versions/resting-places.ts";
import { BLANK, booked, type Ledger, ONCE } from "./call-ledger.ts";
import { Properties } from "./properties.ts";
import { type Broken, factsOf, Ground } from "./property-place.ts";
import { Rambles } from "./random-walks.ts";
import { Stories } from "./retold-walks.ts";

/** Places of one step that are asked everything; the others differ from them in what was said before. */
const PLACES_OF_STEP = 12;
/** Places of one step with a call under way that everybody comes at. */
const BESET = 4;
/** Most violations reported of one flow; one mistake shows at many places. */
const BROKEN_MAX = 20;

export interface Generated {
  readonly flow: string;
  readonly places: number;
  /** False when the flow has more places than are walked. */
  readonly whole: boolean;
  /** Steps where one may rest and no walk did. */
  readonly unreached: readonly string[];
  readonly broken: readonly Broken[];
}

class Enough extends Error {}

/** Walks the flow. `most` = broken properties after which it stops. Pure. */
export function generated(
  program: FlowProgram,
  context: ProgramContext,
  most = BROKEN_MAX,
): Generated {
  const walk = new Generation(program, context, most);
  try {
    return walk.all();
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    return walk.result(false);
  }
}

class Generation {
  readonly #program: FlowProgram;
  readonly #context: ProgramContext;
  readonly #most: number;
  readonly #broken: Broken[] = [];
  readonly #asked = new Map<string, number>();
  readonly #rested = new Map<string, number>();
  readonly #ledgers = new WeakMap<ProgramState, Ledger>();
  readonly #properties: Properties;
  readonly #stories: Stories;
  readonly #circles: Circles;
  readonly #rambles: Rambles;

  constructor(program: FlowProgram, context: ProgramContext, most: number) {
    this.#program = program;
    this.#context = context;
    this.#most = most;
    const report = (one: Broken): void => this.#report(one);
    this.#properties = new Properties(program, context, report);
    this.#stories = new Stories(program, context, report);
    this.#circles = new Circles(program, context, report);
    this.#rambles = new Rambles(program, context, report);
  }

  all(): Generated {
    const { whole } = placesOf(this.#program, this.#context, {
      turned: (step, how, before) => this.#turned(step, how, before),
      failed: (error, path) => this.#properties.failed(error, path),
      circle: (place, events) => this.#circles.found(place, events),
      place: (place) => {
        const { at, state, events } = place;
        this.#asked.set(at, (this.#asked.get(at) ?? 0) + 1);
        // A call that is held rests apart from one that is under way.
        const rest = `${at} ${JSON.stringify(state["value"])}`;
        const before = this.#rested.get(rest) ?? 0;
        this.#rested.set(rest, before + 1);
        this.#properties.moved(state, events);
        if (before < PLACES_OF_STEP) this.#properties.place(state, events);
        const ledger = this.#ledgers.get(state);
        if (before < BESET && ledger && Object.keys(ledger.open).length > 0)
          this.#rambles.beset(place, ledger);
      },
    });
    this.#stories.tellAgain();
    this.#circles.goRound();
    this.#rambles.ramble();
    return this.result(whole);
  }

  result(whole: boolean): Generated {
    const places = [...this.#asked.values()].reduce((all, some) => all + some, 0);
    const unreached = this.#program.model.places.flatMap(({ step }) =>
      kindOf(step).rests && !this.#asked.has(step.id) ? [step.id] : [],
    );
    return { flow: this.#program.flow, places, whole, unreached, broken: this.#broken };
  }

  #turned(step: ProgramStep, how: Path, before: ProgramState | undefined): void {
    this.#properties.turned(step, how.events);
    this.#stories.heard(step, how);
    this.#book(step, how.events, before);
  }

  #book(step: ProgramStep, path: readonly FlowEvent[], before: ProgramState | undefined): void {
    const known = before && this.#ledgers.get(before);
    const ledger = booked(known ?? BLANK, path.at(-1), step);
    this.#ledgers.set(step.state, ledger);
    if (ledger.wrong === undefined) return;
    const { at } = factsOf(step.state);
    this.#properties.told(ONCE, at, path, ledger.wrong);
  }

  #report(one: Broken): void {
    this.#broken.push(one);
    if (this.#broken.length >= this.#most) throw new Enough();
  }
}

/** Circles of one flow that are gone round: one of each sort. */
const CIRCLES_MAX = 10;
/** Rounds, and how many of them at the end must add nothing. A list may grow until it is full. */
const ROUNDS = 30;
const LAST = 10;
/** Letters that counters may take more. */
const SLACK = 8;

class Circles extends Ground {
  readonly #found = new Map<string, [Place, readonly FlowEvent[]]>();

  found(place: Place, events: readonly FlowEvent[]): void {
    const key = `${place.at} ${events.map(({ type }) => type).join(" ")}`;
    if (this.#found.size < CIRCLES_MAX && !this.#found.has(key))
      this.#found.set(key, [place, events]);
  }

  goRound(): void {
    for (const [place, events] of this.#found.values()) {
      this.path = [...place.events, ...events];
      this.#round(place, events);
    }
  }

  #round(place: Place, events: readonly FlowEvent[]): void {
    const lists = this.program.model.repeats.lists.size > 0;
    const rounds = ROUNDS + (lists ? ITEMS_LIMIT : 0);
    let { state } = place;
    let before = 0;
    for (let round = 0; round < rounds; round++) {
      for (const event of events) {
        const step = this.turn(state, fresh(event, state));
        if (step.ended) return;
        state = step.state;
      }
      if (factsOf(state).at !== place.at) return;
      if (round === rounds - LAST) before = JSON.stringify(state).length;
    }
    const grown = JSON.stringify(state).length - before;
    if (grown > SLACK)
      this.broken(
        "what is remembered does not grow for ever",
        place.at,
        `${grown} letters more after ${LAST - 1} rounds`,
      );
  }
}

/** A result as it comes this time: of what is under way now. */
function fresh(event: FlowEvent, state: ProgramState): FlowEvent {
  const { pending } = factsOf(state);
  return "for" in event && pending ? { ...event, for: pending.for } : event;
}
