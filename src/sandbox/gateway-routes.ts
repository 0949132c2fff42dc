/**
 * The gateway's routes, generated from the contract: one HTTP route for each method and path, queue forms included, and
 * for each call the same order of checks: faults that cut the line, auth, faults that answer, quota, body, charge, effect.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Json, JsonObject } from "../base/index.ts";
import { pathOf, queuePaths, routeOf, routes, type AnyRoute } from "../gateway/index.ts";
import { behaviourOf, examplePayload } from "./behaviours.ts";
import type { Charge } from "./billing.ts";
import { clip, isObject, textAt } from "./bounded.ts";
import { admit, type Caller } from "./callers.ts";
import type { FaultEffect } from "./faults.ts";
import { done, envelope, failed, type Call, type Outcome } from "./outcome.ts";
import { enqueue } from "./queue.ts";
import { readBody } from "./request-body.ts";
import { fieldErrors } from "./validation.ts";
import type { RequestRow, World } from "./world.ts";

export const BASE_PATH = "/api/v2";

/** Real milliseconds a `timeout` fault holds the line when it names none. */
const TIMEOUT_FAULT_MS = 120_000;

/** Statuses that nobody is charged for. */
const UNCHARGED = new Set([401, 402, 403, 429]);

const HTML_PAGE =
  "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>";

/** An HTTP route of the contract; invoicing shares one among its operations. */
interface Entry {
  readonly method: AnyRoute["method"];
  readonly path: string;
  readonly route: AnyRoute;
  readonly queued: boolean;
}

/** An answer: a body, or a way to give none. */
type Answer =
  | { readonly status: number; readonly body: Json; readonly headers?: Record<string, string> }
  | { readonly raw: string; readonly status: number; readonly type: string }
  | { readonly cut: "reset" | "hold"; readonly ms: number };

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
  for (const entry of entries())
    app.route({
      method: entry.method,
      url: `${BASE_PATH}${entry.path}`,
      handler: (request, reply) => handle(world(), entry, request, reply),
    });
}

async function handle(
  world: World,
  entry: Entry,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const read = readBody(request.body);
  const body = read.ok && isObject(read.value) ? read.value : {};
  const route = operationOf(world, entry.route, body);
  const shown = route ?? entry.route;
  const fault = world.faults.strike(shown.id, textAt(body, "tipo"));
  const at = world.clock.iso();
  let answer: Answer;
  try {
    answer =
      cutting(fault) ??
      (read.ok && isObject(read.value)
        ? await serve(world, entry, route, request, body, fault)
        : { status: 400, body: { error: true, message: "Corpo JSON inválido." } });
  } catch (error) {
    request.log.error(error);
    answer = { status: 500, body: { error: true, message: "Erro interno do sandbox." } };
  }
  if (fault?.kind === "accepted_then_lost") answer = { cut: "hold", ms: fault.ms ?? 0 };
  if (fault?.kind === "slow")
    await new Promise((wake) => setTimeout(wake, fault.ms ?? 1_000).unref());
  const status = "status" in answer ? answer.status : null;
  recordRequest(world, request, { at, route: route?.id ?? null, status });
  return deliver(answer, reply);
}

/** Writes a call down, whatever came of it. */
export function recordRequest(
  world: World,
  request: FastifyRequest,
  facts: Pick<RequestRow, "at" | "route" | "status">,
): void {
  const read = readBody(request.body);
  const row: RequestRow = {
    at: facts.at,
    method: request.method,
    path: request.url.split("?")[0] ?? "",
    route: facts.route,
    headers: Object.keys(request.headers).sort(),
    status: facts.status,
    body: clip(read.ok ? read.value : null),
  };
  world.requests.push(row);
  world.feed.tell("request", () => ({ ...row }));
}

/** The operation a body selects; undefined for a `tipo` that is none. */
function operationOf(world: World, route: AnyRoute, body: JsonObject): AnyRoute | undefined {
  if (route.area !== "invoicing") return route;
  const tipo = textAt(body, "tipo");
  if (tipo === undefined) return undefined;
  if (tipo === world.invoicing.cancel_tipo) return routeOf("invoicing.cancelamento");
  return routes.find(
    (other) =>
      other.area === "invoicing" && other.tipo === tipo && other.id !== "invoicing.cancelamento",
  );
}

