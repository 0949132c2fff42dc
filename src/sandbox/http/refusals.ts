/** How engine B says no, and the two things most of its routes ask first: is there an instance, is it open. */
import type { Json } from "../../base/index.ts";
import type { Channel } from "../webhooks/delivery-settings.ts";
import type { Instance, InstanceState } from "../phone/instances.ts";
import { failed, type Behaviour, type Call, type Outcome } from "./outcome.ts";
import type { World } from "../world/world.ts";

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
