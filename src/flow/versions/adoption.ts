/** The place of a conversation of another version in this version. Pure. */
import type { JsonObject } from "../../base/index.ts";
import { type Facts, pick } from "../moves/facts.ts";
import type { Machine, Position, Turned } from "../machine/machine.ts";
import { keepsDeeds, migrate, placeOf } from "./migrate.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import { migrationFor } from "./renames.ts";

/** The version that is left, and how account and contact look now. */
export interface Left {
  readonly version: number;
  readonly hash: string;
  readonly account?: JsonObject;
  readonly contact?: JsonObject;
}

/** The version that takes over. */
export interface Successor {
  readonly model: FlowIndex;
  /** The version that is left, where it is loaded. */
  readonly older: FlowIndex | undefined;
  readonly machine: Machine;
  /** What is copied into a frame. */
  readonly paths: readonly string[];
  /** The values that this version's kinds take. */
  readonly valid: (facts: Facts, values: JsonObject) => JsonObject;
}

type Adopted =
  { readonly ok: true; readonly turned: Turned } | { readonly ok: false; readonly reason: string };

/** Walks to where the facts lead now. `reason`: why the conversation has to stay where it is. */
export function adopted(from: Left, { value, facts }: Position, by: Successor): Adopted {
  const { model, older, machine, paths } = by;
  // A machine made by hand cannot be walked to where the facts lead: it must say itself where that is.
  const own = model.ast.machine;
  const place = own && placeOf(migrationFor(model.ast, from), model, { value, facts });
  if (own && place === undefined) return { ok: false, reason: "raw" };
  const moved = migrate({ from, facts, ended: value.startsWith("ended-"), model, older });
  if (!moved.ok) return moved;
  const { env } = moved.facts;
  const { account = {}, contact = {} } = from;
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
  return keepsDeeds(facts, turned, { from, model, older })
    ? { ok: true, turned }
    : { ok: false, reason: "done" };
}
