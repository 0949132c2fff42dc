/**
 * Effects that flows may name: the runtime's, the gateway routes and those of plugins. Fiscal routes are missing: only a
 * plugin's effect calls them. The table is made once, at the start.
 */
import type { Json } from "../../base/index.ts";
import type { ChannelName, Effect } from "../../engine/index.ts";
import { findRoute, flowRoutes, routes, sentMessageId } from "../../gateway/index.ts";
import { creditsScope, jobsScope, localScope, ownScope, planScope } from "../outbox/entry.ts";
import { messagesRecall } from "../backfill/recall.ts";
import type { Plugged } from "../context/hooks.ts";
import { erase, ready } from "../privacy/erase.ts";
import { exportCopy, overviewOf } from "../privacy/export.ts";
import type { Ending } from "../outbox/ending.ts";
import { nameAnswer } from "../context/person.ts";
import type { EffectTable, RuntimeContext, RuntimeLocal } from "../context/contexts.ts";
import { creditsResume, creditsState } from "./credits.ts";
import type { LocalSpec, Asking, EffectSpec } from "./spec.ts";
import { routeEffect } from "./route-effect.ts";

const ROUTES = flowRoutes.map(routeEffect);
const CALLS = ROUTES.map((spec): EffectSpec<RuntimeContext> =>
  spec.name === "sms.send" ? { ...spec, settled: nameReader } : spec,
);

const ROUTE_IDS: ReadonlySet<string> = new Set(routes.map(({ id }) => id));

/** What the runtime does itself, without the gateway. A new one is one file and one entry here. */
const LOCALS = [
  exportCopy,
  ready,
  erase,
  creditsState,
  creditsResume,
  messagesRecall,
] as unknown as readonly RuntimeLocal[];

/**
 * The runtime's effects with those of the plugins. A plugin may take over a gateway route under the route's own id. Any other
 * name that is taken is an error, which names both who have it.
 */
export function createEffects(plugins: readonly Plugged[] = []): EffectTable {
  const calls = new Map<string, EffectSpec<RuntimeContext>>(CALLS.map((spec) => [spec.name, spec]));
  const overview = overviewOf(plugins.flatMap(({ documents = [] }) => documents));
  const locals = new Map<string, RuntimeLocal>(
    [...LOCALS, overview].map((spec) => [spec.name, spec]),
  );
  const owners = new Map([...locals.keys()].map((name) => [name, "the runtime"]));
  for (const { name: plugin, effects = [] } of plugins)
    for (const spec of effects) {
      const owner = owners.get(spec.name);
      if (owner !== undefined)
        throw new Error(
          `The effect ${spec.name} is defined by ${owner} and by the plugin ${plugin}: rename one of them, or leave one plugin out of config.ts.`,
        );
      owners.set(spec.name, `the plugin ${plugin}`);
      if (isCall(spec)) calls.set(spec.name, spec);
      else if (ROUTE_IDS.has(spec.name))
        throw new Error(
          `The effect ${spec.name} of the plugin ${plugin} has the name of a gateway route and makes no call of it: rename it.`,
        );
      else locals.set(spec.name, spec);
    }
  return { calls, locals };
}

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

/** The answer to a short message of a flow's own effect finds the person with that number, as it does for a message. */
function nameReader(
  context: RuntimeContext,
  { effect, account, input }: Asking,
  ending: Ending,
  data: Json,
): Promise<Ending> {
  const id = ending.outcome.kind === "done" ? sentMessageId(data) : undefined;
  const { number } = input;
  if (id === undefined || typeof number !== "string") return Promise.resolve(ending);
  const beside = nameAnswer(context, { account: account.id, id: effect }, number, id);
  return Promise.resolve({ ...ending, beside });
}

function isCall(spec: EffectSpec | LocalSpec): spec is EffectSpec {
  return "route" in spec;
}
