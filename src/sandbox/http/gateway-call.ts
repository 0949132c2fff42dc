/**
 * One call of the gateway, after HTTP and before it: who calls, what it selects, what was broken on purpose, whether it
 * can be paid, whether its body is right, what it costs, and only then what it does.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { routeOf, routes, type AnyRoute } from "../../gateway/index.ts";
import { behaviourOf, examplePayload, unknownAction } from "./behaviours.ts";
import { FREE, type Charge, type Cost } from "../world/billing.ts";
import { isObject, textAt } from "./bounded.ts";
import { admit, type Admission, type Caller } from "./callers.ts";
import type { FaultEffect } from "../controls/faults.ts";
import { done, envelope, failed, type Call, type Outcome } from "./outcome.ts";
import { enqueue, QUEUE_NOT_AVAILABLE } from "./queue.ts";
import type { BodyReading } from "./request-body.ts";
import { todaysSpelling, fieldErrors, type FieldErrors } from "./validation.ts";
import type { World } from "../world/world.ts";

/** Real milliseconds a `timeout` fault holds the line when it names none. */
const TIMEOUT_FAULT_MS = 120_000;

/** Statuses that nobody is charged for. */
const UNCHARGED = new Set([401, 402, 403, 429]);

const HTML_PAGE =
  "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>";

/** An HTTP route of the contract; invoicing shares one among its operations. */
export interface Entry {
  readonly method: AnyRoute["method"];
  readonly path: string;
  readonly route: AnyRoute;
  readonly queued: boolean;
  /**
   * An action of the route's engine that the contract does not declare, as `engineA.sendLink`. What it takes and does is not
   * known: any body will do, and nothing is done.
   */
  readonly action?: string;
}

/** What came in, read. */
interface Incoming {
  readonly authorization: string | undefined;
  readonly device: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly body: BodyReading;
}

/** An answer: a body, or a way to give none. */
export type Answer =
  | { readonly status: number; readonly body: Json; readonly headers?: Record<string, string> }
  | { readonly raw: string; readonly status: number; readonly type: string }
  | { readonly cut: "reset" | "hold"; readonly ms: number };

interface Served {
  readonly answer: Answer;
  /** The operation; null for a `tipo` that is none. */
  readonly route: string | null;
  readonly account: string | null;
}

/** Answers a call. Never throws: a fault of ours is an answer with 500. */
export async function serve(world: World, entry: Entry, incoming: Incoming): Promise<Served> {
  const { body: read } = incoming;
  const body = read.ok && isObject(read.value) ? read.value : undefined;
  const operation = operationOf(world, entry.route, body ?? {});
  const admission = admissionOf(operation ?? entry.route, incoming);
  const fault = world.faults.strike(
    entry.action ?? (operation ?? entry.route).id,
    body && textAt(body, "tipo"),
    admission.ok ? { admitted: true, caller: admission.caller.account } : { admitted: false },
  );
  let answer = cutting(fault);
  try {
    if (!admission.ok)
      answer ??= { status: admission.status, body: { error: true, message: admission.message } };
    else if (!read.ok || !body) answer ??= unreadable(world, entry, admission.caller, read);
    else if (!operation)
      answer ??= invalid({ tipo: ["O campo tipo não corresponde a nenhuma operação."] });
    else {
      const { caller } = admission;
      const { query } = incoming;
      const call: Call = {
        route: operation,
        caller,
        body: operation.area === "messaging" ? todaysSpelling(body) : body,
        kept: read.kept,
        query,
      };
      answer ??= await settle(world, entry, call, fault);
    }
  } catch (error) {
    world.onError(error);
    answer = { status: 500, body: { error: true, message: "Erro interno do sandbox." } };
  }
  if (fault?.kind === "accepted_then_lost") answer = { cut: "hold", ms: fault.ms ?? 0 };
  if (fault?.kind === "slow")
    await new Promise((wake) => setTimeout(wake, fault.ms ?? 1_000).unref());
  const account = admission.ok ? admission.caller.account : null;
  return { answer, route: entry.action ?? operation?.id ?? null, account };
}

const INVOICING: ReadonlyMap<string, AnyRoute> = new Map(
  routes.flatMap((route) =>
    route.area === "invoicing" && route.tipo !== null && route.id !== "invoicing.cancelamento"
      ? [[route.tipo, route] as const]
      : [],
  ),
);

