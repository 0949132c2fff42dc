/**
 * Facts of an older version converted for a newer one: renamed, dropped, re-stamped. The walk that follows finds the
 * place.
 *
 * While a call or a request is in progress nothing is moved: a renamed slot must never cause a second call.
 */
import {
  canonicalJson,
  digest,
  isJsonObject,
  type Json,
  type JsonObject,
} from "../../base/index.ts";
import type { Step } from "../ast/ast.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import type { Machine, Position, Turned } from "../machine/machine.ts";
import { statesOf } from "../machine/raw.ts";
import { isAsk } from "../machine/steps.ts";
import { type Done, type Facts, NO_FACTS, pick } from "../moves/facts.ts";
import type { Repeat } from "../moves/repeats.ts";
import { Renames, type Versions } from "./renames.ts";

type Migrated =
  { readonly ok: true; readonly facts: Facts } | { readonly ok: false; readonly reason: string };

function migrate(versions: Versions, facts: Facts, ended = false): Migrated {
  const { model, older } = versions;
  if (ended) return { ok: false, reason: "ended" };
  if (facts.sealed !== null) return { ok: false, reason: "sealed" };
  if (facts.pending !== null && !isRead(older ?? model, facts.pending.step))
    return { ok: false, reason: "pending" };
  const renames = new Renames(versions);
  const { rule } = renames;
  const slots: Record<string, Json> = {};
  for (const [slot, value] of Object.entries(facts.slots)) {
    const name = renames.slot(slot);
    if (name === undefined || !Object.hasOwn(model.ast.slots, name)) continue;
    if (renames.means(slot, name, value)) slots[name] = mapped(model, rule?.map?.[slot], value);
  }
  for (const list of model.repeats.lists.values()) {
    const kept = slots[list.step.slot];
    if (kept !== undefined) slots[list.step.slot] = itemsOf(kept, list, model, facts, renames);
  }
  const known = (name: string | undefined): name is string =>
    name !== undefined && Object.hasOwn(model.ast.slots, name);
  const next: Facts = {
    ...facts,
    slots,
    focus: facts.focus.map((slot) => renames.slot(slot)).filter(known),
    trail: facts.trail.map((id) => renames.step(id)).filter((id) => model.steps.has(id)),
    at: renames.step(facts.at),
    marks: {},
    done: {},
    offer: [],
    // Whoever waits for a call waits for the step that made it. Under another name it is made anew: it only looks something up.
    pending:
      facts.pending && renames.step(facts.pending.step) === facts.pending.step
        ? facts.pending
        : null,
  };
  return { ok: true, facts: stamped(facts, next, versions, renames) };
}

/** Answers that were kept apart from their conversation, as the newer version knows them. */
export function answersNow(answers: JsonObject, versions: Versions): JsonObject {
  const moved = migrate(versions, { ...NO_FACTS, slots: answers as Facts["slots"] });
  return moved.ok ? moved.facts.slots : {};
}

/**
 * Whether the walk left what was carried out where it lay: each fiscal or costly call was met as settled on the way, and no
 * flow that was gone through is to be gone through again. Otherwise the newer version would ask for it, or do it, a second
 * time; so it would in another branch, too, which is why being settled alone is not enough.
 */
function keepsDeeds(before: Facts, { facts: after, trace }: Turned, versions: Versions): boolean {
  const { model } = versions;
  const older = versions.older ?? model;
  const names = new Renames(versions);
  return Object.entries(before.done).every(([id, { is }]) => {
    const old = older.steps.get(id);
    const step = model.steps.get(names.step(id));
    if (old?.t === "subflow" && is !== "cancelled" && is !== "expired")
      return !step || older.settled(before, old) === undefined || model.settled(after, step) === is;
    if (!old || is !== "done" || !older.isSealing(old)) return true;
    if (!step || model.settled(after, step) !== "done") return false;
    // The states of a machine made by hand have no order; what is settled is not begun again.
    return model.ast.machine !== undefined || trace.includes(`settled ${step.id} done`);
  });
}

/** A value as the newer version wants it. A rule that cannot make one leaves it as it is: what does not fit is asked again. */
function mapped(model: FlowIndex, rule: string | undefined, value: Json): Json {
  const run = rule === undefined ? undefined : model.rules.get(rule);
  if (!run || value === null) return value;
  try {
    return run(value);
  } catch {
    return value;
  }
}

function isRead(model: FlowIndex, id: string): boolean {
  const step = model.steps.get(id);
  return step?.t === "effect" && model.words.effects.get(step.effect)?.class === "read";
}

/**
 * The items of a list: their slots renamed, changed and dropped like any other. What does not fit is left out, and asked
 * for when its item is taken into hand again.
 */
function itemsOf(kept: Json, list: Repeat, model: FlowIndex, facts: Facts, names: Renames): Json {
  const known = new Set(list.slots);
  return (Array.isArray(kept) ? kept : []).filter(isJsonObject).map((row: JsonObject) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([slot, value]): [string, Json][] => {
        const name = names.slot(slot);
        if (name === undefined || !known.has(name) || value === undefined) return [];
        if (!names.means(slot, name, value)) return [];
        const now = mapped(model, names.rule?.map?.[slot], value);
        return model.accepts(name, now, model.params(facts, name)) ? [[name, now]] : [];
      }),
    ),
  );
}

