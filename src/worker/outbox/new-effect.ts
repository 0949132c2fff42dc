/** An effect as it enters the store's outbox: its scope, its first work, when it is looked at. */
import type { ChannelName, Effect } from "../../engine/index.ts";
import { findRoute } from "../../gateway/index.ts";
import type { NewEffect } from "../../store/port/port.ts";
import type { EffectTable } from "../effects/table.ts";
import { lookedAt, payloadOf, type Work } from "./entry.ts";
import { creditsScope, jobsScope, localScope, ownScope, planScope } from "./pacing/scope-names.ts";

/**
 * Scope whose outage holds an effect back: calls billed in credits share one, all others use the plan's, jobs cost nothing.
 * A name that is not in the table is an effect of the bot's own.
 */
export function scopeOf(effect: Effect, account: string, effects: EffectTable): string {
  if (effect.type === "peer") return "internal";
  if (effect.type === "send") return planScope(account, effect.channel);
  if (effects.locals.has(effect.name)) return localScope(effect.name);
  const call = effects.calls.get(effect.name);
  if (!call) return ownScope(account, effect.name);
  if (findRoute(call.route)?.billing === "credits") return creditsScope(account);
  if (effect.name.startsWith("jobs.")) return jobsScope(account);
  const [controller = ""] = effect.name.split(".");
  return planScope(account, CHANNEL_OF[controller]);
}

/** Routes of engines with a number of their own. All other messaging belongs to the plan's device, engine B. */
const CHANNEL_OF: Readonly<Record<string, ChannelName | undefined>> = {
  engineA: "engine-a",
  engineC: "engine-c",
  sms: "sms",
};

/** The effect as the store keeps it. `beginMs`: lease of an effect that is begun by the commit. */
export function newEffect(
  effect: Effect,
  options: {
    account: string;
    effects: EffectTable;
    at: number;
    result: boolean;
    unasked?: boolean;
    /** Virtual time, ms. */
    notBefore?: number | undefined;
    beginMs?: number;
  },
): NewEffect {
  const { notBefore } = options;
  const work: Work = {
    at: options.at,
    ...(options.result ? { result: true } : {}),
    ...(options.unasked ? { unasked: true, slot: notBefore ?? options.at } : {}),
  };
  return {
    id: effect.id,
    class: effect.class,
    scope: scopeOf(effect, options.account, options.effects),
    ordered: effect.type === "send",
    payload: payloadOf({ ...effect, work }),
    ...(notBefore === undefined ? {} : { notBefore: lookedAt(notBefore, options.at) }),
    ...(options.beginMs === undefined ? {} : { begin: { leaseMs: options.beginMs } }),
  };
}
