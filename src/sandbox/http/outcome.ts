/** What a route of the gateway does with an admitted, valid, charged call, and how the answer is wrapped. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { AnyRoute } from "../../gateway/index.ts";
import type { Cost } from "../billing/billing.ts";
import type { Caller } from "./callers.ts";
import { moneyStyle, moneyText, type MoneyStyle } from "../billing/money.ts";
import type { World } from "../world/world.ts";

export interface Call {
  readonly route: AnyRoute;
  readonly caller: Caller;
  readonly body: JsonObject;
  /** The body as it may be remembered: long texts cut, secrets left out. */
  readonly kept: Json;
  readonly query: Readonly<Record<string, string>>;
}

export type Outcome =
  | { readonly ok: true; readonly payload: Json }
  | {
      readonly ok: false;
      readonly status: number;
      readonly message: string;
      readonly extra?: JsonObject;
    };

export type Behaviour = (world: World, call: Call) => Outcome | Promise<Outcome>;

export function done(payload: Json): Outcome {
  return { ok: true, payload };
}

/** A refusal. Status 200 is the gateway's business failure: `error: true` in a body that looks fine. */
export function failed(status: number, message: string, extra?: JsonObject): Outcome {
  return { ok: false, status, message, ...(extra ? { extra } : {}) };
}

/** A payload under the names that the switch says. */
export function placed({ answers: { payload: place } }: World, payload: Json): JsonObject {
  return {
    ...(place === "data" ? {} : { response: payload }),
    ...(place === "response" ? {} : { data: payload }),
  };
}

const OK_MESSAGE = "Requisição realizada com sucesso";

/** The whole body of an answer. */
export function envelope(
  world: World,
  call: Call,
  outcome: Outcome,
  cost: Cost,
  homolog: boolean,
): Json {
  const head = outcome.ok
    ? { error: false, message: OK_MESSAGE }
    : { error: true, message: outcome.message, ...outcome.extra };
  if (call.route.area === "jobs") return outcome.ok ? outcome.payload : head;
  const { billing } = world;
  const style = billing.money ?? moneyStyle(call.route.id);
  const extra = cost.extras.length === 0 ? undefined : { extra_charges: extraOf(cost, style) };
  if (call.route.billing === "credits")
    return {
      ...head,
      balance: moneyText(billing.balance(call.caller.account), style),
      tax: moneyText(cost.base, style),
      valor_consulta: moneyText(cost.base, style),
      ...extra,
      api_limit_for: homolog ? "homolog" : "credit",
      homolog,
      ...(outcome.ok ? { data: outcome.payload } : {}),
    };
  const { used, quota } = billing.used(call.caller);
  return {
    ...head,
    ...(outcome.ok ? placed(world, outcome.payload) : {}),
    ...extra,
    api_limit: quota,
    api_limit_for: homolog ? "homolog" : "request",
    api_limit_used: used,
  };
}

/** Additional services of a call; their `total` was charged on top of its price. */
function extraOf(cost: Cost, style: MoneyStyle): JsonObject {
  return {
    services: cost.extras.map(({ name, price }) => ({ name, price: moneyText(price, style) })),
    total: moneyText(cost.extra, style),
  };
}
