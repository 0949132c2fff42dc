/** What a plugin adds to the HTTP side. Every hook is optional. */
import type { FastifyInstance } from "fastify";
import type { JsonObject } from "../base/index.ts";
import type { Account } from "../engine/index.ts";
import type { ApiRoute } from "./api/openapi/route.ts";
import type { ServerDeps } from "./deps.ts";
import type { Log } from "./log.ts";

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
export type Page = (
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
