/** Controls of the phones: who scans, what breaks, how pairing goes. Bodies and answers JSON. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { JsonObject } from "../../base/index.ts";
import { DEMO_DEVICE, DEVICES } from "../http/callers.ts";
import { drop, flap, setSilent } from "../phone/connection.ts";
import { bodyOf, defined, refuse } from "./control-body.ts";
import { PairingSettings, type Instance } from "../phone/instances.ts";
import { scan } from "../phone/pairing.ts";
import type { World } from "../world/world.ts";

/** Rounds of one flapping: each tells three states on every channel. */
const FLAP_LIMIT = 500;

/** What the engine calls a lost connection. */
const CONNECTION_LOST = 408;

export const Device = z.enum(Object.keys(DEVICES) as [string, ...string[]]);

const InstanceControl = z.strictObject({
  device: Device.optional(),
  /** `silent` = open, and nothing is told until it connects anew; `heard` ends that. */
  do: z.enum(["scan", "drop", "flap", "silent", "heard"]),
  /** Rounds of flapping. */
  times: z.number().int().min(1).max(FLAP_LIMIT).optional(),
  /** The engine's reason number: 401 logs out, 402, 403 and 406 stay closed, others come back by themselves. */
  reason: z.number().int().min(400).max(599).optional(),
});
type InstanceControl = z.output<typeof InstanceControl>;

export function addPhoneControls(app: FastifyInstance, world: () => World): void {
  app.get("/sandbox/instances", () => instanceRows(world()));
  app.post("/sandbox/instance", (request, reply) => {
    const body = bodyOf(request, reply, InstanceControl);
    if (!body) return reply;
    const refusal = control(world(), body.device ?? DEMO_DEVICE, body);
    return refusal === undefined ? instanceRows(world()) : refuse(reply, 409, refusal);
  });
  app.get("/sandbox/pairing", () => world().instances.pairing);
  app.put("/sandbox/pairing", (request, reply) => {
    const change = bodyOf(request, reply, PairingSettings.partial());
    if (!change) return reply;
    const { instances } = world();
    instances.pairing = { ...instances.pairing, ...defined(change) };
    return instances.pairing;
  });
}

/** Does it, or says why it cannot be done. */
function control(world: World, device: string, body: InstanceControl): string | undefined {
  const instance = world.instances.of(device);
  if (!instance) return "The device has no instance; instance/create makes one.";
  if (body.do === "scan") {
    if (!instance.waiting) return "No code waits to be scanned; instance/connect shows one.";
    scan(world, device, instance);
    return undefined;
  }
  if (instance.state !== "open") return `The phone is ${instance.state}, not open.`;
  if (body.do === "drop") drop(world, device, instance, body.reason ?? CONNECTION_LOST);
  else if (body.do === "flap") flap(world, device, instance, body.times ?? 1, body.reason);
  else setSilent(world, device, body.do === "silent");
  return undefined;
}

function instanceRows(world: World): readonly JsonObject[] {
  return world.instances.all().map(([device, instance]) => rowOf(world, device, instance));
}

function rowOf(world: World, device: string, instance: Instance): JsonObject {
  return {
    device,
    instance: instance.instance,
    number: instance.own,
    state: instance.state,
    paired: instance.paired,
    silent: world.webhooks.muted.has(device),
    code: instance.waiting?.code ?? null,
    codes_shown: instance.qrCount,
    settings: { ...instance.settings },
  };
}
