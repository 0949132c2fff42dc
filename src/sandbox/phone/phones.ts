/** `/instance` and `/settings`: the life of the phone behind a device; and `instance/connect` of engine C. */
import type { Json } from "../../base/index.ts";
import { textAt } from "../http/bounded.ts";
import { change, reconnect, showCode } from "./connection.ts";
import type { Instance } from "./instances.ts";
import {
  done,
  failed,
  type Behaviour,
  engineError,
  onInstance,
  type OnPhone,
} from "../http/outcome.ts";
import { LOGGED_OUT } from "../webhooks/phone-news.ts";
import type { World } from "../world/world.ts";
import { isLoopbackUrl } from "../http/loopback.ts";

function stateOf(instance: Instance): Json {
  return { instance: { instanceName: instance.instance, state: instance.state } };
}

function shown({ world, instance }: OnPhone): Json {
  return showCode(world, instance) ?? stateOf(instance);
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
    qrcode,
  });
};

/** A linked phone connects by itself; another one needs a scan, and gets a new code at each call. */
export const connect = onInstance((on) => {
  const { world, instance } = on;
  if (!instance.paired) return done(shown(on));
  if (instance.state === "close") reconnect(world, instance);
  return done(stateOf(instance));
});

export const connectionState = onInstance(({ instance }) => done(stateOf(instance)));

export const restart = onInstance((on) => {
  const { world, instance } = on;
  if (instance.state === "close")
    return failed(200, `The "${instance.instance}" instance is not connected`);
  if (!instance.paired) return done(shown(on));
  reconnect(world, instance);
  return done(stateOf(instance));
});

export const logout = onInstance(({ world, instance }) => {
  if (instance.state === "close")
    return engineError(400, `The "${instance.instance}" instance is not connected`);
  unlink(world, instance);
  return done({ status: "SUCCESS", error: false, response: { message: "Instance logged out" } });
});

export const remove = onInstance((on) => {
  forget(on);
  return done({ status: "SUCCESS", error: false, response: { message: "Instance deleted" } });
});

function unlink(world: World, instance: Instance): void {
  instance.paired = false;
  change(world, instance, "close", LOGGED_OUT);
}

/** The engine knows nothing of a deleted instance: neither its messages nor its chats. */
function forget({ world, device, instance }: OnPhone): void {
  if (instance.state !== "close") unlink(world, instance);
  world.instances.remove(device);
  world.messages.forget(device);
  world.labels.forget(device);
}

export const setSettings = onInstance(({ instance, call }) => {
  const { reject_call: reject, msg_call: words, groups_ignore: groups } = call.body;
  const before = instance.settings;
  instance.settings = {
    reject_call: typeof reject === "boolean" ? reject : before.reject_call,
    msg_call: typeof words === "string" ? words : before.msg_call,
    groups_ignore: typeof groups === "boolean" ? groups : before.groups_ignore,
  };
  return done({ settings: { ...instance.settings } });
});

export const findSettings = onInstance(({ instance }) => done({ ...instance.settings }));

/** Without groups the engine tells messages only. */
const LEAST = ["MESSAGE"];

export const connectEngineC: Behaviour = (world, call) => {
  const device = call.caller.device ?? "";
  const { webhookUrl, subscribe } = call.body;
  const url = typeof webhookUrl === "string" ? webhookUrl : "";
  const groups = Array.isArray(subscribe) ? subscribe.map(String) : [];
  const filter = groups.length > 0 ? groups : LEAST;
  // An address off this machine is taken, as the engine takes it, and never posted to.
  const targets = isLoopbackUrl(url) ? [{ url }] : [];
  world.subscriptions.set({ channel: "engine-c", device, targets, filter });
  const { own } = world.instances.phoneOf(device);
  const data = { jid: `${own}:7@s.whatsapp.net`, webhookUrl: url, eventString: filter.join(",") };
  return done({ message: "success", data });
};
