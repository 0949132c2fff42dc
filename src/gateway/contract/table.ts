/** The table: every controller put together, the ids that follow from it, and what loops over it. */
import type { z } from "zod";
import { engineA, official, sms } from "./channels.ts";
import { chat } from "./chat.ts";
import { engineC } from "./engine-c.ts";
import { group, label } from "./group.ts";
import { call, instance, settings } from "./instance.ts";
import { invoicingRoutes } from "./invoicing.ts";
import { jobs } from "./jobs.ts";
import { message } from "./message.ts";
import type { Auth, Billing, CallClass, Method, Named, Route } from "./route.ts";

export const contract = {
  message,
  call,
  instance,
  settings,
  chat,
  group,
  label,
  invoicing: invoicingRoutes,
  jobs,
  engineA,
  engineC,
  official,
  sms,
} as const;
export type Contract = typeof contract;
type Controller = keyof Contract;

/** `message.sendText`, `invoicing.nfseEnvio`, … */
export type RouteId = {
  [C in Controller]: `${C}.${keyof Contract[C] & string}`;
}[Controller];

/** The entry of an id. */
export type RouteOf<Id extends RouteId> = Id extends `${infer C extends Controller}.${infer K}`
  ? K extends keyof Contract[C]
    ? Contract[C][K]
    : never
  : never;

/** What a caller may put into the body: any variant of it. */
export type BodyOf<R> = R extends { readonly variants: infer V }
  ? {
      [K in keyof V]: V[K] extends { readonly body: infer B extends z.ZodType }
        ? z.input<B>
        : never;
    }[keyof V]
  : never;
/** The payload of a success. */
export type DataOf<R> = R extends { readonly response: infer S extends z.ZodType }
  ? z.output<S>
  : never;
/** Query parameters, or null. */
export type QueryOf<R> = R extends { readonly query: infer Q extends z.ZodType }
  ? z.input<Q>
  : null;

/** Any entry with its id. */
export type AnyRoute = Named<RouteId, Route>;

/** All entries, in the order they are declared. */
export const routes: readonly AnyRoute[] = Object.values(contract).flatMap(
  (controller) => Object.values(controller) as AnyRoute[],
);

/**
 * Routes that flows may call by their id. Fiscal routes are called by an effect of a plugin alone, which keeps a record of each
 * request and submits it once.
 */
export const flowRoutes: readonly AnyRoute[] = routes.filter((route) => route.class !== "fiscal");

const byId: ReadonlyMap<string, AnyRoute> = new Map(routes.map((route) => [route.id, route]));

/** The entry of an id; undefined for a text that is none. */
export function findRoute(id: string): AnyRoute | undefined {
  return byId.get(id);
}

/** The entry of an id. */
export function routeOf(id: RouteId): AnyRoute {
  const route = byId.get(id);
  if (!route) throw new TypeError(`${id} is no route of the gateway`);
  return route;
}

/** From neutral path words to a deployment's own (setting `GATEWAY_ROUTE_WORDS`). Whole segments are replaced. */
export type RouteWords = Readonly<Record<string, string>>;

/** The words a deployment may replace. */
export const ROUTE_WORDS = [
  "msgengine",
  "messengerNumbers",
  "sendMessengerAudio",
  "engine-a",
  "engine-c",
  "official",
  "sms",
] as const;

/** Path of a route in a deployment. `queued` appends the queue suffix, except where the entry is a queue path itself. */
export function pathOf(
  route: Pick<Route, "path" | "queue">,
  words: RouteWords = {},
  queued = false,
): string {
  const path = queued && route.queue !== "only" ? `${route.path}/queue` : route.path;
  if (Object.keys(words).length === 0) return path;
  return path
    .split("/")
    .map((segment) => (Object.hasOwn(words, segment) ? words[segment] : segment))
    .join("/");
}

/**
 * Every queue path there is, with the entry it queues: the suffixed forms and the one declared by itself. `refused` ones
 * answer `queue_not_available`.
 */
export function queuePaths(words: RouteWords = {}): { path: string; route: AnyRoute }[] {
  const declared = new Set(
    routes.filter((route) => route.queue === "only").map((route) => route.path),
  );
  return routes
    .filter((route) => route.queue !== "no" && !declared.has(`${route.path}/queue`))
    .map((route) => ({ path: pathOf(route, words, true), route }));
}

interface RouteTableRow {
  readonly id: RouteId;
  readonly method: Method;
  readonly path: string;
  readonly auth: Auth;
  readonly version: "v1" | "v2";
  /** Takes the `/queue` suffix, or is such a path itself. */
  readonly queue: boolean;
  readonly beta: boolean;
  readonly volatile: boolean;
  /** Needs the query parameter `groupJid`. */
  readonly group: boolean;
  readonly variants: readonly string[];
  readonly billing: Billing;
  /** BRL per call; null where the interface shows none. */
  readonly price: number | null;
  readonly class: CallClass;
  readonly source: string;
}

/**
 * The contract as rows for people and scripts: messaging, invoicing and jobs; with `channels` also the sending routes of
 * the other channels.
 */
export function routeTable(
  options: { words?: RouteWords; channels?: boolean } = {},
): readonly RouteTableRow[] {
  return routes
    .filter((route) => options.channels === true || route.area !== "channels")
    .map((route) => ({
      id: route.id,
      method: route.method,
      path: pathOf(route, options.words),
      auth: route.auth,
      version: route.version,
      queue: route.queue === "yes" || route.queue === "only",
      beta: route.beta,
      volatile: route.volatile,
      group: route.group,
      variants: Object.keys(route.variants),
      billing: route.billing,
      price: route.price,
      class: route.class,
      source: route.source,
    }));
}
