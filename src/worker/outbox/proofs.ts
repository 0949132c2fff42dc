/**
 * Costly calls whose answer was lost are never made again. Whether they took effect is looked up: an instance by
 * `connectionState`, a group by `fetchAllGroups`, any other as its effect says (`proof`). Finding it settles the call. Not
 * finding it proves nothing; after the last look a person decides.
 */
import type { Json } from "../../base/index.ts";
import type { Account } from "../../engine/index.ts";
import type { EffectView } from "../../store/port/port.ts";
import type { SendContext } from "../context/contexts.ts";
import { callGateway, field, textField } from "../calls.ts";
import type { Proof } from "../effects/spec.ts";
import { type CallEntry, entryOf } from "./entry.ts";
import { scopeOf } from "../effects/table.ts";

const MINUTE_MS = 60_000;
/** Times of looks that are billed by the plan, after the call: few, and 30 minutes apart. Virtual ms. */
const BILLED = [MINUTE_MS, 31 * MINUTE_MS, 240 * MINUTE_MS] as const;
/** Each look is made once, whichever process makes it; it is remembered until long after the last one. */
const LOOK_KEPT_MS = 7 * 86_400_000;
/** Difference that the clocks of two machines may have. */
const SKEW_MS = MINUTE_MS;

const PROOFS: Readonly<Record<string, Proof>> = {
  "instance.create": {
    route: "instance.connectionState",
    query: {},
    after: BILLED,
    find: ({ input }, answer) => {
      const instance = field(answer, "instance") ?? answer;
      const name = textField(instance, "instanceName");
      return name !== undefined && name === input["instanceName"] ? { instance } : null;
    },
  },
  "group.create": {
    route: "group.fetchAllGroups",
    query: { getParticipants: false },
    after: BILLED,
    find: ({ input, at }, answer) => {
      const made = rowsOf(answer).filter((group) => {
        const seconds = Number(textField(group, "creation") ?? Number.NaN);
        return textField(group, "subject") === input["subject"] && seconds * 1_000 >= at - SKEW_MS;
      });
      // Two groups match: it cannot be said which is ours.
      return made.length === 1 ? (made[0] ?? null) : null;
    },
  },
};

/** Makes the look for one held effect, when it is one of these and a look is due. True when that settled it. */
export async function proveCostly(context: SendContext, effect: EffectView): Promise<boolean> {
  const entry = entryOf(effect.payload);
  if (entry.type !== "call") return false;
  const proof = context.effects.calls.get(entry.name)?.proof ?? PROOFS[entry.name];
  if (!proof || !entry.work.frozen || effect.attempt === 0) return false;
  const { at } = entry.work.frozen;
  const account = await context.accounts.get(effect.account);
  // While its scope is paused a charged look would get no answer, so none is made.
  if (!account || context.scopes.isPaused(scopeOf(entry, account.id, context.effects)))
    return false;
  if (!(await isDue(context, effect, proof, context.clock.now() - at))) return false;
  const by = { contact: effect.contact, effect: effect.id, attempt: effect.attempt };
  const { route, body, query } = proof;
  const outcome = await callGateway(context, account, route, body, { query }, by);
  if (outcome.kind !== "ok") return false;
  const found = proof.find({ input: entry.input, at, account }, outcome.data as Json);
  return found === null ? false : settle(context, { effect, entry, account }, found);
}

/** The latest look that is due; taken once for all processes. */
async function isDue(
  context: SendContext,
  effect: EffectView,
  proof: Proof,
  age: number,
): Promise<boolean> {
  const look = proof.after.filter((after) => age >= after).length;
  if (look === 0) return false;
  const owner = `${effect.id}:${context.random.int(2 ** 40)}`;
  const key = context.keys.hash(`look:${effect.id}:${look}`);
  return (await context.store.keys.claim(effect.account, key, owner, LOOK_KEPT_MS)).ok;
}

async function settle(
  context: SendContext,
  of: { readonly effect: EffectView; readonly entry: CallEntry; readonly account: Account },
  data: Json,
): Promise<boolean> {
  const { effect, entry } = of;
  const { id, account, contact, attempt } = effect;
  const spec = context.effects.calls.get(entry.name);
  const done = spec?.interpret({ kind: "done", data });
  const ending = { outcome: { kind: "done" }, result: done } as const;
  const asking = { effect: id, contact, account: of.account, input: entry.input };
  const { result } = (await spec?.settled?.(context, asking, ending, data)) ?? ending;
  const mail = entry.waiter &&
    result && { kind: "result" as const, effect: id, waiter: entry.waiter, result };
  const line = { type: "effect", effect: id, name: entry.name, attempt, at: context.clock.now() };
  const settled = await context.store.effects.resolve({
    id,
    account,
    contact,
    action: "finish",
    result: mail && { event: `r:${id}:settled`, mail },
    journal: { ...line, outcome: "done", reason: "looked_up" },
  });
  if (settled) context.wake("turns");
  return settled;
}

function rowsOf(answer: Json): readonly Json[] {
  return Array.isArray(answer) ? (answer as readonly Json[]) : [answer];
}
