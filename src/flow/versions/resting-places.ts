/**
 * Every place where a conversation of a flow can wait, with possible facts. They are found by walking the flow from its
 * start with sample answers and results, until no new one comes.
 *
 * Two states are the same place when the step, the filled slots, the values that conditions read, and the earlier outcomes
 * are equal. Skipped or hidden answers that no condition reads count only as none or one: each is tried alone and some
 * together, not every combination.
 */
import type { FlowEvent, ProgramContext, ProgramState, ProgramStep } from "../../engine/index.ts";
import type { Facts } from "../moves/facts.ts";
import { maxTries } from "../machine/limits.ts";
import type { FlowProgram } from "../machine/program.ts";
import { Samples } from "./samples.ts";
import type { Step } from "../ast/ast.ts";
import { onOf } from "../machine/raw.ts";
import { isAsk, kindOf } from "../machine/steps.ts";
import type { Trial } from "../steps/step-kind.ts";

/** States walked of one flow at most; a larger flow is walked in part, and that is said. */
const STATES_MAX = 20_000;

/** Misunderstandings tried at one step at most. */
const TRIES_MAX = 20;

export interface Place {
  readonly at: string;
  readonly state: ProgramState;
  /** What it began in, and how it was reached from there. */
  readonly begun: Surroundings;
  readonly events: readonly FlowEvent[];
}

/** What a conversation began in, and what came since. */
export type Path = Pick<Place, "begun" | "events">;

type Surroundings = ReturnType<Samples["surroundings"]>[number];

interface Places {
  readonly places: readonly Place[];
  /** False when there were more than could be walked. */
  readonly whole: boolean;
}

/** Told of every turn of a walk. What it throws ends the walk. */
interface WalkWatch {
  turned?(step: ProgramStep, how: Path, before?: ProgramState): void;
  /** The flow threw. */
  failed?(error: unknown, path: readonly FlowEvent[]): void;
  /** A place that the walk has not reached before. */
  place?(place: Place): void;
  /** These events lead from a place back to it. */
  circle?(place: Place, events: readonly FlowEvent[]): void;
}

/** Every place of `program`. Pure: `context` is the moment all of it happens in. */
export function placesOf(
  program: FlowProgram,
  context: ProgramContext,
  watch: WalkWatch = {},
): Places {
  return new Walk(program, context, watch).all();
}

class Walk {
  readonly #program: FlowProgram;
  readonly #context: ProgramContext;
  readonly #samples: Samples;
  readonly #ways: Ways;
  readonly #seen = new Map<string, Place>();
  readonly #places: Place[] = [];
  readonly #queue: Place[] = [];
  readonly #watch: WalkWatch;
  #whole = true;

  constructor(program: FlowProgram, context: ProgramContext, watch: WalkWatch) {
    this.#watch = watch;
    this.#program = program;
    this.#context = context;
    this.#samples = new Samples(program.model);
    this.#ways = new Ways(program, context, this.#samples);
  }

