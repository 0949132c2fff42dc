/** Properties of repair at any place: leave, go back, skip, change, ask for help. */
import { canonicalJson } from "../../base/index.ts";
import type { ProgramState } from "../../engine/index.ts";
import type { Step } from "../ast/ast.ts";
import type { Facts } from "../moves/facts.ts";
import { maxTries } from "../machine/limits.ts";
import { isAsk } from "../machine/steps.ts";
import { carriedOut } from "../moves/completed-calls.ts";
import { factsOf, Ground } from "./property-place.ts";

/** Name of the property that what a call that counts was carried out for is not changed any more. */
export const STANDS = "what was carried out stands";

export class RepairProperties extends Ground {
  protected ends(
    state: ProgramState,
    at: string,
    type: "CANCEL" | "quiet.expire",
    outcome: string,
  ): void {
    if (this.overridden(at, type)) return;
    const after = this.turn(state, { type });
    if (after.ended?.outcome !== outcome)
      this.broken(`${type} ends a flow that is open`, at, `it rests at ${factsOf(after.state).at}`);
  }

  /** Back, then the same answer: as if nothing had been. */
  protected backs(state: ProgramState, facts: Facts, step: Step): void {
    if (this.overridden(facts.at, "BACK")) return;
    const back = this.turn(state, { type: "BACK" });
    if (back.say.length === 0)
      this.broken("a person is never met with silence", facts.at, "BACK: nothing said");
    const there = factsOf(back.state);
    const earlier = this.program.model.steps.get(there.at);
    const carried = this.carried(facts);
    if (there.at !== facts.at && carried.has(there.at))
      return this.broken("back does not cross what was carried out", facts.at, `to ${there.at}`);
    const shown = facts.trail.filter((id) => {
      const other = this.program.model.steps.get(id);
      return (
        !carried.has(id) &&
        id !== facts.at &&
        other &&
        isAsk(other) &&
        this.program.model.isLive(facts, other.slot)
      );
    });
    if (there.at !== (shown.at(-1) ?? facts.at))
      return this.broken("back leads to the question before", facts.at, `to ${there.at}`);
    if (!earlier || !isAsk(earlier) || there.at === facts.at) return;
    if (this.program.model.repeats.mores.has(earlier.slot)) return;
    const value = facts.slots[earlier.slot];
    if (value === undefined) return;
    const again = factsOf(
      this.turn(back.state, { type: "ANSWER", values: { [earlier.slot]: value } }).state,
    );
    if (again.at !== facts.at || canonicalJson(again.slots) !== canonicalJson(facts.slots))
      this.broken("back and the same answer change nothing", step.id, `rests at ${again.at}`);
  }

  /** What a call that counts was carried out for is not asked again, whoever wants it changed. */
  protected fixed(state: ProgramState, facts: Facts): void {
    for (const slot of carriedOut(this.program.model, facts)) {
      const after = this.turn(state, { type: "EDIT", slots: [slot] });
      const there = factsOf(after.state);
      if (there.at !== facts.at || there.focus.length > facts.focus.length)
        return this.broken(STANDS, facts.at, `${slot}: at ${there.at}`);
      if (after.say.length === 0)
        return this.broken("a person is never met with silence", facts.at, "EDIT: nothing said");
    }
  }

  /** Steps that stand before a call that counts and was carried out for these very answers. */
  private carried(facts: Facts): ReadonlySet<string> {
    const { model } = this.program;
    const ids = model.places.map(({ step }) => step.id);
    const acts = model.places.flatMap(({ step }, index) =>
      model.isSealing(step) && model.settled(facts, step) === "done" ? [index] : [],
    );
    return new Set(ids.slice(0, Math.max(0, ...acts)));
  }