/**
 * Carries over how steps ended. What a step was bound to is compared as content, with slots renamed; when it is the same
 * content, it gets the digest that the new version would give it. Otherwise it keeps a digest that no longer fits.
 */
function stamped(before: Facts, after: Facts, { model, older }: Versions, names: Renames): Facts {
  const done: Record<string, Done> = {};
  const marks: Record<string, string> = {};
  const same = (id: string, next: Facts): string | undefined => {
    const oldStep = older?.steps.get(id);
    const newStep = model.steps.get(names.step(id));
    if (!older || !oldStep || !newStep) return undefined;
    const content = model.content(next, newStep);
    return canonicalJson(renamed(older.content(before, oldStep), oldStep, names)) ===
      canonicalJson(content)
      ? digest(content)
      : undefined;
  };
  for (const [id, entry] of Object.entries(before.done)) {
    const oldStep = older?.steps.get(id);
    const fits = oldStep && entry.for === older?.stamp(before, oldStep);
    done[names.step(id)] = { ...entry };
    const stamp = fits ? same(id, { ...after, done }) : undefined;
    if (stamp !== undefined) done[names.step(id)] = { ...entry, for: stamp };
  }
  const partly: Facts = { ...after, done };
  for (const [id, mark] of Object.entries(before.marks)) {
    const oldStep = older?.steps.get(id);
    const full = oldStep && older?.stamp(before, oldStep);
    const isSay = oldStep?.t === "say" && full?.slice(0, 16) === mark;
    const isFrom = oldStep !== undefined && isAsk(oldStep) && full === mark;
    const stamp = isSay || isFrom ? same(id, partly) : undefined;
    marks[names.step(id)] = stamp === undefined ? mark : isSay ? stamp.slice(0, 16) : stamp;
  }
  return { ...partly, marks };
}

/** The content of a step with its slot names as the new version calls them; only where the keys are slots. */
function renamed(content: JsonObject, step: Step, names: Renames): JsonObject {
  const rename = (slots: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(slots).map(([slot, value]) => [names.slot(slot) ?? slot, value]),
    );
  if (step.t === "confirm" || step.t === "ask") return rename(rowsOf(content, rename));
  return step.t === "notify"
    ? { ...content, answers: rename(rowsOf(content["answers"] as JsonObject, rename)) }
    : content;
}

/** Lists of rows with the slots in them renamed. */
function rowsOf(slots: JsonObject, rename: (row: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(slots).map(([slot, value]) => [
      slot,
      Array.isArray(value)
        ? value.map((row: Json) => (isJsonObject(row) ? rename(row) : row))
        : value,
    ]),
  );
}

/**
 * The state where a conversation of a machine made by hand goes on; undefined for who stays in the older version, which is
 * everybody while the newer one does not say how they move.
 */
function placeOf(versions: Versions, { value, facts }: Position): string | undefined {
  const { model } = versions;
  const { rule } = new Renames(versions);
  if (!rule) return undefined;
  const { at, slots } = facts;
  const run = rule.place === undefined ? undefined : model.rules.get(rule.place);
  const place = run ? run({ at, slots }) : (rule.steps?.[value] ?? value);
  return typeof place === "string" && Object.hasOwn(statesOf(model.ast.machine ?? {}), place)
    ? place
    : undefined;
}

/** How account and contact look now. */
export interface Around {
  readonly account?: JsonObject;
  readonly contact?: JsonObject;
}

/** The version that takes over. */
interface Successor extends Versions {
  readonly around: Around;
  readonly machine: Machine;
  /** What is copied into a frame. */
  readonly paths: readonly string[];
  /** The values that this version's kinds take. */
  readonly valid: (facts: Facts, values: JsonObject) => JsonObject;
}

type Adopted =
  { readonly ok: true; readonly turned: Turned } | { readonly ok: false; readonly reason: string };

/** Walks to where the facts lead now. `reason`: why the conversation has to stay where it is. */
export function adopted(position: Position, by: Successor): Adopted {
  const { model, machine, paths } = by;
  const { value, facts } = position;
  // A machine made by hand cannot be walked to where the facts lead: it must say itself where that is.
  const own = model.ast.machine;
  const place = own && placeOf(by, position);
  if (own && place === undefined) return { ok: false, reason: "raw" };
  const moved = migrate(by, facts, value.startsWith("ended-"));
  if (!moved.ok) return moved;
  const { env } = moved.facts;
  const { account = {}, contact = {} } = by.around;
  const now = pick({ account, contact, input: {} }, paths);
  const next: Facts = {
    ...moved.facts,
    env: {
      ...env,
      account: { ...now.account, ...env.account },
      contact: { ...now.contact, ...env.contact },
    },
  };
  const fitting = { ...next, slots: by.valid(next, next.slots) as Facts["slots"] };
  const turned = place === undefined ? machine.walk(fitting) : machine.enter(place, fitting);
  return keepsDeeds(facts, turned, by) ? { ok: true, turned } : { ok: false, reason: "done" };
}
