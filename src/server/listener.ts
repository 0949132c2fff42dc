/**
 * One HTTP listener: webhooks and health, or console and operator API, or both on one port while it is loopback.
 */
import fastify, { type FastifyInstance } from "fastify";
import { WITHOUT_SCHEMAS } from "../base/index.ts";
import { channels } from "../channels/index.ts";
import { accessOf, loginRoute } from "./access/admin-access.ts";
import {
  apiRoutes,
  controlRoutes,
  openApiDocument,
  registerApi,
  type ApiContext,
} from "./api/index.ts";
import { createAudit } from "./access/audit.ts";
import type { Extension, ServerDeps } from "./deps.ts";
import { createEventStreams } from "./events.ts";
import { fileRoutes } from "./files.ts";
import { healthRoutes } from "./health.ts";
import { type ListenerDeps, pluginPages } from "./hooks.ts";
import { OVERLOADED, problemOf, refuse, send } from "./problem.ts";
import { sandboxProxy } from "./sandbox-proxy.ts";
import { answerUnrouted, refusalLog, unroutable } from "./webhooks/refusals.ts";
import { webhookRoutes } from "./webhooks/webhooks.ts";
import type { Socket } from "node:net";

/** A request that is not whole within this time is given up, ms: a large body over a slow line needs some. */
const REQUEST_TIMEOUT_MS = 30_000;
/** … and its head within this time, ms: it has a few lines, and until it is read the sender is unknown. */
const HEAD_TIMEOUT_MS = 10_000;
/** How often late requests are looked for, ms; the platform's own half minute would double their time. */
const LATE_CHECK_MS = 1_000;
/** Open at once. Above all honest senders together; below what a process may open (1,024 files are common, raised by most). */
const CONNECTIONS = 10_000;
/** Senders keep their connections open; ours close later than theirs. Ms. */
const KEEP_ALIVE_MS = 72_000;
/** Longest path with parameters; tokens have at most 128 characters, effect ids 300. */
const PARAM_LIMIT = 512;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Called by machines only, many times a second. */
    machine?: boolean;
  }
}

export interface Parts {
  /** Webhooks, and the one-time pages of people. */
  readonly ingress: boolean;
  /** Console, operator API, metrics. */
  readonly admin: boolean;
  /** Console files, behind the operators' access. */
  readonly console?: Extension;
}

/** What a machine that reads our answer needs; the other headers are for browsers. */
const MACHINE_HEADERS = { "x-content-type-options": "nosniff", "cache-control": "no-store" };

/**
 * The headers are the same for every answer, so they are made once: making them for each would cost as much as storing a
 * message.
 */
async function headersOf(deps: ServerDeps): Promise<Record<string, string>> {
  const { default: helmet } = await import("@fastify/helmet");
  const sample = fastify({ logger: false, schemaController: WITHOUT_SCHEMAS });
  await sample.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", "data:"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: deps.publicUrl.startsWith("https:") ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: "no-referrer" },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    crossOriginResourcePolicy: { policy: "same-origin" },
    xFrameOptions: { action: "deny" },
  });
  sample.get("/", (_request, reply) => reply.send());
  const { headers } = await sample.inject("/");
  await sample.close();
  const made = Object.entries(headers).flatMap(([name, value]) =>
    NOT_OURS.has(name) ? [] : [[name, String(value)] as const],
  );
  return { ...Object.fromEntries(made), "cache-control": "no-store" };
}

/** Headers of the sample answer only. */
const NOT_OURS: ReadonlySet<string> = new Set([
  "content-length",
  "content-type",
  "connection",
  "date",
  "keep-alive",
]);

function securityHeaders(app: FastifyInstance, deps: ServerDeps): void {
  // Made with the first answer to a person: machines come first, and a start should not wait for it.
  let made: Promise<void> | undefined;
  let headers: Record<string, string> | undefined;
  app.addHook("onRequest", (request, reply, next) => {
    const own = request.routeOptions.config.machine === true ? MACHINE_HEADERS : headers;
    if (own) {
      reply.headers(own);
      next();
      return;
    }
    made ??= headersOf(deps).then((all) => void (headers = all));
    made.then(() => {
      reply.headers(headers ?? {});
      next();
    }, next);
  });
}

/**
 * A request on a kept connection while the listener closes is refused by us, with a time to come again; the framework's own
 * refusal names none.
 */
function refuseLate(app: FastifyInstance): void {
  let closing = false;
  app.addHook("preClose", async () => void (closing = true));
  app.addHook("onRequest", (_request, reply, next) => {
    if (closing) void send(reply, OVERLOADED);
    else next();
  });
}

