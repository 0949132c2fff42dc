/** `/group`: making groups, looking at them, changing them and their members. Who may do what follows the messenger's own rules. */
import type { Json, JsonObject } from "../../base/index.ts";
import { isOnMessenger, jidOf, jidOfPerson } from "../http/address.ts";
import { textAt } from "../http/bounded.ts";
import { flagAt } from "../chats/filters.ts";
import { tellGroup, tellJoined } from "../webhooks/phone-news.ts";
import {
  DESCRIPTION_LIMIT,
  isAdmin,
  SUBJECT_LIMIT,
  type Group,
  MEMBER_LIMIT,
  removeMember,
  setMember,
} from "./groups.ts";
import { done, type Outcome, engineError, onOpenPhone, type OnPhone } from "../http/outcome.ts";
import { takePicture } from "../phone/profile.ts";
import { seconds } from "../world/clock.ts";
import { say } from "../messages/own-messages.ts";

/** A call on a group that the business is in. */
interface OnGroup extends OnPhone {
  readonly group: Group;
}

type GroupBehaviour = (on: OnGroup) => Outcome | Promise<Outcome>;

/** Runs with the group that the query names, for those in it. Nobody else hears that it exists. */
function onGroup(run: GroupBehaviour) {
  return onOpenPhone((on) => {
    const group = on.world.groups.find(on.call.query["groupJid"] ?? "");
    if (!group?.members.has(on.instance.own)) return engineError(404, "Group not found");
    return run({ ...on, group });
  });
}

/** As {@link onGroup}, for what only admins may do. */
function onOwnGroup(run: GroupBehaviour) {
  return onGroup((on) =>
    isAdmin(on.group, on.instance.own) ? run(on) : engineError(403, "Only admins may do this"),
  );
}

/** As {@link onGroup}, for what any member may change unless the group is locked. */
function onUnlockedGroup(run: GroupBehaviour) {
  return onGroup((on) =>
    on.group.locked && !isAdmin(on.group, on.instance.own)
      ? engineError(403, "Only admins may edit this group")
      : run(on),
  );
}

/** Whom a list of addresses means, and which of them are not on the messenger. */
function peopleIn({ world }: OnPhone, addresses: Json | undefined) {
  const known: string[] = [];
  const unknown: JsonObject[] = [];
  for (const address of Array.isArray(addresses) ? addresses : []) {
    const person = world.book.personOf(String(address));
    if (isOnMessenger(person)) known.push(person);
    else unknown.push({ jid: jidOfPerson(person), exists: false, number: String(address) });
  }
  return { known: [...new Set(known)], unknown };
}

function membersOf(group: Group): Json {
  return [...group.members].map(([person, admin]) => ({ id: jidOf(person), admin }));
}

/** A group as the engine shows it. */
export function groupBody(group: Group, withMembers: boolean): JsonObject {
  return {
    id: group.jid,
    subject: group.subject,
    subjectOwner: jidOf(group.subjectOwner),
    subjectTime: seconds(group.subjectTime),
    pictureUrl: group.picture,
    size: group.members.size,
    creation: seconds(group.creation),
    owner: jidOf(group.owner),
    desc: group.description,
    descId: group.descriptionId,
    restrict: group.locked,
    announce: group.announce,
    participants: withMembers ? membersOf(group) : undefined,
  };
}

function wordsProblem(subject: string, description: string | null): Outcome | undefined {
  if (subject.length > SUBJECT_LIMIT)
    return engineError(400, `subject takes at most ${SUBJECT_LIMIT} characters`);
  if ((description ?? "").length > DESCRIPTION_LIMIT)
    return engineError(400, `description takes at most ${DESCRIPTION_LIMIT} characters`);
  return undefined;
}

/** The creator becomes its admin. Numbers that nobody has are left out and named. */
export const create = onOpenPhone((on) => {
  const { world, device, instance, call } = on;
  const subject = textAt(call.body, "subject") ?? "";
  const description = textAt(call.body, "description") ?? null;
  const problem = wordsProblem(subject, description);
  if (problem) return problem;
  const { known, unknown } = peopleIn(on, call.body["participants"]);
  if (known.length === 0)
    return engineError(400, "Nenhum participante está no mensageiro.", unknown);
  const at = world.clock.now();
  const group = world.groups.make({
    owner: instance.own,
    subject,
    description,
    members: known,
    at,
  });
  if (!group) return engineError(400, "There are too many groups");
  tellJoined(world, group, device);
  return done({ ...groupBody(group, true), unknown: unknown.length > 0 ? unknown : undefined });
});

export const fetchAllGroups = onOpenPhone(({ world, instance, call }) => {
  const withMembers = flagAt(call.query, "getParticipants");
  if (withMembers === undefined)
    return engineError(400, "The getParticipants needs to be informed in the query");
  return done(world.groups.of(instance.own).map((group) => groupBody(group, withMembers)));
});

export const findGroupInfos = onGroup(({ group }) => done(groupBody(group, true)));

export const participants = onGroup(({ group }) => done({ participants: membersOf(group) }));

export const updateGroupSubject = onUnlockedGroup(({ world, instance, group, call }) => {
  const subject = textAt(call.body, "subject") ?? "";
  const problem = wordsProblem(subject, null);
  if (problem) return problem;
  group.subject = subject;
  group.subjectOwner = instance.own;
  group.subjectTime = world.clock.now();
  tellGroup(world, group, instance.own, { Name: { Name: subject } });
  return done({ update: "success" });
});

