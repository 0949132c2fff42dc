/** Paths that lead back to their beginning, walked many times: the stored state must not grow with the rounds. */
import type { FlowEvent, ProgramState } from "../../engine/index.ts";
import { ITEMS_LIMIT } from "../moves/repeats.ts";
import type { Place } from "../versions/index.ts";
import { factsOf, Ground } from "./property-place.ts";

/** Circles of one flow that are gone round: one of each sort. */
const CIRCLES_MAX = 10;
/** Rounds, and how many of them at the end must add nothing. A list may grow until it is full. */
const ROUNDS = 30;
const LAST = 10;
/** Letters that counters may take more. */
const SLACK = 8;

export class Circles extends Ground {
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
