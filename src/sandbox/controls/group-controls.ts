/** Controls of groups, pictures, posts and sample files: what people do on their own phones, and what there is to see. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { jidOf } from "../http/address.ts";
import { DEMO_DEVICE } from "../http/callers.ts";
import { bodyOf, refuse } from "./control-body.ts";
import { changeMember } from "../groups/group-members.ts";
import { tellGroup, tellJoined } from "../groups/group-news.ts";
import { groupBody } from "../groups/group-routes.ts";
import { MEMBER_LIMIT, removeMember, SUBJECT_LIMIT, type Group } from "../groups/groups.ts";
import { Device } from "./phone-controls.ts";
import type { World } from "../world/world.ts";

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
    const group = control(world(), body);
    return typeof group === "string" ? refuse(reply, 409, group) : shown(group);
  });
}

function shown(group: Group): object {
  return { ...groupBody(group, true), invite_code: group.code };
}

/** Does it, or says why it cannot be done. */
function control(world: World, body: GroupControl): Group | string {
  switch (body.do) {
    case "make":
      return make(world, body);
    case "join": {
      const group = world.groups.byCode(body.code);
      if (!group) return "The invitation is not in force.";
      return change(world, group, "add", body.number);
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

function change(world: World, group: Group, action: "add", person: string): Group | string {
  const status = changeMember(group, action, person);
  if (status !== "200") return `The messenger answers ${status}.`;
  tellGroup(world, group, person, { Join: [jidOf(person)] });
  return group;
}
