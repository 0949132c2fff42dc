/**
 * What happens to a conversation that waits in an older version when a newer one is loaded, as one word. It is the
 * decision that the turn makes for such a conversation.
 */
import type { JsonObject } from "../../base/index.ts";
import type { ProgramContext, ProgramState } from "../../engine/index.ts";
import type { Migration, Step } from "../ast/ast.ts";
import type { Done, Facts } from "../moves/facts.ts";
import { readFacts } from "../moves/facts.ts";
import { migrationFor } from "./renames.ts";
import type { FlowProgram } from "../machine/program.ts";
import { isAsk } from "../machine/steps.ts";

/**
 * `stays`: rests where it did. `goes on`: at a later step, or the flow ends. `asks again`: something already answered.
 * `new question`: a step the older version had not. `pinned`: something is under way, so it goes on in its older version.
 * `loses`: an answer or an outcome is gone that no migration drops. `stranded`: it could not go on at all.
 */
export type VerdictWord =
  "stays" | "goes on" | "asks again" | "new question" | "pinned" | "loses" | "stranded";

export interface Verdict {
  readonly word: VerdictWord;
  /** Where it rests afterwards; the older version's step when it is pinned. */
  readonly to: string;
  /** Answers (slots) and outcomes (steps) that are gone. */
  readonly lost: readonly string[];
  /** Why, of what is pinned or stranded. */
  readonly why?: string;
}

/** What is bad enough to stop a deploy. */
export function isHarm({ word }: Pick<Verdict, "word">): boolean {
  return word === "loses" || word === "stranded";
}

export function verdict(
  older: FlowProgram,
  newer: FlowProgram,
  state: ProgramState,
  context: ProgramContext,
): Verdict {
  const facts = readFacts(state.facts);
  if (!facts) return { word: "stranded", to: "", lost: [], why: "its facts cannot be read" };
  const { at } = facts;
  // Two builds side by side must not move conversations to and fro: none goes back.
  if (newer.version < older.version)
    return { word: "pinned", to: at, lost: [], why: "it is of a later version" };
  const from = { version: older.version, hash: older.hash, state };
  try {
    const adopted = newer.adopt({ ...from, ...surroundings(facts) }, context);
    if (!adopted.ok) return { word: "pinned", to: at, lost: [], why: adopted.reason };
    const { step } = adopted;
    const after = step.state.facts as unknown as Facts;
    const names = migrationFor(newer.model.ast, from);
    const to = step.ended ? `ended ${step.ended.outcome}` : after.at;
    const lost = lostOf({ older, newer, facts, after, names });
    if (lost.length > 0) return { word: "loses", to, lost };
    const word = wordOf({ older, newer, facts, names }, to, step.ended !== undefined);
    const isSame = () => older.question(state, context) === newer.question(step.state, context);
    // The same step, and something else to answer there: another order of the rows, another thing to say yes to.
    return { word: word === "stays" && !isSame() ? "asks again" : word, to, lost };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { word: "stranded", to: at, lost: [], why };
  }
}

/** What the newer version reads that the older did not copy is looked up at the move; here it is as it was. */
function surroundings(facts: Facts): Pick<Facts["env"], "account" | "contact"> {
  return { account: facts.env.account, contact: facts.env.contact };
}

interface Move {
  readonly older: FlowProgram;
  readonly newer: FlowProgram;
  readonly facts: Facts;
  readonly names: Migration | undefined;
}

function wordOf({ older, newer, facts, names }: Move, to: string, ended: boolean): VerdictWord {
  if (to === newName(names, facts.at)) return "stays";
  const step = newer.model.steps.get(to);
  if (ended || !step) return "goes on";
  const old = [...older.model.steps.values()].find((one) => newName(names, one.id) === to);
  if (!old) return "new question";
  return wasPassed(older, facts, old) ? "asks again" : "goes on";
}

function wasPassed({ model }: FlowProgram, facts: Facts, step: Step): boolean {
  const rows =
    isAsk(step) && model.repeats.items.has(step.slot) ? rowsOf(model, facts, step.slot) : [];
  return isAsk(step)
    ? facts.slots[step.slot] !== undefined || rows.some((row) => row[step.slot] !== undefined)
    : model.settled(facts, step) !== undefined;
}

function lostOf(move: Move & { readonly after: Facts }): string[] {
  const { older, newer, facts, after, names } = move;
  const live = new Set(older.model.liveSlots(facts));
  const answers = Object.entries(facts.slots).flatMap(([slot, value]) => {
    if (value === null || !live.has(slot) || names?.drop?.includes(slot)) return [];
    if (older.model.repeats.mores.has(slot)) return [];
    const name = names?.rename?.[slot] ?? slot;
    // What no longer fits is asked again: the person is not left without it.
    const kept = after.slots[name] !== undefined || newer.model.asks.has(name);
    return kept ? [] : [slot];
  });
  const items = [...older.model.repeats.items.keys()].filter((slot) => {
    const name = names?.rename?.[slot] ?? slot;
    const gone = !names?.drop?.includes(slot) && !newer.model.asks.has(name);
    return gone && rowsOf(older.model, facts, slot).some((row) => row[slot] !== undefined);
  });
  const outcomes = Object.entries(facts.done).flatMap(([id, entry]) =>
    isOutcome(older, facts, id, entry) && !newer.model.steps.has(newName(names, id)) ? [id] : [],
  );
  return [...new Set([...answers, ...items]), ...outcomes];
}

/** Items before the one in hand, of the list that a slot is asked for. */
function rowsOf(model: FlowProgram["model"], facts: Facts, slot: string): readonly JsonObject[] {
  const list = model.repeats.items.get(slot);
  return list ? model.repeats.before(facts, list) : [];
}

/** Something others did for this conversation, which cannot be asked of them again for nothing. */
function isOutcome({ model }: FlowProgram, facts: Facts, id: string, entry: Done): boolean {
  const step = model.steps.get(id);
  if (!step || model.settled(facts, step) === undefined) return false;
  return step.t === "notify" || (step.t === "effect" && entry.is === "done");
}

function newName(names: Migration | undefined, id: string): string {
  return names?.steps?.[id] ?? names?.rename?.[id] ?? id;
}
