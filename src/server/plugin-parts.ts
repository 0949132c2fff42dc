/** The HTTP hooks of all plugins, as they are served. */
import { Claims } from "../base/index.ts";
import { channels } from "../channels/index.ts";
import { apiRoutes } from "./api/index.ts";
import type { ApiRoute } from "./api/openapi/route.ts";
import type { PluginParts, ServerHooks, Webhook } from "./hooks.ts";

/**
 * Opens the hooks of all plugins, in their order. A route or webhook that the runtime or another plugin has is left out,
 * and so is a hook that throws; the rest is served. `tell` gets a sentence for each.
 */
export function pluginParts<C>(
  plugins: readonly ({ readonly name: string } & ServerHooks<C>)[],
  context: C,
  tell: (message: string) => void,
): PluginParts {
  const claims = new Claims([
    ...apiRoutes.map(({ method, path }) => `${method} /api${path}`),
    ...Object.keys(channels).map((channel) => `the webhook ${channel}`),
  ]);
  const isFree = (plugin: string, what: string): boolean => {
    const no = claims.refusal(plugin, what);
    if (no !== undefined) tell(no);
    return no === undefined;
  };
  const routes: ApiRoute[] = [];
  const pages: PluginParts["pages"][number][] = [];
  const webhooks = new Map<string, Webhook>();
  for (const { name, ...hooks } of plugins) {
    const opened = <T>(hook: "routes" | "pages" | "webhooks", open: () => T): T | undefined => {
      try {
        return open();
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        tell(`The plugin ${name} goes without its ${hook}, which cannot be opened: ${why}`);
        return undefined;
      }
    };
    for (const one of opened("routes", () => [...(hooks.routes?.(context) ?? [])]) ?? [])
      if (isFree(name, `${one.method} /api${one.path}`)) routes.push(one);
    const page = opened("pages", () => {
      const made = hooks.pages?.(context);
      if (made !== undefined && typeof made !== "function") throw new Error("it is no function.");
      return made;
    });
    if (page) pages.push({ plugin: name, page });
    const some = opened("webhooks", () => Object.entries(hooks.webhooks?.(context) ?? {})) ?? [];
    for (const [webhook, take] of some)
      if (isFree(name, `the webhook ${webhook}`)) webhooks.set(webhook, take);
  }
  return { routes, pages, webhooks };
}
