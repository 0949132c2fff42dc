/**
 * A loaded version of a flow as the engine's `Program`. It checks the input, runs the machine, renders the words in the
 * person's language, and returns plain data. Pure.
 */
import { Fault, type JsonObject, lettersAtMost } from "../../base/index.ts";
import { foldWords } from "../../brazil/index.ts";
import type {
  Expectation,
  FlowEvent,
  Paragraph,
  Program,
  ProgramContext,
  ProgramState,
  ProgramStep,
  StartOptions,
} from "../../engine/index.ts";
import type { Ast } from "../ast/ast.ts";
import { atStep } from "../ast/finding.ts";
import type { Vocabulary } from "../authoring/vocabulary.ts";
import { type Facts, NO_FACTS, pick, readFacts } from "../moves/facts.ts";
import type { MachineEvent } from "../moves/move.ts";
import { textRefs, type Catalogues } from "../texts/catalogue.ts";
import { Speaker, titleOf } from "../texts/speaker.ts";
import { wordsOf } from "../texts/words.ts";
import { adopted, answersNow, type Around } from "../versions/migrate.ts";
import { Renames, type Versions } from "../versions/renames.ts";
import { demandsOf } from "./demands.ts";
import { expectation, question, unfitOf, validOf, marksOf } from "./expectation.ts";
import { FlowIndex } from "./flow-index.ts";
import { Machine, type Position, type Turned } from "./machine.ts";
import type { Probe } from "./config.ts";
import { allRefs } from "./steps.ts";

/** Paths that are always copied into a frame: the common texts may name them. */
const ALWAYS = ["account.name", "contact.name"] as const;
/** Largest state of one flow, in letters of JSON: forty times an honest one. It is read and sealed with every turn. */
const STATE_MAX = 65_536;

interface ProgramParts {
  readonly ast: Ast;
  readonly words: Vocabulary;
  readonly texts: Catalogues;
  readonly common: Catalogues;
  /** Hash that is known: of a stored version the one it was stored under; code of its kinds may have moved since. */
  readonly hash?: string;
  /** File the flow was read from, for what is said when it fails. */
  readonly file?: string;
  /** Another loaded version of this flow, for re-stamping on migration. */
  readonly older?: (hash: string) => FlowIndex | undefined;
  /** Watches the machine, or changes it: for coverage and for tests of tests. */
  readonly probe?: Probe;
}

export class FlowProgram implements Program {
  readonly flow: string;
  readonly version: number;
  readonly hash: string;
  /** File it was read from, or its id. */
  readonly file: string;
  readonly title: string;
  readonly starts: readonly string[];
  readonly outcomes: readonly string[];
  readonly audience: Program["audience"];
  readonly role?: string;
  readonly restarts?: true;
  readonly secrets: boolean;
  readonly ast: Ast;
  private readonly parts: ProgramParts;
  private modelled: FlowIndex | undefined;
  private speaking: Speaker | undefined;
  private compiled: Machine | undefined;
  private given: readonly string[] | undefined;
  /** States that were checked: a turn asks about the same one several times, and states are never changed in place. */
  private readonly known = new WeakMap<ProgramState, Position>();

  constructor(parts: ProgramParts) {
    const { ast, texts } = parts;
    this.ast = ast;
    this.parts = parts;
    this.flow = ast.flow;
    this.version = ast.version;
    this.file = parts.file ?? ast.flow;
    this.hash = parts.hash ?? this.model.hash;
    this.title = titleOf(ast, texts, "pt-BR");
    this.outcomes = ast.outcomes;
    this.audience = ast.audience;
    this.role = ast.role;
    this.restarts = ast.restarts;
    this.secrets = Object.values(ast.slots).some((slot) => slot.secret === true);
    this.starts = Object.values(texts).flatMap((catalogue) =>
      (catalogue.start ?? []).map(foldWords),
    );
  }

  /** Its indexes. Of many flows a process enters few, so each is indexed when somebody enters it. */
  get model(): FlowIndex {
    const { ast, words, hash } = this.parts;
    return (this.modelled ??= new FlowIndex(ast, words, hash));
  }