/** The operation a body selects; undefined for a `tipo` that is none. */
function operationOf(world: World, route: AnyRoute, body: JsonObject): AnyRoute | undefined {
  if (route.area !== "invoicing") return route;
  const tipo = textAt(body, "tipo");
  if (tipo === undefined) return undefined;
  if (tipo === world.settings.invoicing.cancel_tipo) return routeOf("invoicing.cancelamento");
  return INVOICING.get(tipo);
}

function admissionOf(route: AnyRoute, { authorization, device }: Incoming): Admission {
  const admission = admit(authorization, device, route.auth);
  if (!admission.ok || route.area !== "invoicing" || admission.caller.person === "cnpj")
    return admission;
  const message = "API disponível somente para cadastro com CNPJ.";
  return { ok: false, status: 403, message };
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

/** A body that is no JSON object. Charged as any caller's error, where the address alone tells what is billed. */
function unreadable(world: World, entry: Entry, caller: Caller, read: BodyReading): Answer {
  const { route, action = route.id } = entry;
  const refused = read.ok
    ? { status: 400, reason: "Corpo JSON inválido: não é um objeto." }
    : { status: read.status, reason: read.reason };
  if (route.area !== "invoicing") {
    const charge: Charge = { route: action, billing: route.billing, price: route.price };
    const noMoney = world.billing.refusal(charge, caller, world.clock.now());
    if (noMoney !== undefined) return { status: 402, body: { error: true, message: noMoney } };
    world.billing.charge(charge, caller, world.clock.now());
  }
  return { status: refused.status, body: { error: true, message: refused.reason } };
}

/** An admitted, readable call: money, body, effect, envelope. */
async function settle(
  world: World,
  entry: Entry,
  call: Call,
  fault: FaultEffect | undefined,
): Promise<Answer> {
  const { route, caller, body } = call;
  if (entry.queued && (route.queue === "refused" || !world.settings.queue.available))
    return QUEUE_NOT_AVAILABLE;
  const homolog = body["homolog"] === true && route.area !== "jobs";
  const charge: Charge = {
    route: entry.action ?? route.id,
    billing: homolog ? "none" : route.billing,
    price: route.price,
    tipo: route.tipo === null ? undefined : (textAt(body, "tipo") ?? route.tipo),
  };
  const now = world.clock.now();
  const answered = (outcome: Outcome, paid: Cost): Answer => ({
    status: outcome.ok ? 200 : outcome.status,
    body: envelope(world, call, outcome, paid, homolog),
  });
  const noMoney =
    fault?.kind === "no_balance"
      ? (fault.message ?? "Saldo insuficiente.")
      : world.billing.refusal(charge, caller, now);
  if (noMoney !== undefined) return answered(failed(402, noMoney), FREE);
  if (fault?.kind === "status") return struck(world, call, charge, fault);
  const errors = entry.action ? undefined : fieldErrors(route, body, call.query);
  const cost = world.billing.charge(charge, caller, now);
  if (errors) return invalid(errors);
  if (fault?.kind === "business_error") {
    const { message = "Falha na operação.", code, erros } = fault;
    return answered(failed(200, message, { code, data: erros && { erros } }), cost);
  }
  const known = homolog ? () => done(examplePayload(route)) : behaviourOf(route);
  const behaviour = entry.action ? unknownAction : known;
  if (entry.queued)
    return { status: 200, body: enqueue(world, call, behaviour, entry.action ?? route.id) };
  return answered(await behaviour(world, call), cost);
}

/** A status on purpose. As with the gateway, most 4xx are charged and 5xx are not. */
function struck(world: World, call: Call, charge: Charge, fault: FaultEffect): Answer {
  const status = fault.status ?? 500;
  if (status < 500 && !UNCHARGED.has(status))
    world.billing.charge(charge, call.caller, world.clock.now());
  const body = { error: status >= 400, message: fault.message ?? `Falha ${status}.` };
  if (status !== 429 && status !== 503) return { status, body };
  const seconds = Math.max(1, Math.ceil((fault.ms ?? 1_000) / 1_000));
  return { status, body, headers: { "retry-after": String(seconds) } };
}

function invalid(errors: FieldErrors): Answer {
  const first = Object.values(errors)[0]?.[0] ?? "";
  return {
    status: 422,
    body: { message: `Os dados fornecidos são inválidos. ${first}`.trim(), errors },
  };
}
