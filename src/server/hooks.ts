/** What a plugin adds to the HTTP side. Every hook is optional. */
import type { FastifyInstance } from "fastify";
import { Claims, type JsonObject, type Log } from "../base/index.ts";
import { channels } from "../channels/index.ts";
import type { Account } from "../engine/index.ts";
import { apiRoutes } from "./api/index.ts";
import type { ApiRoute } from "./api/route.ts";
import type { ServerDeps } from "./deps.ts";

/** `C`: the worker's context, with which a plugin opens its services (`context.use`). */
export interface ServerHooks<C> {
  /**
   * Operations of the operator API, made once at the start. They have the checks, the audit and the place in the OpenAPI
   * document that the runtime's own have.
   *
   *     routes: (context) => [
   *       route({
   *         method: "GET",
   *         path: "/deliveries/:account",
   *         summary: "Deliveries of a business",
   *         params: z.object({ account: AccountId }),
   *         handle: async ({ params }) => ({ items: await deliveriesOf(context).list(params.account) }),
   *       }),
   *     ]
   */
  readonly routes?: (context: C) => readonly ApiRoute[];
  /**
   * Pages for people outside, on the listener of the webhooks. A page brings its own limits: of bodies, of tries, of how many
   * at once. Its address is the right to use it, and stands in no log.
   */
  readonly pages?: (context: C) => Page;
  /**
   * Further webhooks, by name: `POST /webhooks/<name>/:token`. The account's section says under the same name where the token
   * stands (`tokens`). A body is a JSON object of 1 MiB at most.
   *
   * The sender is answered 200 when the promise resolves, so what was told must be durable by then; 503 when it rejects, and
   * senders repeat.
   *
   *     webhooks: (context) => ({ deliveries: (account, body) => deliveriesOf(context).told(account.id, body) })
   */
  readonly webhooks?: (context: C) => Readonly<Record<string, Webhook>>;
}

export type Webhook = (account: Account, body: JsonObject) => Promise<void>;

/** Adds its routes to a listener. `publicUrl`: where people reach it, without a slash at the end. */
type Page = (
  app: FastifyInstance,
  about: { readonly log: Log; readonly publicUrl: string },
) => Promise<void>;

/** The hooks of all plugins, opened. */
export interface PluginParts {
  readonly routes: readonly ApiRoute[];
  readonly pages: readonly { readonly plugin: string; readonly page: Page }[];
  readonly webhooks: ReadonlyMap<string, Webhook>;
}

/** What a listener is made of. */
export interface ListenerDeps extends ServerDeps {
  readonly plugins: PluginParts;
}

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

/**
 * Adds the pages of plugins. The pages of a plugin end at the first that cannot be added, for example because its address
 * is taken; the start tells which plugin has it.
 */
export async function pluginPages(app: FastifyInstance, deps: ListenerDeps): Promise<void> {
  const owners = new Map<string, string>();
  let adding = "";
  let taken: string | undefined;
  app.addHook("onRoute", ({ method, url }) => {
    for (const one of [method].flat()) {
      const address = `${one} ${url}`;
      if (app.hasRoute({ method: one, url }))
        taken ??= `${address} belongs to ${owners.get(address) ?? "the runtime"}`;
      else owners.set(address, `the plugin ${adding}`);
    }
  });
  for (const { plugin, page } of deps.plugins.pages) {
    [adding, taken] = [plugin, undefined];
    try {
      await page(app, deps);
    } catch (err) {
      const why = taken ?? "mend the page that cannot be added";
      deps.log.error(
        { err, plugin },
        `the plugin ${plugin} goes without the rest of its pages: ${why}`,
      );
    }
  }
}