  get speaker(): Speaker {
    return (this.speaking ??= new Speaker(this.model, this.parts.texts, this.parts.common));
  }

  /** What is copied into a frame: the paths that flow and texts name. */
  private get paths(): readonly string[] {
    const { ast, texts } = this.parts;
    const refs = () => [...allRefs(ast), ...Object.values(texts).flatMap(textRefs), ...ALWAYS];
    return (this.given ??= refs());
  }

  /** Compiles the flow unless that was done before. Throws when it cannot be compiled. */
  compile(): Machine {
    return (this.compiled ??= new Machine(this.model, this.parts.probe));
  }

  get machine(): Machine {
    return this.compile();
  }

  /** Name of the flow in menus. */
  titleIn(locale: ProgramContext["locale"]): string {
    return titleOf(this.ast, this.parts.texts, locale);
  }

  start(options: StartOptions, context: ProgramContext): ProgramStep {
    const blank: Facts = { ...NO_FACTS, env: pick(options, this.paths) };
    return this.atStep("start", () => {
      const { prefill = {}, likely = {} } = options;
      const slots = this.valid(blank, prefill, context) as Facts["slots"];
      const marks = marksOf(this.moment(blank, context), prefill, likely);
      return this.told(this.machine.walk({ ...blank, slots, marks }), "start", context);
    });
  }

  step(state: ProgramState, event: FlowEvent, context: ProgramContext): ProgramStep {
    const position = this.load(state);
    const { at } = position.facts;
    const checked = this.atStep(at, () => this.checked(position.facts, event, context));
    this.parts.probe?.event?.(position.facts, event);
    if (position.value.startsWith("ended-") || checked === null)
      return { state, handled: false, say: [], demands: [], trace: [] };
    return this.atStep(at, () => {
      const turned = this.machine.turn(position, checked);
      if (!turned.handled)
        return { state, handled: false, say: [], demands: [], trace: turned.trace };
      return this.told(turned, event.type, context);
    });
  }

  private atStep<T>(step: string, work: () => T): T {
    return atStep(this.file, step, work);
  }

  adopt(
    from: Versions["from"] & Around & { readonly state: ProgramState },
    context: ProgramContext,
  ): { ok: true; step: ProgramStep } | { ok: false; reason: string } {
    const position = this.load(from.state, false);
    if (from.hash === this.hash)
      return {
        ok: true,
        step: { state: from.state, handled: true, say: [], demands: [], trace: [] },
      };
    const moved = adopted(position, {
      ...this.versions(from),
      around: from,
      machine: this.machine,
      paths: this.paths,
      valid: (facts, values) => this.valid(facts, values, context),
    });
    if (!moved.ok) return moved;
    return { ok: true, step: this.told(moved.turned, "adopt", context) };
  }

  private versions(from: Versions["from"]): Versions {
    return { from, model: this.model, older: this.parts.older?.(from.hash) };
  }

  namesNow(from: Versions["from"]): Renames {
    return new Renames(this.versions(from));
  }

  answersNow(from: Versions["from"], answers: JsonObject): JsonObject {
    return answersNow(answers, this.versions(from));
  }

  question(state: ProgramState, context: ProgramContext): string {
    return question(this.moment(this.load(state).facts, context));
  }

  expects(state: ProgramState, context: ProgramContext): Expectation {
    const { value, facts } = this.load(state);
    const own = <T>(work: () => T): T => this.atStep(facts.at, work);
    return own(() => expectation({ ...this.moment(facts, context), own }, value));
  }

  at(state: ProgramState): string {
    const { value, facts } = this.load(state);
    return value.startsWith("ended-") || !this.model.steps.has(facts.at) ? value : facts.at;
  }

  /** Its own edges, and those a machine made by hand has for all its states. */
  heeds(step: string): readonly string[] {
    const { on, states } = this.machine.config;
    const taken = [...Object.keys(states[step]?.on ?? {}), ...Object.keys(on)];
    const head = `${step}.`;
    return taken.flatMap((event) => (event.startsWith(head) ? event.slice(head.length) : []));
  }

