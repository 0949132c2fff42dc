/**
 * Properties that must hold at every place of every flow. No author writes these tests: they run at each place that the
 * walk finds, and are stated about the author's steps, not about the compiled machine.
 */
import { canonicalJson } from "../../base/index.ts";
import type { FlowEvent, ProgramState, ProgramStep } from "../../engine/index.ts";
import type { Step } from "../ast/ast.ts";
import { isAsk } from "../machine/steps.ts";
import { carriedOut } from "../moves/completed-calls.ts";
import type { Facts } from "../moves/facts.ts";
import { landing, type Landing, rawLanding } from "./expected-place.ts";
import { factsOf, restOf, valueOf } from "./property-place.ts";
import { RepairProperties, STANDS } from "./repair-properties.ts";

export class Properties extends RepairProperties {
  /** The flow stopped at the first step its facts do not pass, and said everything on the way. */
  turned(step: ProgramStep, path: readonly FlowEvent[]): void {
    this.path = path;
    const facts = factsOf(step.state);
    if (this.beside.has(facts.at) || !step.handled) return;
    const outcome = step.ended?.outcome;
    // A person may leave at any step.
    if (outcome === "cancelled" || outcome === "expired") return;
    const { model } = this.program;
    const expected = model.ast.machine ? this.stands(step, facts) : landing(model, facts);
    if (!expected) return this.broken("rests somewhere", facts.at, "its steps go round for ever");
    const at = outcome === undefined ? facts.at : `ended-${outcome}`;
    if (at !== expected.at)
      return this.broken(
        "rests at the first step that is not passed",
        at,
        `expected ${expected.at}`,
      );
    for (const said of expected.said)
      if (facts.marks[said] === undefined)
        this.broken("says everything on the way", at, `“${said}” was left out`);
  }

  /** A machine made by hand stands where none of its own edges leads on. */
  protected stands({ state, ended }: ProgramStep, facts: Facts): Landing | undefined {
    const value = ended ? `ended-${ended.outcome}` : valueOf(state);
    const at = rawLanding(this.program.model, facts, value);
    return at === undefined ? undefined : { at, said: [], jumped: false };
  }

  failed(error: unknown, path: readonly FlowEvent[]): void {
    this.path = path;
    this.broken("never throws", "", error instanceof Error ? error.message : String(error));
  }

  /** Told by whoever watches the walk. */
  told(property: string, at: string, path: readonly FlowEvent[], why: string): void {
    this.path = path;
    this.broken(property, at, why);
  }

  /** After a deploy with the same steps every conversation waits where it did, and nothing is sent. */
  moved(state: ProgramState, path: readonly FlowEvent[]): void {
    this.path = path;
    const facts = factsOf(state);
    if (this.beside.has(facts.at) || this.program.model.ast.machine) return;
    const { version } = this.program;
    const adopted = this.program.adopt({ version, hash: "another build", state }, this.context);
    const fixed = facts.sealed !== null || this.waits(facts);
    const told = (why: string): void =>
      this.broken("a move to the very same version changes nothing", facts.at, why);
    if (!adopted.ok) return fixed ? undefined : told(`it was refused: ${adopted.reason}`);
    if (fixed) return told("it moved what is under way");
    const now = factsOf(adopted.step.state);
    if (adopted.step.ended || now.at !== facts.at)
      return told(`it rests at ${restOf(adopted.step)}`);
    for (const part of ["slots", "done", "marks", "focus", "pending"] as const)
      if (canonicalJson(now[part]) !== canonicalJson(facts[part])) told(`its ${part} differ`);
    const anew = adopted.step.say.find(({ key = "" }) => key.startsWith("say."));
    if (anew) told(`it said ${anew.key ?? ""} again`);
  }

  /** Whether something is under way that is not a mere look-up. */
  protected waits({ pending }: Facts): boolean {
    const { model } = this.program;
    const step = pending && model.steps.get(pending.step);
    if (!step) return false;
    return step.t !== "effect" || model.words.effects.get(step.effect)?.class !== "read";
  }

