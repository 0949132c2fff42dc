/** What a route of the gateway does with an admitted, valid, charged call: how it says yes and no, and how the answer is wrapped. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { AnyRoute } from "../../gateway/index.ts";
import { type Cost, moneyStyle, moneyText, type MoneyStyle } from "../world/billing.ts";
import type { Caller } from "./callers.ts";
import type { World } from "../world/world.ts";
import type { Channel } from "../webhooks/subscriptions.ts";
import type { Instance, InstanceState } from "../phone/instances.ts";

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
  return { ok: false, status, message, extra };
}

/** A payload under the names that the switch says. */
export function placed(world: World, payload: Json): JsonObject {
  const { payload: place } = world.settings.answers;
  return {
    response: place === "data" ? undefined : payload,
    data: place === "response" ? undefined : payload,
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

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
};

/** The engine's error body, under the gateway's: `{status, error, response: {message: [...]}}`. */
export function engineError(
  status: 400 | 403 | 404,
  message: string,
  rows: Json = [message],
): Outcome {
  return failed(status, message, {
    response: { status, error: STATUS_NAMES[status] ?? "", response: { message: rows } },
  });
}

/** Why the phone cannot send, as each engine says it; undefined when it can. */
export function phoneRefusal(
  channel: Channel,
  name: string,
  state: InstanceState | undefined,
): Outcome | undefined {
  if (channel === "sms" || state === "open") return undefined;
  if (channel === "engine-a") return failed(400, `O dispositivo ${name} não está conectado.`);
  if (state === undefined) return engineError(404, `The "${name}" instance does not exist`);
  return engineError(400, "Connection Closed");
}

/** A call on an instance that exists. */
export interface OnPhone {
  readonly world: World;
  readonly call: Call;
  readonly device: string;
  readonly instance: Instance;
}

type PhoneBehaviour = (on: OnPhone) => Outcome | Promise<Outcome>;

/** Runs with the caller's instance, open or not, or answers that there is none. */
export function onInstance(run: PhoneBehaviour): Behaviour {
  return (world, call) => {
    const device = call.caller.device ?? "";
    const instance = world.instances.of(device);
    if (!instance)
      return engineError(
        404,
        `The "${world.instances.phoneOf(device).instance}" instance does not exist`,
      );
    return run({ world, call, device, instance });
  };
}

/** As {@link onInstance}, for what needs the phone's connection. */
export function onOpenPhone(run: PhoneBehaviour): Behaviour {
  return onInstance(
    (on) => phoneRefusal("engine-b", on.instance.instance, on.instance.state) ?? run(on),
  );
}
