/**
 * What a flow's tests covered: edges, both results of guards, and for each slot an accepted answer and the reasons for
 * refused ones. It is a probe that is filled while the flow is played.
 */
import type { FlowEvent } from "../../engine/index.ts";
import {
  type EdgeConfig,
  type FlowConfig,
  type GuardConfig,
  targetOf,
  edgesOf,
  type Probe,
} from "../machine/config.ts";
import type { FlowProgram } from "../machine/program.ts";
import { isAsk, kindOf } from "../machine/steps.ts";
import type { Facts } from "../moves/facts.ts";

export interface Line {
  /** Name of the edge, or slot. */
  readonly id: string;
  /** State of the machine; `*` for what holds in each. */
  readonly state: string;
  /** Step of the author's list, for its place in the file. */
  readonly step: string;
  readonly text: string;
}

export interface Share {
  readonly all: number;
  readonly met: number;
  readonly missing: readonly Line[];
}

export interface Coverage {
  readonly flow: string;
  readonly hash: string;
  readonly edges: Share;
  /** A guard counts twice: once for yes, once for no. */
  readonly guards: Share;
  /** A slot counts twice: an answer taken, and one refused where its kind refuses any. */
  readonly validators: Share;
}

export class Sheet implements Probe {
  readonly edges = new Set<string>();
  readonly #held = new Set<string>();
  readonly #denied = new Set<string>();
  readonly #taken = new Set<string>();
  readonly #refused = new Set<string>();
  #at: (facts: Facts) => string | undefined = () => undefined;

  took(edge: string): void {
    this.edges.add(edge);
  }

  tried(edge: string, held: boolean): void {
    (held ? this.#held : this.#denied).add(edge);
  }

  event(facts: Facts, event: FlowEvent): void {
    if (event.type === "ANSWER" || event.type === "CORRECT")
      for (const slot of Object.keys(event.values)) this.#taken.add(slot);
    if (event.type !== "BAD") return;
    const slot = this.#at(facts);
    if (slot !== undefined) this.#refused.add(slot);
  }

  /** Gives the sheet the flow of these questions; before that, refused answers have no slot. */
  reads(program: FlowProgram): this {
    this.#at = (facts) => {
      const step = program.model.steps.get(facts.at);
      return step && isAsk(step) ? step.slot : undefined;
    };
    return this;
  }

  coverage(program: FlowProgram): Coverage {
    const { config } = program.machine;
    const edges = edgesOf(config).filter((one) => possible(program, one));
    const guards = edges.flatMap(({ id, state, event, edge }) => {
      if (!edge.guard) return [];
      const head = { id, state, step: stepOf(config, state) };
      const about = `${where(state)} ${event}: ${guardText(edge.guard)}`;
      const one = { ...head, text: `${about} was never true`, met: this.#held.has(id) };
      const other = { ...head, text: `${about} was never false`, met: this.#denied.has(id) };
      return [one, ...(possible(program, { state, event, edge, denied: true }) ? [other] : [])];
    });
    const validators = program.model.order.flatMap((slot) => {
      // Nobody is asked for a list: only for what stands in it.
      if (program.model.repeats.lists.has(slot)) return [];
      const kind = program.model.kind(slot);
      const step = [...program.model.steps.values()].find(
        (one) => isAsk(one) && one.slot === slot,
      )?.id;
      const head = { id: slot, state: slot, step: step ?? slot };
      const taken = {
        ...head,
        text: `${slot}: no answer was taken`,
        met: this.#taken.has(slot),
      };
      const refused = {
        ...head,
        text: `${slot}: no answer was refused`,
        met: this.#refused.has(slot),
      };
      return [taken, ...(kind && kind.bad.length > 0 ? [refused] : [])];
    });
    return {
      flow: program.flow,
      hash: program.hash,
      edges: share(
        edges.map(({ id, state, event, edge }) => ({
          id,
          state,
          step: stepOf(config, state),
          text: `${where(state)} ${event}${edge.guard ? ` [${guardText(edge.guard)}]` : ""} -> ${
            targetOf(config, edge) ?? "stays"
          }`,
          met: this.edges.has(id),
        })),
      ),
      guards: share(guards),
      validators: share(validators),
    };
  }
}

function share(lines: readonly (Line & { readonly met: boolean })[]): Share {
  const missing = lines.filter(({ met }) => !met).map(({ met: _met, ...line }) => line);
  return { all: lines.length, met: lines.length - missing.length, missing };
}

function stepOf(config: FlowConfig, state: string): string {
  return config.states[state]?.meta.step ?? state;
}

function where(state: string): string {
  return state === "*" ? "anywhere" : state;
}

export function guardText({ type, params }: GuardConfig): string {
  const about = [params["step"], params["is"] ?? params["option"]].filter(
    (part) => typeof part === "string",
  );
  return [type, ...about].join(" ");
}

/** Share as whole percent, never rounded up to 100. */
export function percent({ all, met }: Share): number {
  return all === 0 ? 100 : Math.floor((100 * met) / all);
}

interface AnEdge {
  readonly state: string;
  readonly event: string;
  readonly edge: EdgeConfig;
  /** Asked of a guard: can it say no? */
  readonly denied?: boolean;
}

export function possible(program: FlowProgram, { state, event, edge, denied }: AnEdge): boolean {
  if (state === "idle") return false;
  const { model } = program;
  const steps = [...model.steps.values()];
  const asks = steps.filter(isAsk);
  const seals = steps.some((step) => model.isSealing(step));
  // An end that no step names.
  if (state !== "*") return true;
  const kind = edge.guard?.type;
  const word = edge.actions?.[0]?.params.word;
  const rests = steps.some((step) => isAsk(step) || step.t === "confirm");
  if (!seals && (word === "too-late" || (denied && kind === "open"))) return false;
  if (event === "ANSWER" && !denied && kind === "open") return model.order.length > 1;
  if ((event === "ANSWER" || event === "CORRECT") && asks.length === 0) return false;
  // With one question and nothing after it, no step waits with an answer that could be changed.
  const later = asks.length > 1 || steps.some((step) => kindOf(step).rests && !isAsk(step));
  if (!later && (event === "CORRECT" || (event === "ANSWER" && (denied || kind === "open"))))
    return false;
  if (event === "EDIT") return model.order.length > 0;
  if (event === "BACK" && kind === "canBack" && !denied) return asks.length > 1;
  if (event === "SKIP" && kind === "optional") {
    const optional = asks.filter((step) => model.isOptional(step)).length;
    return denied ? optional < asks.length || seals : optional > 0;
  }
  return event.startsWith("quiet.") ? rests : true;
}
