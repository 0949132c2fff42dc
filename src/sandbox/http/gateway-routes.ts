/** The gateway's routes over HTTP, generated from the contract: one for each method and path, queue forms included. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { openApi, pathOf, queuePaths, routes, type AnyRoute } from "../../gateway/index.ts";
import { isObject } from "./bounded.ts";
import { serve, type Answer, type Entry } from "./gateway-call.ts";
import { readBody } from "./request-body.ts";
import type { World } from "../world/world.ts";

export const BASE_PATH = "/api/v2";

/** Every method and path of the contract, each once. */
export function entries(): readonly Entry[] {
  const plain = routes.map((route) => ({
    method: route.method,
    path: pathOf(route),
    route,
    queued: route.queue === "only",
  }));
  const queued = queuePaths().map(({ path, route }) => ({
    method: route.method,
    path,
    route,
    queued: true,
  }));
  const all = [...plain, ...queued];
  return all.filter(
    (entry, index) =>
      all.findIndex((other) => other.method === entry.method && other.path === entry.path) ===
      index,
  );
}

export function addGatewayRoutes(app: FastifyInstance, world: () => World): void {
  app.get(`${BASE_PATH}/openapi.json`, () => openApi());
  for (const entry of entries())
    app.route({
      method: entry.method,
      url: `${BASE_PATH}${entry.path}`,
      handler: (request, reply) => handle(world(), entry, request, reply),
    });
  for (const [prefix, route] of engines())
    app.route({
      method: "POST",
      url: `${BASE_PATH}/${prefix}/*`,
      handler: (request, reply) => {
        const entry = undeclared(route, (request.params as { "*": string })["*"]);
        return entry ? handle(world(), entry, request, reply) : reply.callNotFound();
      },
    });
}

/** Path words of the engines whose actions the interface leaves open, each with a route of that engine. */
function engines(): ReadonlyMap<string, AnyRoute> {
  const open = routes.filter((route) => route.area === "channels" && route.queue !== "no");
  return new Map(open.map((route) => [route.path.split("/")[1] ?? "", route]));
}

const ACTION = /^(?<action>[\w-]{1,64}(?:\/[\w-]{1,64}){0,4}?)(?<queue>\/queue)?$/;

/** A call of an action that the contract does not declare, in either form; undefined for what is no action's address. */
function undeclared(route: AnyRoute, path: string): Entry | undefined {
  const { action, queue } = ACTION.exec(path)?.groups ?? {};
  if (action === undefined) return undefined;
  const [controller = ""] = route.id.split(".");
  return {
    method: "POST",
    path,
    route,
    queued: queue !== undefined,
    action: `${controller}.${action}`,
  };
}

async function handle(
  world: World,
  entry: Entry,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers } = request;
  const at = world.clock.iso();
  const body = readBody(request.body, headers["content-type"]);
  const { answer, route, account } = await serve(world, entry, {
    authorization: headers.authorization,
    device: headerText(headers["devicetoken"]),
    query: queryOf(request),
    body,
  });
  const status = "status" in answer ? answer.status : null;
  const kept = body.ok ? body.kept : null;
  world.requests.record(request, { at, route, status, body: kept }, account);
  return deliver(answer, reply);
}

/** Writes down a call that came to no route, or that was refused before anybody read it. */
export function recordStray(world: World, request: FastifyRequest, status: number): void {
  const body = readBody(request.body);
  const kept = body.ok ? body.kept : null;
  world.requests.record(request, { at: world.clock.iso(), route: null, status, body: kept }, null);
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

const NO_QUERY: Readonly<Record<string, string>> = {};

function queryOf(request: FastifyRequest): Readonly<Record<string, string>> {
  if (!request.url.includes("?") || !isObject(request.query)) return NO_QUERY;
  const query: Record<string, string> = {};
  for (const [key, value] of Object.entries(request.query))
    if (typeof value === "string" && key !== "__proto__") query[key] = value;
  return query;
}

function deliver(answer: Answer, reply: FastifyReply): FastifyReply {
  if ("cut" in answer) {
    reply.hijack();
    const { socket } = reply.raw;
    if (answer.cut === "reset") socket?.resetAndDestroy();
    else if (answer.ms <= 0) socket?.destroy();
    else setTimeout(() => socket?.destroy(), answer.ms).unref();
    return reply;
  }
  if ("raw" in answer)
    return reply.code(answer.status).header("content-type", answer.type).send(answer.raw);
  if (answer.headers) void reply.headers(answer.headers);
  return reply.code(answer.status).send(answer.body);
}
