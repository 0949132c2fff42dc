/** Every effect a flow may name: the runtime's own, every gateway route, and those of the plugins. Made once, at the start. */
import { routes } from "../../gateway/index.ts";
import { messagesRecall } from "../backfill/recall.ts";
import type { Plugged } from "../hooks.ts";
import { erase, exportCopy, overviewOf, ready } from "../privacy/index.ts";
import { creditsResume, creditsState } from "./credits.ts";
import type { LocalSpec } from "./local.ts";
import { routeEffect } from "./route-effect.ts";
import type { EffectSpec } from "./spec.ts";

export interface EffectTable {
  /** Effects that become one gateway call. */
  readonly calls: ReadonlyMap<string, EffectSpec>;
  /** Effects that are done by code of the runtime or of a plugin. */
  readonly locals: ReadonlyMap<string, LocalSpec>;
}

const ROUTES = routes.map(routeEffect);

/** What the runtime does itself, without the gateway. A new one is one file and one entry here. */
const LOCALS = [
  ...[exportCopy, ready, erase, creditsState, creditsResume, messagesRecall],
] as unknown as readonly LocalSpec[];

/**
 * The runtime's effects with those of the plugins. A plugin may take over a gateway route under the route's own id. Any other
 * name that is taken is an error, which names both who have it.
 */
export function createEffects(plugins: readonly Plugged[] = []): EffectTable {
  const calls = new Map(ROUTES.map((spec) => [spec.name, spec]));
  const overview = overviewOf(plugins.flatMap(({ documents = [] }) => documents));
  const locals = new Map([...LOCALS, overview].map((spec) => [spec.name, spec]));
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
      else if (calls.has(spec.name))
        throw new Error(
          `The effect ${spec.name} of the plugin ${plugin} has the name of a gateway route and makes no call of it: rename it.`,
        );
      else locals.set(spec.name, spec);
    }
  return { calls, locals };
}

function isCall(spec: EffectSpec | LocalSpec): spec is EffectSpec {
  return "route" in spec;
}