export const updateGroupDescription = onUnlockedGroup(({ world, instance, group, call }) => {
  const description = textAt(call.body, "description") ?? "";
  const problem = wordsProblem("", description);
  if (problem) return problem;
  group.description = description;
  group.descriptionId = world.groups.newDescriptionId();
  tellGroup(world, group, instance.own, { Topic: { Topic: description } });
  return done({ update: "success" });
});

export const updateGroupPicture = onUnlockedGroup(async ({ world, group, call }) => {
  const taken = await takePicture(world, textAt(call.body, "image") ?? "");
  if (!taken.ok) return taken.refusal;
  group.picture = taken.address;
  return done({ update: "success" });
});

/** `announcement`: only admins write. `locked`: only admins edit. */
export const updateSetting = onOwnGroup(({ world, instance, group, call }) => {
  const action = textAt(call.body, "action") ?? "";
  if (action.endsWith("announcement")) {
    group.announce = action === "announcement";
    tellGroup(world, group, instance.own, { Announce: { IsAnnounce: group.announce } });
  } else {
    group.locked = action === "locked";
    tellGroup(world, group, instance.own, { Locked: { IsLocked: group.locked } });
  }
  return done({ updateSetting: "success" });
});

/** The messenger's own codes: done, not allowed, not there, already there, full. */
type MemberStatus = "200" | "403" | "404" | "409" | "419";

type Action = "add" | "remove" | "promote" | "demote";

/** What an engine-C event calls each change. */
const NEWS: Readonly<Record<Action, string>> = {
  add: "Join",
  remove: "Leave",
  promote: "Promote",
  demote: "Demote",
};

export const updateParticipant = onOwnGroup(({ world, instance, group, call }) => {
  const action = textAt(call.body, "action") as Action;
  const asked = Array.isArray(call.body["participants"]) ? call.body["participants"] : [];
  const rows = asked.map((address) => {
    const person = world.book.personOf(String(address));
    return { person, status: changeMember(group, action, person) };
  });
  const changed = rows.filter(({ status }) => status === "200").map(({ person }) => jidOf(person));
  if (changed.length > 0) tellGroup(world, group, instance.own, { [NEWS[action]]: changed });
  return done({
    updateParticipants: rows.map(({ person, status }) => {
      const jid = jidOfPerson(person);
      return { status, jid, content: { tag: "participant", attrs: { jid, error: status } } };
    }),
  });
});

/** Changes one member, or says why not. Nobody removes or demotes the creator. */
export function changeMember(group: Group, action: Action, person: string): MemberStatus {
  const { members } = group;
  const rank = members.get(person);
  if (action === "add") {
    if (rank !== undefined) return "409";
    if (!isOnMessenger(person)) return "404";
    if (members.size >= MEMBER_LIMIT) return "419";
    setMember(group, person, null);
    return "200";
  }
  if (rank === undefined) return "404";
  if (rank === "superadmin" && action !== "promote") return "403";
  if (action === "remove") removeMember(group, person);
  else if (rank !== "superadmin") setMember(group, person, action === "promote" ? "admin" : null);
  return "200";
}

/** Where people open an invitation. */
function inviteUrl(code: string): string {
  return `https://chat.whatsapp.com/${code}`;
}

export const inviteCode = onOwnGroup(({ group }) =>
  done({ inviteUrl: inviteUrl(group.code), inviteCode: group.code }),
);

/** The code before leads nowhere from now on. */
export const revokeInviteCode = onOwnGroup(({ world, instance, group }) => {
  group.code = world.groups.newCode();
  tellGroup(world, group, instance.own, { NewInviteLink: inviteUrl(group.code) });
  return done({ revoked: true, inviteCode: group.code });
});

/** By the group's address for those in it; by a code (`inviteCode`, or in place of the address) for anybody who holds it. */
export const inviteInfo = onOpenPhone((on) => {
  const { world, instance, call } = on;
  const named = call.query["groupJid"] ?? "";
  const byCode = world.groups.byCode(call.query["inviteCode"] ?? named);
  if (byCode) return done(groupBody(byCode, true));
  if (call.query["inviteCode"] !== undefined || !named.includes("@"))
    return engineError(404, "No invite code");
  const group = world.groups.find(named);
  if (!group?.members.has(instance.own)) return engineError(404, "Group not found");
  return done(groupBody(group, true));
});

/** Each invited person gets a message with the link. */
export const sendInvite = onOpenPhone((on) => {
  const { world, instance, call } = on;
  const group = world.groups.find(textAt(call.body, "groupJid") ?? "");
  if (!group?.members.has(instance.own)) return engineError(404, "Group not found");
  if (!isAdmin(group, instance.own)) return engineError(403, "Only admins may do this");
  const { known, unknown } = peopleIn(on, call.body["numbers"]);
  if (unknown.length > 0) return engineError(400, "Número inexistente no mensageiro.", unknown);
  const url = inviteUrl(group.code);
  const words = [textAt(call.body, "description") ?? "", url].filter((line) => line !== "");
  const text = words.join("\n\n");
  for (const person of known)
    say(world, { device: on.device, person, text, route: "group.sendInvite", body: call.kept });
  return done({ send: true, inviteUrl: url });
});
