/** `/instance` and `/settings`: the life of the phone behind a device. A QR code is scanned by itself after a while. */
import type { Json, JsonObject } from "../base/index.ts";
import { textAt } from "./bounded.ts";
import { tellConnection, tellQrCode } from "./herald.ts";
import { PAIRING_MS, RESTART_MS, type Instance, type InstanceState } from "./instances.ts";
import { done, failed, type Behaviour, type Call, type Outcome } from "./outcome.ts";
import type { World } from "./world.ts";

/** A picture to stand for the QR code: one transparent pixel. */
const QR_IMAGE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

function missing(world: World, call: Call): Outcome {
  const { instance } = world.instances.phoneOf(call.caller.device ?? "");
  return failed(404, `The "${instance}" instance does not exist`, {
    response: { status: 404, error: "Not Found", response: { message: ["Instance not found"] } },
  });
}

/** Runs with the caller's instance, or answers that there is none. */
function withInstance(run: (world: World, instance: Instance, call: Call) => Outcome): Behaviour {
  return (world, call) => {
    const instance = world.instances.of(call.caller.device ?? "");
    return instance ? run(world, instance, call) : missing(world, call);
  };
}

function change(world: World, call: Call, instance: Instance, state: InstanceState): void {
  instance.state = state;
  tellConnection(world, call.caller.device ?? "", instance);
}

/** Opens the instance later, unless something else happened to it meanwhile. */
function openAfter(world: World, call: Call, instance: Instance, ms: number): void {
  const device = call.caller.device ?? "";
  world.clock.after(ms, () => {
    if (world.instances.of(device) !== instance || instance.state !== "connecting") return;
    change(world, call, instance, "open");
  });
}

/** Shows a QR code and lets somebody scan it. */
function pair(world: World, call: Call, instance: Instance): JsonObject {
  const first = instance.state !== "connecting";
  if (first) {
    instance.qrCount = 0;
    change(world, call, instance, "connecting");
    openAfter(world, call, instance, PAIRING_MS);
  }
  instance.qrCount += 1;
  const code = `2@${world.ids.hex("qrcode", 40)}`;
  tellQrCode(world, call.caller.device ?? "", instance, code, QR_IMAGE);
  return { pairingCode: null, code, base64: QR_IMAGE, count: instance.qrCount };
}

export const create: Behaviour = (world, call) => {
  const name = textAt(call.body, "instanceName") ?? "";
  if (world.instances.nameTaken(name))
    return failed(403, `This name "${name}" is already in use.`, {
      response: { status: 403, error: "Forbidden", response: { message: [`Name in use`] } },
    });
  const instance = world.instances.make(call.caller.device ?? "", name, "close");
  const qrcode = call.body["qrcode"] === true ? pair(world, call, instance) : undefined;
  return done({
    instance: {
      instanceName: name,
      instanceId: instance.instanceId,
      status: instance.state,
    },
    hash: world.ids.uuid("hash"),
    settings: instance.settings,
    ...(qrcode ? { qrcode } : {}),
  });
};

function stateOf(instance: Instance): Json {
  return { instance: { instanceName: instance.instance, state: instance.state } };
}

export const connect = withInstance((world, instance, call) =>
  done(instance.state === "open" ? stateOf(instance) : pair(world, call, instance)),
);

export const connectionState = withInstance((_world, instance) => done(stateOf(instance)));

export const restart = withInstance((world, instance, call) => {
  if (instance.state === "close")
    return failed(200, `The "${instance.instance}" instance is not connected`);
  change(world, call, instance, "connecting");
  openAfter(world, call, instance, RESTART_MS);
  return done(stateOf(instance));
});

export const logout = withInstance((world, instance, call) => {
  if (instance.state === "close")
    return failed(400, `The "${instance.instance}" instance is not connected`);
  change(world, call, instance, "close");
  return done({ status: "SUCCESS", error: false, response: { message: "Instance logged out" } });
});

export const remove = withInstance((world, instance, call) => {
  if (instance.state !== "close") change(world, call, instance, "close");
  world.instances.remove(call.caller.device ?? "");
  return done({ status: "SUCCESS", error: false, response: { message: "Instance deleted" } });
});

export const setSettings = withInstance((_world, instance, call) => {
  instance.settings = { ...instance.settings, ...call.body };
  return done({ settings: instance.settings });
});

export const findSettings = withInstance((_world, instance) => done(instance.settings));
