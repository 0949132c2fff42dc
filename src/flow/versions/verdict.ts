/**
 * What happens to a conversation that waits in an older version when a newer one is loaded, as one word. It is the
 * decision that the turn makes for such a conversation.
 */
import type { JsonObject } from "../../base/index.ts";
import type { ProgramContext, ProgramState } from "../../engine/index.ts";
import type { Step } from "../ast/ast.ts";
import type { FlowProgram } from "../machine/program.ts";
import { isAsk } from "../machine/steps.ts";
import { type Done, type Facts, readFacts } from "../moves/facts.ts";
import { Renames } from "./renames.ts";
import { placesOf } from "./resting-places.ts";

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
function isHarm({ word }: Pick<Verdict, "word">): boolean {
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
    // What the newer version reads that the older did not copy is looked up at the move; here it is as it was.
    const { account, contact } = facts.env;
    const adopted = newer.adopt({ ...from, account, contact }, context);
    if (!adopted.ok) return { word: "pinned", to: at, lost: [], why: adopted.reason };
    const { step } = adopted;
    const after = step.state.facts as unknown as Facts;
    const names = new Renames({ from, model: newer.model, older: older.model });
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

interface Move {
  readonly older: FlowProgram;
  readonly newer: FlowProgram;
  readonly facts: Facts;
  readonly names: Renames;
}

function wordOf({ older, newer, facts, names }: Move, to: string, ended: boolean): VerdictWord {
  if (to === names.step(facts.at)) return "stays";
  const step = newer.model.steps.get(to);
  if (ended || !step) return "goes on";
  const old = [...older.model.steps.values()].find((one) => names.step(one.id) === to);
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
    const name = names.slot(slot);
    if (value === null || !live.has(slot) || name === undefined) return [];
    if (older.model.repeats.mores.has(slot)) return [];
    // What no longer fits is asked again: the person is not left without it.
    const kept = after.slots[name] !== undefined || newer.model.asks.has(name);
    return kept ? [] : [slot];
  });
  const items = [...older.model.repeats.items.keys()].filter((slot) => {
    const name = names.slot(slot);
    const gone = name !== undefined && !newer.model.asks.has(name);
    return gone && rowsOf(older.model, facts, slot).some((row) => row[slot] !== undefined);
  });
  const outcomes = Object.entries(facts.done).flatMap(([id, entry]) =>
    isOutcome(older, facts, id, entry) && !newer.model.steps.has(names.step(id)) ? [id] : [],
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

/** How many conversations rest at a step of the older version, as the store tells. */
export type Occupied = ReadonlyMap<string, number>;

export interface AgainstRow extends Verdict {
  readonly at: string;
  /** Different facts it can rest there with. */
  readonly snapshots: number;
  /** Conversations that wait there now; absent when they were not counted. */
  readonly people?: number;
}

export interface Against {
  readonly flow: string;
  readonly from: { readonly version: number; readonly hash: string };
  readonly to: { readonly version: number; readonly hash: string };
  readonly rows: readonly AgainstRow[];
  readonly snapshots: number;
  /** False when the older version has more places than are walked. */
  readonly whole: boolean;
}

/** From the worst to the best. */
const ORDER: readonly VerdictWord[] = [
  "stranded",
  "loses",
  "asks again",
  "new question",
  "goes on",
  "pinned",
  "stays",
];

/**
 * Restores every reachable resting state of `older` under `newer`. With `occupied`, only steps where somebody rests are
 * told; a step that the walk did not reach is told as `stranded`, for nobody has looked at it.
 */
export function against(
  older: FlowProgram,
  newer: FlowProgram,
  context: ProgramContext,
  occupied?: Occupied,
): Against {
  const { places, whole } = placesOf(older, context);
  const rows = new Map<string, AgainstRow>();
  let snapshots = 0;
  for (const { at, state } of places) {
    if (occupied && !occupied.has(at)) continue;
    snapshots++;
    const found = verdict(older, newer, state, context);
    const key = JSON.stringify([at, found]);
    rows.set(key, {
      at,
      ...found,
      snapshots: (rows.get(key)?.snapshots ?? 0) + 1,
      people: occupied?.get(at),
    });
  }
  for (const [at, people] of occupied ?? [])
    if (!places.some((place) => place.at === at))
      rows.set(at, {
        at,
        word: "stranded",
        to: "",
        lost: [],
        snapshots: 0,
        people,
        why: "the walk of its version does not reach this step",
      });
  const order = older.model.places.map(({ step }) => step.id);
  const sorted = [...rows.values()].sort(
    (a, b) =>
      order.indexOf(a.at) - order.indexOf(b.at) || ORDER.indexOf(a.word) - ORDER.indexOf(b.word),
  );
  return {
    flow: older.flow,
    from: { version: older.version, hash: older.hash },
    to: { version: newer.version, hash: newer.hash },
    rows: sorted,
    snapshots,
    whole,
  };
}

/** Whether a deploy would harm somebody. */
export function harms(result: Against): boolean {
  return result.rows.some(isHarm);
}
