/** `/instance` and `/settings`: the life of the phone behind a device. */
import type { Json } from "../../base/index.ts";
import { textAt } from "../http/bounded.ts";
import { change, reconnect } from "./connection.ts";
import type { Instance, Settings } from "./instances.ts";
import { done, failed, type Behaviour } from "../http/outcome.ts";
import { showCode } from "./pairing.ts";
import { LOGGED_OUT } from "../webhooks/phone-news.ts";
import { engineError, onInstance, type OnPhone } from "../http/refusals.ts";

function stateOf(instance: Instance): Json {
  return { instance: { instanceName: instance.instance, state: instance.state } };
}

function shown({ world, device, instance }: OnPhone): Json {
  return showCode(world, device, instance) ?? stateOf(instance);
}

export const create: Behaviour = (world, call) => {
  const device = call.caller.device ?? "";
  const name = textAt(call.body, "instanceName") ?? "";
  if (world.instances.nameTaken(name))
    return engineError(403, `This name "${name}" is already in use.`);
  const before = world.instances.of(device);
  if (before) forget({ world, call, device, instance: before });
  const instance = world.instances.make(device, name, "close");
  instance.pairingNumber = textAt(call.body, "number");
  const qrcode =
    call.body["qrcode"] === true ? shown({ world, call, device, instance }) : undefined;
  return done({
    instance: {
      instanceName: name,
      instanceId: instance.instanceId,
      status: instance.state,
    },
    hash: world.ids.uuid("hash"),
    settings: { ...instance.settings },
    ...(qrcode === undefined ? {} : { qrcode }),
  });
};

/** A linked phone connects by itself; another one needs a scan, and gets a new code at each call. */
export const connect = onInstance((on) => {
  const { world, device, instance } = on;
  if (!instance.paired) return done(shown(on));
  if (instance.state === "close") reconnect(world, device, instance);
  return done(stateOf(instance));
});

export const connectionState = onInstance(({ instance }) => done(stateOf(instance)));

export const restart = onInstance((on) => {
  const { world, device, instance } = on;
  if (instance.state === "close")
    return failed(200, `The "${instance.instance}" instance is not connected`);
  if (!instance.paired) return done(shown(on));
  reconnect(world, device, instance);
  return done(stateOf(instance));
});

export const logout = onInstance(({ world, device, instance }) => {
  if (instance.state === "close")
    return engineError(400, `The "${instance.instance}" instance is not connected`);
  unlink(world, device, instance);
  return done({ status: "SUCCESS", error: false, response: { message: "Instance logged out" } });
});

export const remove = onInstance((on) => {
  forget(on);
  return done({ status: "SUCCESS", error: false, response: { message: "Instance deleted" } });
});

function unlink(world: OnPhone["world"], device: string, instance: Instance): void {
  instance.paired = false;
  change(world, device, instance, "close", LOGGED_OUT);
}

/** The engine knows nothing of a deleted instance: neither its messages nor its chats. */
function forget({ world, device, instance }: OnPhone): void {
  if (instance.state !== "close") unlink(world, device, instance);
  world.instances.remove(device);
  world.messages.forget(device);
  world.labels.forget(device);
}

export const setSettings = onInstance(({ instance, call }) => {
  const { reject_call: reject, msg_call: words, groups_ignore: groups } = call.body;
  const change: Partial<Settings> = {
    ...(typeof reject === "boolean" ? { reject_call: reject } : {}),
    ...(typeof words === "string" ? { msg_call: words } : {}),
    ...(typeof groups === "boolean" ? { groups_ignore: groups } : {}),
  };
  instance.settings = { ...instance.settings, ...change };
  return done({ settings: { ...instance.settings } });
});

export const findSettings = onInstance(({ instance }) => done({ ...instance.settings }));