/** Logs tell the route's pattern, never the path: webhook paths hold tokens, and queries may hold anything. */
function watch(app: FastifyInstance, deps: ServerDeps): void {
  app.addHook("onResponse", (request, reply, next) => {
    const route = request.routeOptions.url ?? "unmatched";
    const { method } = request;
    const status = reply.statusCode;
    deps.metrics.requests.inc({ route, method, status: String(status) });
    const line = { id: request.id, method, route, status, ms: Math.round(reply.elapsedTime) };
    if (status >= 500) deps.log.warn(line, "request");
    else deps.log.debug(line, "request");
    next();
  });
  app.setErrorHandler(async (error, request, reply) => {
    const what = problemOf(error);
    const route = request.routeOptions.url ?? "unmatched";
    if (what.status >= 500) deps.log.error({ err: error, id: request.id, route }, "request failed");
    return send(reply, what);
  });
}

const routesOf = ({ plugins }: ListenerDeps) => [...apiRoutes, ...plugins.routes];

function contextOf(deps: ListenerDeps): ApiContext {
  let document: ReturnType<typeof openApiDocument> | undefined;
  return {
    deps,
    audit: createAudit(deps.store, Date.now, deps.newId),
    streams: createEventStreams(deps.hub, deps.sandboxUrl !== null),
    // Made on demand: few ask for it, and it takes a twentieth of a start.
    openapi: () => (document ??= openApiDocument(routesOf(deps), deps.version)),
  };
}

async function adminRoutes(app: FastifyInstance, deps: ListenerDeps, parts: Parts): Promise<void> {
  loginRoute(app, deps, Date.now);
  await registerApi(app, routesOf(deps), contextOf(deps));
  await app.register(async (scope) => {
    scope.addHook("onRequest", async (request, reply) => {
      const access = accessOf(request, deps.adminToken, Date.now());
      if (access.ok) return undefined;
      const code = access.status === 401 ? "UNAUTHORIZED" : "FORBIDDEN";
      return send(reply, refuse(code, access.message, access.status));
    });
    await sandboxProxy(scope, deps);
    scope.get("/metrics", async (_request, reply) =>
      reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics()),
    );
    await parts.console?.(scope);
  });
}

/** Builds a listener; the caller binds and closes it. Closing ends event streams first. */
export async function createListener(deps: ListenerDeps, parts: Parts): Promise<FastifyInstance> {
  const tell = refusalLog(deps.metrics.refused, deps.log, () => performance.now());
  const named = new Set([...Object.keys(channels), ...deps.plugins.webhooks.keys()]);
  const app = fastify({
    logger: false,
    schemaController: WITHOUT_SCHEMAS,
    genReqId: () => deps.newId(),
    requestTimeout: deps.limits?.requestMs ?? REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: deps.limits?.headMs ?? HEAD_TIMEOUT_MS,
      connectionsCheckingInterval: LATE_CHECK_MS,
    },
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAM_LIMIT, ignoreTrailingSlash: false },
    trustProxy: false,
    ...unroutable(tell, named),
  });
  // A further connection is closed at once, before it can send anything.
  app.server.maxConnections = deps.limits?.connections ?? CONNECTIONS;
  endUnusedLines(app);
  securityHeaders(app, deps);
  watch(app, deps);
  answerUnrouted(app, tell, named);
  refuseLate(app);
  healthRoutes(app, deps);
  if (parts.ingress) {
    await webhookRoutes(app, deps, tell);
    fileRoutes(app, deps);
  }
  if (parts.admin) await adminRoutes(app, deps, parts);
  // The sandbox only knows where webhooks go, so it must reach the clock there, too.
  else if (deps.sandboxUrl !== null) await registerApi(app, controlRoutes, contextOf(deps));
  // Last, so that an address of the runtime or of an earlier plugin stays with it.
  if (parts.ingress) await pluginPages(app, deps);
  app.addHook("preClose", async () => deps.hub.close());
  return app;
}

/**
 * Connections on which no request was ever made, as browsers open them in advance, end with the listener; a request that was
 * about to be made on one gets no answer. Node counts them neither as idle nor as done, so a closing listener would wait for
 * each of them.
 */
function endUnusedLines(app: FastifyInstance): void {
  const lines = new Set<Socket>();
  app.server.on("connection", (line) => {
    lines.add(line);
    line.once("close", () => lines.delete(line));
  });
  app.addHook("preClose", async () => {
    // Asked for here: whoever listens for a connection's bytes takes them out of the parser's own hands.
    for (const line of lines) if (line.bytesRead === 0) line.destroy();
  });
}