  /** What may be left out can be, and nothing else. */
  protected skips(state: ProgramState, facts: Facts, step: Step): void {
    if (this.overridden(facts.at, "SKIP")) return;
    const after = this.turn(state, { type: "SKIP" });
    if (!isAsk(step)) return;
    const skipped = factsOf(after.state).slots[step.slot] === null;
    if (this.program.model.isOptional(step) !== skipped)
      this.broken("only what is optional is skipped", facts.at, skipped ? "skipped" : "kept");
    if (!skipped && after.say.length === 0)
      this.broken("a person is never met with silence", facts.at, "SKIP: nothing said");
  }

  /** An answer that was given or left out; of a list, any item. */
  private has(facts: Facts, slot: string): boolean {
    const { model } = this.program;
    return model.repeats.lists.has(slot)
      ? model.get(facts, slot) !== undefined
      : facts.slots[slot] !== undefined;
  }

  private inItem({ at }: Facts): boolean {
    const step = this.program.model.steps.get(at);
    return step !== undefined && isAsk(step) && this.program.model.isPart(step.slot);
  }

  /** Whatever is to be changed is asked, and the same answer leads back. */
  protected edits(state: ProgramState, facts: Facts, confirm: Step): void {
    const fixed = carriedOut(this.program.model, facts);
    for (const slot of Object.keys(this.program.model.ast.slots)) {
      if (this.program.model.isPart(slot) || fixed.has(slot)) continue;
      const live = this.program.model.isLive(facts, slot) && this.has(facts, slot);
      const edited = this.turn(state, { type: "EDIT", slots: [slot] });
      const there = factsOf(edited.state);
      const step = this.program.model.steps.get(there.at);
      if (!live) {
        if (there.at !== facts.at)
          this.broken("an edit of what is hidden stays", confirm.id, `${slot}: at ${there.at}`);
        continue;
      }
      if (!step || !isAsk(step) || step.slot !== slot) {
        // The item in hand is finished first.
        if (this.program.model.repeats.lists.has(slot) || this.inItem(there)) continue;
        this.broken("an edit asks again", confirm.id, `${slot}: rests at ${there.at}`);
        continue;
      }
      const value = facts.slots[slot] ?? null;
      const back = factsOf(
        this.turn(edited.state, { type: "ANSWER", values: { [slot]: value } }).state,
      );
      if (value !== null && back.at !== facts.at)
        this.broken("an edit leaves the flow finishable", confirm.id, `${slot}: at ${back.at}`);
    }
  }

  /** Help, why, repeat and a person: always in words, never from one's place. */
  protected words(state: ProgramState, facts: Facts, step: Step): void {
    for (const type of ["REPEAT", "HELP", "WHY", "HUMAN"] as const) {
      if (this.overridden(facts.at, type)) continue;
      const after = this.turn(state, { type });
      if (after.say.length === 0 && isAsk(step))
        this.broken("a person is never met with silence", facts.at, `${type}: nothing said`);
      if (!after.handled) this.broken("help is always there", facts.at, `${type} was not taken`);
      if (factsOf(after.state).at !== facts.at)
        this.broken("help keeps the place", facts.at, `${type} led elsewhere`);
      if (type === "HUMAN" && !after.demands.some((demand) => demand.type === "handoff"))
        this.broken("a person is called who is asked for", facts.at, "nobody was");
    }
    const asks = isAsk(step) ? step.onMax === undefined : step.t === "confirm";
    if (asks || step.t === "handoff") this.patience(state, facts, step);
  }

  /** As many answers that are not understood as the step allows, then a person. */
  protected patience(state: ProgramState, facts: Facts, step: Step): void {
    if (this.overridden(facts.at, "BAD")) return;
    const most = maxTries(this.program.model, facts, step);
    let now = state;
    for (let tries = factsOf(state).tries + 1; tries <= most; tries++) {
      const after = this.turn(now, { type: "BAD", reason: "invalid" });
      const called = after.demands.some((demand) => demand.type === "handoff");
      if (
        called !== (tries === most) ||
        after.say.length === 0 ||
        factsOf(after.state).at !== facts.at
      )
        return this.broken("patience ends where it should", facts.at, `at try ${tries} of ${most}`);
      now = after.state;
    }
  }
}
