/** Changes of groups, told to every device whose phone is in the group. Of the engines here only C tells them. */
import type { JsonObject } from "../../base/index.ts";
import { jidOf } from "../http/address.ts";
import { DEVICES } from "../http/callers.ts";
import * as c from "../webhooks/engine-c.ts";
import type { Group } from "./groups.ts";
import { spread } from "../webhooks/phone-news.ts";
import { withOffset } from "../world/wire-time.ts";
import type { World } from "../world/world.ts";

/** Something changed; `change` holds the engine's own keys (`Name`, `Topic`, `Join`, `Leave`, `Promote`, …). */
export function tellGroup(world: World, group: Group, sender: string, change: JsonObject): void {
  for (const device of devicesIn(group))
    post(world, device, group, "GroupInfo", {
      JID: group.jid,
      Sender: jidOf(sender),
      Timestamp: withOffset(world.clock.now()),
      ...change,
    });
}

/** A device's phone is in a group that it was not in before. */
export function tellJoined(world: World, group: Group, device: string): void {
  post(world, device, group, "JoinedGroup", {
    Reason: "",
    Type: "new",
    JID: group.jid,
    OwnerJID: jidOf(group.owner),
    Name: group.subject,
    Topic: group.description ?? "",
    GroupCreated: withOffset(group.creation),
    IsAnnounce: group.announce,
    IsLocked: group.locked,
    Participants: [...group.members].map(([person, rank]) => ({
      JID: jidOf(person),
      IsAdmin: rank !== null,
      IsSuperAdmin: rank === "superadmin",
    })),
  });
}

function devicesIn(group: Group): readonly string[] {
  return Object.entries(DEVICES)
    .filter(([, { own }]) => group.members.has(own))
    .map(([device]) => device);
}

function post(
  world: World,
  device: string,
  group: Group,
  event: "GroupInfo" | "JoinedGroup",
  data: JsonObject,
): void {
  if (world.instances.of(device)?.state !== "open") return;
  const body = c.envelope(world.instances.phoneOf(device), event, data);
  spread(world, device, [{ channel: "engine-c", names: c.namesOf(event), body }], group.jid);
}