  place(state: ProgramState, path: readonly FlowEvent[]): void {
    this.path = path;
    const facts = factsOf(state);
    const step = this.program.model.steps.get(facts.at);
    if (!step) return;
    this.answered(state, facts, step);
    this.stored(state, facts, step);
    if (facts.sealed !== null) this.sealed(state, facts);
    else this.open(state, facts, step);
    this.outcomes(state, facts, step);
    this.words(state, facts, step);
    this.decides(state, facts, step);
  }

  /** A question has words, and another flow or a call that is waited for has a name. */
  protected answered(state: ProgramState, facts: Facts, step: Step): void {
    if (!isAsk(step) && step.t !== "confirm") return;
    const prompt = this.program.prompt(state, this.context);
    if (prompt.every(({ text }) => text.trim() === ""))
      this.broken("a question has words", facts.at, "its prompt is empty");
  }

  /** The same event gives the same whether or not the state was written down between. */
  protected stored(state: ProgramState, facts: Facts, step: Step): void {
    if (!isAsk(step)) return;
    const event: FlowEvent = { type: "REPEAT" };
    const stored = JSON.parse(JSON.stringify(state)) as ProgramState;
    const one = this.turn(stored, event).state;
    if (canonicalJson(one) !== canonicalJson(this.turn(state, event).state))
      this.broken("a state survives being stored", facts.at, "another state after JSON");
  }

  /** While a call that counts is under way nothing a person or a clock does changes anything. */
  protected sealed(state: ProgramState, facts: Facts): void {
    const changes = Object.fromEntries(this.changes(facts));
    const events: FlowEvent[] = [
      ...(["CANCEL", "BACK", "quiet.nudge", "quiet.expire"] as const).map((type) => ({ type })),
      { type: "EDIT", slots: Object.keys(facts.slots) },
      ...(["CORRECT", "ANSWER"] as const).flatMap((type) =>
        Object.keys(changes).length > 0 ? [{ type, values: changes }] : [],
      ),
    ];
    for (const event of events) {
      if (this.overridden(facts.at, event.type)) continue;
      const after = this.turn(state, event);
      if (canonicalJson(after.state) !== canonicalJson(state))
        this.broken("nothing changes a call under way", facts.at, `${event.type} did`);
      if (event.type === "quiet.nudge" && after.say.length > 0)
        this.broken("nothing changes a call under way", facts.at, "somebody was reminded");
      if (!event.type.startsWith("quiet.") && after.say.length === 0)
        this.broken("a person is never met with silence", facts.at, `${event.type}: nothing said`);
    }
  }

  protected open(state: ProgramState, facts: Facts, step: Step): void {
    const at = facts.at;
    this.ends(state, at, "CANCEL", "cancelled");
    const asks = isAsk(step) || step.t === "confirm";
    if (asks) {
      this.ends(state, at, "quiet.expire", "expired");
      const nudged = this.turn(state, { type: "quiet.nudge" });
      if (!this.overridden(at, "quiet.nudge"))
        if (nudged.say.length === 0 || factsOf(nudged.state).at !== at)
          this.broken("a reminder speaks and stays", at, "it does not");
    }
    if (facts.focus.length === 0) this.backs(state, facts, step);
    this.fixed(state, facts);
    this.skips(state, facts, step);
    if (asks && facts.focus.length === 0) this.edits(state, facts, step);
    // What is said to a person who took over is no correction.
    if (step.t === "handoff") return;
    this.same(state, facts);
    if (asks) this.corrects(state, facts);
  }

  /** A correction to the value that was there asks for nothing and does nothing. */
  protected same(state: ProgramState, facts: Facts): void {
    if (facts.focus.length > 0 || this.overridden(facts.at, "CORRECT")) return;
    for (const [slot, value] of Object.entries(facts.slots)) {
      if (value === null || this.program.model.isPart(slot)) continue;
      for (const type of ["CORRECT", "ANSWER"] as const) {
        const after = this.turn(state, { type, values: { [slot]: value } });
        const now = factsOf(after.state);
        const asked = after.demands.filter((demand) => demand.type !== "quiet");
        const kept = canonicalJson(now.slots) === canonicalJson(facts.slots) && now.at === facts.at;
        if (asked.length > 0 || !kept)
          this.broken(
            "a correction to the same value changes nothing",
            facts.at,
            `${type} ${slot}`,
          );
        if (after.say.length === 0)
          this.broken("a person is never met with silence", facts.at, `${type}: nothing said`);
      }
    }
  }

