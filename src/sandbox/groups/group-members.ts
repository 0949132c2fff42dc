/** Who is in a group: adding, removing, promoting and demoting, each answered one by one; invitations and their codes. */
import { isOnMessenger, jidOf, jidOfPerson } from "../http/address.ts";
import { textAt } from "../http/bounded.ts";
import { groupBody, onOwnGroup, peopleIn } from "./group-routes.ts";
import { tellGroup } from "../webhooks/phone-news.ts";
import { isAdmin, MEMBER_LIMIT, removeMember, setMember, type Group } from "./groups.ts";
import { done, engineError, onOpenPhone } from "../http/outcome.ts";
import { say } from "../messages/own-messages.ts";

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