/** Faults of the line and of what stands between: they strike before anybody looks at the call. */
function cutting(fault: FaultEffect | undefined): Answer | undefined {
  switch (fault?.kind) {
    case "reset":
      return { cut: "reset", ms: 0 };
    case "timeout":
      return { cut: "hold", ms: fault.ms ?? TIMEOUT_FAULT_MS };
    case "malformed":
      return {
        raw: '{"error":false,"message":"Requ',
        status: fault.status ?? 200,
        type: "application/json",
      };
    case "html":
      return { raw: HTML_PAGE, status: fault.status ?? 502, type: "text/html" };
    default:
      return undefined;
  }
}

async function serve(
  world: World,
  entry: Entry,
  operation: AnyRoute | undefined,
  request: FastifyRequest,
  body: JsonObject,
  fault: FaultEffect | undefined,
): Promise<Answer> {
  const route = operation ?? entry.route;
  const admitted = admit(
    request.headers.authorization,
    headerText(request.headers["devicetoken"]),
    route.auth,
  );
  if (!admitted.ok)
    return { status: admitted.status, body: { error: true, message: admitted.message } };
  const { caller } = admitted;
  if (route.area === "invoicing" && caller.person === "cpf")
    return {
      status: 403,
      body: { error: true, message: "API disponível somente para cadastro com CNPJ." },
    };
  if (!operation) return invalid({ tipo: ["O campo tipo não corresponde a nenhuma operação."] });
  if (entry.queued && route.queue === "refused")
    return {
      status: 400,
      body: {
        error: true,
        code: "queue_not_available",
        message: "Fila indisponível para este motor. Use a rota síncrona.",
      },
    };
  const call: Call = { route, caller, body, query: queryOf(request) };
  return settle(world, entry, call, fault);
}

/** An admitted call: money, body, effect, envelope. */
async function settle(
  world: World,
  entry: Entry,
  call: Call,
  fault: FaultEffect | undefined,
): Promise<Answer> {
  const { route, caller, body } = call;
  const homolog = body["homolog"] === true;
  const charge: Charge = {
    route: route.id,
    billing: homolog ? "none" : route.billing,
    price: route.price,
    ...(route.tipo === null ? {} : { tipo: textAt(body, "tipo") ?? route.tipo }),
  };
  const noMoney =
    fault?.kind === "no_balance"
      ? (fault.message ?? "Saldo insuficiente.")
      : world.billing.refusal(charge, caller);
  if (noMoney !== undefined) return wrap(world, call, failed(402, noMoney), 0, homolog);
  if (fault?.kind === "status") return struck(world, call, charge, fault);
  const errors = fieldErrors(route, body, call.query);
  const cost = world.billing.charge(charge, caller, world.clock.iso());
  if (errors) return invalid(errors);
  if (fault?.kind === "business_error")
    return wrap(world, call, failed(200, fault.message ?? "Falha na operação."), cost, homolog);
  const behaviour = behaviourOf(route);
  if (entry.queued) return { status: 200, body: enqueue(world, call, behaviour) };
  const outcome = homolog ? done(examplePayload(route)) : await behaviour(world, call);
  return wrap(world, call, outcome, cost, homolog);
}

/** A status on purpose. As with the gateway, most 4xx are charged and 5xx are not. */
function struck(world: World, call: Call, charge: Charge, fault: FaultEffect): Answer {
  const status = fault.status ?? 500;
  if (status < 500 && !UNCHARGED.has(status))
    world.billing.charge(charge, call.caller, world.clock.iso());
  const body = { error: status >= 400, message: fault.message ?? `Falha ${status}.` };
  if (status !== 429 && status !== 503) return { status, body };
  const seconds = Math.max(1, Math.ceil((fault.ms ?? 1_000) / 1_000));
  return { status, body, headers: { "retry-after": String(seconds) } };
}

function wrap(
  world: World,
  call: { readonly route: AnyRoute; readonly caller: Caller } & Call,
  outcome: Outcome,
  cost: number,
  homolog: boolean,
): Answer {
  return {
    status: outcome.ok ? 200 : outcome.status,
    body: envelope(world, call, outcome, cost, homolog),
  };
}

function invalid(errors: Readonly<Record<string, readonly string[]>>): Answer {
  const first = Object.values(errors)[0]?.[0] ?? "";
  return {
    status: 422,
    body: { message: `Os dados fornecidos são inválidos. ${first}`.trim(), errors },
  };
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function queryOf(request: FastifyRequest): Readonly<Record<string, string>> {
  const query: Record<string, string> = {};
  if (!isObject(request.query)) return query;
  for (const [key, value] of Object.entries(request.query))
    if (typeof value === "string") query[key] = value;
  return query;
}

async function deliver(answer: Answer, reply: FastifyReply): Promise<FastifyReply> {
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
  return reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .send(answer.body);
}