  /** Outcomes count once, and only for what was asked. */
  protected outcomes(state: ProgramState, facts: Facts, step: Step): void {
    if (step.t !== "effect" && step.t !== "subflow" && step.t !== "notify" && step.t !== "wait")
      return;
    const { states } = this.program.machine.config;
    const taken = Object.keys(states[valueOf(state)]?.on ?? {})
      .filter((type) => type.startsWith(`${step.id}.`))
      .map((type) => type.slice(step.id.length + 1));
    for (const outcome of new Set([...Object.keys(step.on), ...taken])) {
      const type = `${step.id}.${outcome}` as const;
      const stale = this.turn(state, { type, for: "of something else", out: {} });
      if (canonicalJson(stale.state) !== canonicalJson(state) || stale.demands.length > 0)
        this.broken("an answer to something else is dropped", facts.at, type);
      const held = state.value !== step.id && outcome === "held";
      const declared = Object.hasOwn(step.on, outcome);
      if (!facts.pending || held || step.t === "wait" || !declared) continue;
      const fresh = this.turn(state, { type, for: facts.pending.for, out: {} });
      if (!fresh.handled) this.broken("every outcome is taken", facts.at, `${type} was not`);
      const done = { ...facts.done, [step.id]: { for: facts.pending.for, is: outcome, out: {} } };
      const expected = landing(this.program.model, { ...facts, done, pending: null });
      const at = restOf(fresh);
      const ours = !this.program.model.ast.machine;
      if (ours && expected && !expected.jumped && expected.at !== at)
        this.broken("an outcome leads into its branch", facts.at, `${type}: at ${at}`);
    }
  }

  /** What a confirmation and a person who gives back lead to. */
  protected decides(state: ProgramState, facts: Facts, step: Step): void {
    if (step.t === "handoff") {
      const back = this.turn(state, { type: "RESUME" });
      if (!back.handled || (!back.ended && factsOf(back.state).at === facts.at))
        this.broken("a conversation given back goes on", facts.at, "it rests where it was");
    }
    if (step.t !== "confirm") return;
    for (const type of ["YES", "NO"] as const) {
      const after = this.turn(state, { type });
      const moved = restOf(after) !== facts.at;
      if (type === "YES" ? !moved : step.no ? !moved : moved)
        this.broken("yes goes on, no does not", facts.at, `${type} led to ${restOf(after)}`);
      if (!after.handled)
        this.broken("a person is never met with silence", facts.at, `${type}: nothing said`);
    }
  }

  /** Something else for an answer that was given is a correction, whatever it is called. */
  protected corrects(state: ProgramState, facts: Facts): void {
    if (facts.focus.length > 0 || this.overridden(facts.at, "ANSWER")) return;
    if (!this.derivable(facts)) return;
    const fixed = carriedOut(this.program.model, facts);
    for (const [slot, value] of this.changes(facts)) {
      const after = this.turn(state, { type: "ANSWER", values: { [slot]: value } });
      const now = factsOf(after.state);
      if (fixed.has(slot)) {
        const kept = canonicalJson([now.slots, now.at]) === canonicalJson([facts.slots, facts.at]);
        if (!kept) this.broken(STANDS, facts.at, `${slot} was changed`);
        continue;
      }
      if (canonicalJson(now.slots[slot] ?? null) !== canonicalJson(value))
        this.broken("a correction counts", facts.at, `${slot} keeps its value`);
      const expected = landing(this.program.model, now);
      if (expected && expected.at !== restOf(after) && !this.beside.has(now.at))
        this.broken(
          "a correction leads to what it opens",
          facts.at,
          `${slot}: at ${restOf(after)}, expected ${expected.at}`,
        );
    }
  }
}
