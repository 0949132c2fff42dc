/** Controls of phones and groups: who scans, what breaks, how pairing goes, and what people do on their own phones. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { JsonObject } from "../../base/index.ts";
import { DEMO_DEVICE, DEVICES } from "../http/callers.ts";
import { drop, flap, setSilent, scan } from "../phone/connection.ts";
import { bodyOf, refuse } from "../http/request-body.ts";
import type { Instance } from "../phone/instances.ts";
import type { World } from "../world/world.ts";
import { jidOf } from "../http/address.ts";
import { tellGroup, tellJoined } from "../webhooks/phone-news.ts";
import { groupBody, changeMember } from "../groups/group-routes.ts";
import { MEMBER_LIMIT, removeMember, SUBJECT_LIMIT, type Group } from "../groups/groups.ts";

/** Rounds of one flapping: each tells three states on every channel. */
const FLAP_LIMIT = 500;

/** What the engine calls a lost connection. */
const CONNECTION_LOST = 408;

const Device = z.enum(Object.keys(DEVICES) as [string, ...string[]]);

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
}

/** Does it, or says why it cannot be done. */
function control(world: World, device: string, body: InstanceControl): string | undefined {
  const instance = world.instances.of(device);
  if (!instance) return "The device has no instance; instance/create makes one.";
  if (body.do === "scan") {
    if (!instance.waiting) return "No code waits to be scanned; instance/connect shows one.";
    scan(world, instance);
    return undefined;
  }
  if (instance.state !== "open") return `The phone is ${instance.state}, not open.`;
  if (body.do === "drop") drop(world, instance, body.reason ?? CONNECTION_LOST);
  else if (body.do === "flap") flap(world, instance, body.times ?? 1, body.reason);
  else setSilent(world, device, body.do === "silent");
  return undefined;
}

function instanceRows(world: World): readonly JsonObject[] {
  return world.instances.all().map((instance) => instanceRow(world, instance));
}

function instanceRow(world: World, instance: Instance): JsonObject {
  return {
    device: instance.device,
    instance: instance.instance,
    number: instance.own,
    state: instance.state,
    paired: instance.paired,
    silent: world.webhooks.muted.has(instance.device),
    code: instance.waiting?.code ?? null,
    codes_shown: instance.qrCount,
    settings: { ...instance.settings },
  };
}

const phone = z.string().regex(/^\d{8,15}$/, "digits");

const GroupControl = z.discriminatedUnion("do", [
  /** Somebody makes a group with the business in it; `owner` absent = the business itself. */
  z.strictObject({
    do: z.literal("make"),
    device: Device.optional(),
    jid: z
      .string()
      .regex(/^\d{10,30}@g\.us$/, "digits@g.us")
      .optional(),
    subject: z.string().min(1).max(SUBJECT_LIMIT),
    owner: phone.optional(),
    members: z.array(phone).max(MEMBER_LIMIT),
  }),
  /** Somebody joins by an invitation. */
  z.strictObject({ do: z.literal("join"), code: z.string().max(100), number: phone }),
  /** A member leaves. */
  z.strictObject({ do: z.literal("leave"), jid: z.string().max(100), number: phone }),
]);
type GroupControl = z.output<typeof GroupControl>;

export function addGroupControls(app: FastifyInstance, world: () => World): void {
  app.get("/sandbox/groups", () => world().groups.all().map(shown));
  app.post("/sandbox/group", (request, reply) => {
    const body = bodyOf(request, reply, GroupControl);
    if (!body) return reply;
    const group = controlGroup(world(), body);
    return typeof group === "string" ? refuse(reply, 409, group) : shown(group);
  });
}

function shown(group: Group): object {
  return { ...groupBody(group, true), invite_code: group.code };
}

/** Does it, or says why it cannot be done. */
function controlGroup(world: World, body: GroupControl): Group | string {
  switch (body.do) {
    case "make":
      return make(world, body);
    case "join": {
      const group = world.groups.byCode(body.code);
      if (!group) return "The invitation is not in force.";
      return join(world, group, body.number);
    }
    case "leave": {
      const group = world.groups.find(body.jid);
      if (!group?.members.has(body.number)) return "Nobody of that number is in such a group.";
      removeMember(group, body.number);
      tellGroup(world, group, body.number, { Leave: [jidOf(body.number)] });
      return group;
    }
  }
}

function make(
  world: World,
  { device = DEMO_DEVICE, jid, subject, owner, members }: GroupControl & { do: "make" },
): Group | string {
  const { own } = world.instances.phoneOf(device);
  const group = world.groups.make({
    jid,
    subject,
    description: null,
    owner: owner ?? own,
    members: [own, ...members],
    at: world.clock.now(),
  });
  if (!group) return "A group of that address exists, or there are too many.";
  tellJoined(world, group, device);
  return group;
}

function join(world: World, group: Group, person: string): Group | string {
  const status = changeMember(group, "add", person);
  if (status !== "200") return `The messenger answers ${status}.`;
  tellGroup(world, group, person, { Join: [jidOf(person)] });
  return group;
}