  prompt(state: ProgramState, context: ProgramContext): readonly Paragraph[] {
    const { value, facts } = this.load(state);
    const step = this.model.steps.get(facts.at);
    if (value.startsWith("ended-") || !step) return [];
    return this.atStep(facts.at, () => this.speaker.prompt(step, facts, false, context));
  }

  summary(state: ProgramState, context: ProgramContext): ReturnType<Program["summary"]> {
    const { facts } = this.load(state);
    const row = (slot: string) => {
      const value = this.model.isPart(slot) ? undefined : this.model.get(facts, slot);
      if (value === undefined || this.model.ast.slots[slot]?.secret) return [];
      const masked = this.model.kind(slot)?.mask?.(value);
      const label = this.speaker.label(slot, context.locale);
      const echo = masked ?? this.speaker.echo(facts, slot, value, context);
      return [{ slot, label, value: masked ?? value, echo }];
    };
    return this.atStep(facts.at, () => this.model.liveSlots(facts).flatMap(row));
  }

  answers(state: ProgramState): JsonObject {
    const { facts } = this.load(state);
    const { slots } = this.model.ast;
    const given = Object.entries(facts.slots as JsonObject);
    const open = given.filter(([slot, value]) => value !== null && slots[slot]?.secret !== true);
    return Object.fromEntries(open);
  }

  /** A stored state, checked. `known` = the position must be a state of this version. */
  private load(state: ProgramState, known = true): Position {
    const checked = this.known.get(state);
    if (checked) return checked;
    const facts = readFacts(state.facts);
    const { value } = state;
    if (!facts || typeof value !== "string")
      throw new Fault(
        "FLOW_FAILED",
        `A stored state of flow ${this.flow} does not have its shape.`,
      );
    if (known && !Object.hasOwn(this.machine.config.states, value))
      throw new Fault("FLOW_FAILED", `Flow ${this.flow} has no step "${value}" in this version.`);
    const position = { value, facts };
    if (known) this.known.set(state, position);
    return position;
  }

  /** The event as the machine may see it; null when nothing of it is usable. */
  private checked(facts: Facts, event: FlowEvent, context: ProgramContext): MachineEvent | null {
    if (event.type !== "ANSWER" && event.type !== "CORRECT") return event;
    const { values } = event;
    const valid = this.valid(facts, values, context);
    if (Object.keys(valid).length === 0) return null;
    const whole = Object.keys(valid).length === Object.keys(values).length;
    return {
      type: event.type,
      values: valid,
      unfit: whole ? undefined : unfitOf(this.moment(facts, context), values),
    };
  }

  private valid(facts: Facts, values: JsonObject, context: ProgramContext): JsonObject {
    return validOf(this.moment(facts, context), values);
  }

  private moment(facts: Facts, context: ProgramContext) {
    return { model: this.model, speaker: this.speaker, facts, context };
  }

  private told(turned: Turned, event: string, context: ProgramContext): ProgramStep {
    const state = { value: turned.value, facts: turned.facts as unknown as JsonObject };
    // Checked before it is stored; a state that could not be read again fails the turn that makes it.
    this.load(state);
    const letters = lettersAtMost(state) > STATE_MAX ? JSON.stringify(state).length : 0;
    if (letters > STATE_MAX)
      throw new Fault(
        "FLOW_FAILED",
        `${this.file}, step "${turned.facts.at}": what the conversation remembers would take ${letters} letters; ${STATE_MAX} are the most.`,
      );
    const outcome = turned.value.slice("ended-".length);
    return {
      state,
      handled: true,
      say: wordsOf(turned, event, this, context),
      demands: demandsOf(turned.outs, this.model, context),
      ended: turned.ended ? { outcome, out: turned.facts.done.end?.out ?? {} } : undefined,
      trace: turned.trace,
    };
  }
}