  all(): Places {
    for (const begun of this.#samples.surroundings())
      this.#reached(() => this.#program.start(begun, this.#context), { begun, events: [] });
    for (let place = this.#queue.shift(); place; place = this.#queue.shift())
      for (const event of this.#ways.at(place.state)) {
        const { state, begun, events } = place;
        const given = Array.from({ length: this.#times(state, event) }, () => event);
        const how = { begun, events: [...events, ...given] };
        this.#reached(() => this.#step(state, given), how, state);
      }
    return { places: this.#places, whole: this.#whole };
  }

  /** An answer that is not understood is given until the flow has enough of it. */
  #times(state: ProgramState, event: FlowEvent): number {
    const { model } = this.#program;
    const facts = state.facts as unknown as Facts;
    const step = model.steps.get(facts.at);
    return event.type === "BAD" && step ? Math.min(maxTries(model, facts, step), TRIES_MAX) : 1;
  }

  #step(state: ProgramState, events: readonly FlowEvent[]): ReturnType<FlowProgram["step"]> {
    const [first, ...rest] = events;
    if (!first) throw new TypeError("no event");
    let reached = this.#program.step(state, first, this.#context);
    for (const event of rest) reached = this.#program.step(reached.state, event, this.#context);
    return reached;
  }

  #reached(go: () => ProgramStep, how: Path, before?: ProgramState): void {
    let reached: ReturnType<typeof go>;
    try {
      reached = go();
    } catch (error) {
      this.#watch.failed?.(error, how.events);
      // A sample that the flow cannot take is no place; whether the flow throws is lint's and the turn's business.
      return;
    }
    this.#watch.turned?.(reached, how, before);
    if (reached.ended !== undefined) return;
    const facts = reached.state.facts as unknown as Facts;
    const key = this.#key(reached.state, facts);
    const known = this.#seen.get(key);
    if (known) {
      if (comesOver(how, known)) this.#watch.circle?.(known, how.events.slice(known.events.length));
      return;
    }
    if (this.#seen.size >= STATES_MAX) {
      this.#whole = false;
      return;
    }
    const place = { at: facts.at, state: reached.state, ...how };
    this.#seen.set(key, place);
    this.#places.push(place);
    this.#watch.place?.(place);
    this.#queue.push(place);
  }

  #key(state: ProgramState, facts: Facts): string {
    const deciding = [...this.#samples.deciding];
    const { model } = this.#program;
    const values = deciding.map((slot) => facts.slots[slot] ?? null);
    const ends = Object.entries(facts.done).map(([id, { is }]) => `${id}:${is}`);
    const fits = model.places.flatMap(({ step }) =>
      facts.done[step.id] && model.settled(facts, step) === undefined ? [step.id] : [],
    );
    return JSON.stringify([
      state.value,
      this.#filledIn(facts),
      values,
      facts.sealed,
      facts.pending?.step ?? null,
      ends.sort(),
      fits,
      [...facts.focus].sort(),
      facts.env,
    ]);
  }

  /** Slots that were asked and count, then those set aside, as far as the walk distinguishes them. */
  #filledIn(facts: Facts): readonly (readonly string[])[] {
    const { model } = this.#program;
    const asked: string[] = [];
    const aside: string[] = [];
    for (const [slot, value] of Object.entries(facts.slots)) {
      const folds = !this.#samples.deciding.has(slot) && !model.isPart(slot);
      const live = model.isLive(facts, slot);
      if (folds && (!live || value === null)) aside.push(live ? `${slot}?` : slot);
      if (!folds) asked.push(value === null ? `${slot}?` : slot);
      else if (live) asked.push(slot);
    }
    return [asked.sort(), aside.length > 1 ? ["several"] : aside];
  }
}

/** Whether a path leads over a place, not only to its like. */
function comesOver(path: Path, { begun, events }: Place): boolean {
  return (
    path.begun === begun &&
    path.events.length > events.length &&
    events.every((event, index) => event === path.events[index])
  );
}

/** Events that carry nothing. */
const PLAIN: ReadonlySet<string> = new Set(
  ["CANCEL", "BACK", "SKIP", "REPEAT", "HELP", "WHY", "HUMAN", "YES", "NO", "RESUME"].concat([
    "quiet.nudge",
    "quiet.expire",
  ]),
);
const LOST: FlowEvent = { type: "send.failed", reason: "unreachable" };

/** Events that are possible at a place: an answer of each sort, each outcome, and every repair that leads away. */
export class Ways {
  readonly #program: FlowProgram;
  readonly #context: ProgramContext;
  readonly #samples: Samples;

  constructor(program: FlowProgram, context: ProgramContext, samples: Samples) {
    this.#program = program;
    this.#context = context;
    this.#samples = samples;
  }

  at(state: ProgramState): readonly FlowEvent[] {
    const facts = state.facts as unknown as Facts;
    const { model, machine } = this.#program;
    const step = model.steps.get(facts.at);
    if (!step) return [];
    const own = machine.config.states[state.value as string]?.on ?? {};
    return [...this.#answers(step, facts, own), ...this.#repairs(step, facts, own)];
  }

  #answers(step: Step, facts: Facts, own: object): readonly FlowEvent[] {
    const { model, speaker } = this.#program;
    const head = `${step.id}.`;
    const trial: Trial = {
      model,
      facts,
      answers: (slot) => {
        const { params, options } = speaker.kindContext(facts, slot, this.#context);
        return options.length > 0 ? options.map(({ id }) => id) : this.#samples.of(slot, params);
      },
      results: (id) => this.#samples.results(id),
      taken: Object.keys(own).flatMap((type) =>
        type.startsWith(head) ? [type.slice(head.length)] : [],
      ),
    };
    return kindOf(step).events?.(step, trial) ?? [];
  }

  /** Repair as this flow and this step have it, and what a machine made by hand takes beside it. */
  #repairs(step: Step, facts: Facts, on: object): FlowEvent[] {
    const { ast } = this.#program.model;
    const own = "repair" in step ? step.repair : undefined;
    const rules = { ...ast.policy.repair, ...own, ...(ast.machine ? onOf(ast.machine) : {}) };
    const plain = Object.keys(ast.machine ? { ...rules, ...on } : rules);
    const events = plain.flatMap((type): FlowEvent[] =>
      PLAIN.has(type) ? [{ type } as FlowEvent] : type === "send.failed" ? [LOST] : [],
    );
    const back: FlowEvent[] = isAsk(step) && facts.focus.length === 0 ? [{ type: "BACK" }] : [];
    return [...events, ...back];
  }
}
