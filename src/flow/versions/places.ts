/**
 * Every place where a conversation can rest in a flow, with the facts it can rest there with: found by walking the flow
 * from its start with sample answers and results, until nothing new comes.
 *
 * Two states are the same place when they stand at the same step with the same slots filled, the same values where
 * conditions read them, and the same outcomes behind them.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type { FlowEvent, ProgramContext, ProgramState, ProgramStep } from "../../engine/index.ts";
import type { Facts } from "../facts.ts";
import type { FlowProgram } from "../program.ts";
import { onOf } from "../raw-shape.ts";
import { isAsk } from "../steps.ts";
import type { Step } from "../ast.ts";
import { Samples } from "./samples.ts";

/** States walked of one flow at most; a larger flow is walked in part, and that is said. */
const STATES_MAX = 20_000;

/** Events that carry nothing. */
const PLAIN: ReadonlySet<string> = new Set(
  [
    ...["CANCEL", "BACK", "SKIP", "REPEAT", "HELP", "WHY", "HUMAN"],
    ...["YES", "NO", "RESUME"],
  ].concat(["quiet.nudge", "quiet.expire"]),
);
const LOST: FlowEvent = { type: "send.failed", reason: "unreachable" };

/** Misunderstandings tried at one step at most. */
const TRIES_MAX = 20;

export interface Place {
  readonly at: string;
  readonly state: ProgramState;
  /** What it began in, and how it was reached from there. */
  readonly begun: Surroundings;
  readonly events: readonly FlowEvent[];
}

type Surroundings = ReturnType<Samples["surroundings"]>[number];

export interface Places {
  readonly places: readonly Place[];
  /** False when there were more than could be walked. */
  readonly whole: boolean;
}

/** Told of every turn of a walk. What it throws ends the walk. */
export interface WalkWatch {
  turned?(step: ProgramStep, path: readonly FlowEvent[]): void;
  /** The flow threw. */
  failed?(error: unknown, path: readonly FlowEvent[]): void;
  /** A place nobody was at before. */
  place?(place: Place): void;
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
  readonly #seen = new Set<string>();
  readonly #places: Place[] = [];
  readonly #queue: Place[] = [];
  readonly #watch: WalkWatch;
  #whole = true;

  constructor(program: FlowProgram, context: ProgramContext, watch: WalkWatch) {
    this.#watch = watch;
    this.#program = program;
    this.#context = context;
    this.#samples = new Samples(program.model);
  }

  all(): Places {
    for (const begun of this.#samples.surroundings())
      this.#reached(() => this.#program.start(begun, this.#context), { begun, events: [] });
    for (let place = this.#queue.shift(); place; place = this.#queue.shift())
      for (const event of this.#events(place)) {
        const { state, begun, events } = place;
        const given = Array.from({ length: this.#times(state, event) }, () => event);
        this.#reached(() => this.#step(state, given), { begun, events: [...events, ...given] });
      }
    return { places: this.#places, whole: this.#whole };
  }

  /** An answer that is not understood is given until the flow has enough of it. */
  #times(state: ProgramState, event: FlowEvent): number {
    const { model } = this.#program;
    const facts = state.facts as unknown as Facts;
    const step = model.steps.get(facts.at);
    return event.type === "BAD" && step ? Math.min(model.maxTries(facts, step), TRIES_MAX) : 1;
  }

  #step(state: ProgramState, events: readonly FlowEvent[]): ReturnType<FlowProgram["step"]> {
    const [first, ...rest] = events;
    if (!first) throw new TypeError("no event");
    let reached = this.#program.step(state, first, this.#context);
    for (const event of rest) reached = this.#program.step(reached.state, event, this.#context);
    return reached;
  }

  #reached(go: () => ProgramStep, how: Pick<Place, "begun" | "events">): void {
    let reached: ReturnType<typeof go>;
    try {
      reached = go();
    } catch (error) {
      this.#watch.failed?.(error, how.events);
      // A sample that the flow cannot take is no place; whether the flow throws is lint's and the turn's business.
      return;
    }
    this.#watch.turned?.(reached, how.events);
    if (reached.ended !== undefined) return;
    const facts = reached.state.facts as unknown as Facts;
    const key = this.#key(reached.state, facts);
    if (this.#seen.has(key)) return;
    if (this.#seen.size >= STATES_MAX) {
      this.#whole = false;
      return;
    }
    this.#seen.add(key);
    const place = { at: facts.at, state: reached.state, ...how };
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
      ...[state.value, filledIn(facts), values, facts.sealed, facts.pending?.step ?? null],
      ...[ends.sort(), fits, [...facts.focus].sort(), facts.env],
    ]);
  }

  #events({ state }: Place): FlowEvent[] {
    const facts = state.facts as unknown as Facts;
    const { model, machine } = this.#program;
    const step = model.steps.get(facts.at);
    if (!step) return [];
    const own = machine.config.states[state.value as string]?.on ?? {};
    return [...this.#answers(step, facts, own), ...this.#repairs(step, facts, own)];
  }

  #answers(step: Step, facts: Facts, own: object): FlowEvent[] {
    const { model, speaker } = this.#program;
    switch (step.t) {
      case "ask":
      case "choose": {
        const { slot } = step;
        const { params, options } = speaker.kindContext(facts, slot, this.#context);
        const chosen: readonly Json[] =
          options.length > 0 ? options.map(({ id }) => id) : this.#samples.of(slot, params);
        const answers = chosen.map((value): FlowEvent => ({
          type: "ANSWER",
          values: { [slot]: value },
        }));
        return [
          ...answers,
          ...(model.isOptional(step) ? [{ type: "SKIP" } as const] : []),
          ...(step.onMax === undefined ? [] : [{ type: "BAD", reason: "absent" } as const]),
        ];
      }
      case "confirm": {
        const edits = model
          .liveSlots(facts)
          .filter((slot) => facts.focus.length === 0 && (step.edit?.includes(slot) ?? true))
          .map((slot): FlowEvent => ({ type: "EDIT", slots: [slot] }));
        return [{ type: "YES" }, { type: "NO" }, ...edits];
      }
      case "effect":
      case "subflow":
      case "notify":
      case "wait": {
        const digest = facts.pending?.for;
        if (digest === undefined) return [];
        const outcomes = new Set([
          ...Object.keys(step.on),
          ...(step.t === "notify" ? ["late"] : []),
          ...Object.keys(own).flatMap((type) =>
            type.startsWith(`${step.id}.`) ? [type.slice(step.id.length + 1)] : [],
          ),
        ]);
        return [...outcomes].flatMap((outcome) =>
          this.#samples.results(step.id).map((out): FlowEvent => ({
            type: `${step.id}.${outcome}`,
            for: digest,
            out: out satisfies JsonObject,
          })),
        );
      }
      case "handoff":
        return [{ type: "RESUME" }];
      default:
        return [];
    }
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

function filledIn(facts: Facts): readonly string[] {
  return Object.entries(facts.slots)
    .map(([slot, value]) => (value === null ? `${slot}?` : slot))
    .sort();
}
