/** `/group` and `/label`. Routes marked (g) name their group by the query parameter `groupJid`. */
import { z } from "zod";
import { engineSchema, assumed, controller, shown } from "./route.ts";
import {
  AnsweredId,
  Done,
  GroupAddress,
  GroupQuery,
  NoBody,
  OpenBody,
  Recipient,
  WebUrl,
  anyRecord,
  listOf,
  messaging,
  record,
  soft,
} from "./shapes.ts";

const jid = "120363000000000001@g.us";
const members = ["5511900000002"];

const Group = record({
  id: soft(z.string()),
  subject: soft(z.string()),
  size: soft(z.number()),
  owner: soft(z.string()),
  desc: soft(z.string()),
  participants: soft(z.array(record({ id: soft(z.string()), admin: soft(z.string().nullable()) }))),
});
const group1 = { id: jid, subject: "Clientes", size: 2, owner: "5511900000001@s.whatsapp.net" };
const Invite = record({ inviteUrl: soft(z.string()), inviteCode: soft(z.string()) });
const invite = { inviteUrl: "https://chat.example.org/AbCdEf", inviteCode: "AbCdEf" };

const CreateGroup = z.strictObject({
  subject: z.string().min(1),
  description: z.string().optional(),
  participants: z.array(Recipient).min(1),
});
const Participants = z.strictObject({
  action: z.enum(["add", "remove", "promote", "demote"]),
  participants: z.array(Recipient).min(1),
});
const Setting = z.strictObject({
  action: z.enum(["announcement", "not_announcement", "locked", "unlocked"]),
});
const SendInvite = z.strictObject({
  groupJid: GroupAddress,
  description: z.string(),
  numbers: z.array(Recipient).min(1),
});

export const group = controller("group", {
  /** Makes a group. */
  create: messaging({
    path: "/group/create",
    class: "costly",
    queue: "yes",
    variants: {
      default: shown(CreateGroup, {
        subject: "Clientes",
        description: "Avisos da loja",
        participants: members,
      }),
    },
    response: anyRecord(Group.shape),
    answer: group1,
  }),
  /** All groups of the instance (body †), with their members when `getParticipants` is true. */
  fetchAllGroups: messaging({
    path: "/group/fetchAllGroups",
    class: "read",
    queue: "yes",
    query: z.strictObject({ getParticipants: z.boolean() }),
    variants: {
      default: assumed(
        OpenBody,
        {},
        engineSchema(
          "The engine takes this as a GET without a body, so no field of the POST is known.",
        ),
      ),
    },
    response: listOf(Group),
    answer: [group1],
  }),
  /** Changes a group's picture, by URL (g). */
  updateGroupPicture: messaging({
    path: "/group/updateGroupPicture",
    class: "replace",
    repeat: "harmless",
    queue: "yes",
    query: GroupQuery,
    variants: {
      default: shown(z.strictObject({ image: WebUrl }), {
        image: "https://files.example.org/grupo.png",
      }),
    },
    response: Done,
    answer: { update: "success" },
  }),
  /** Changes a group's name (g). */
  updateGroupSubject: messaging({
    path: "/group/updateGroupSubject",
    class: "replace",
    repeat: "harmless",
    queue: "yes",
    query: GroupQuery,
    variants: {
      default: shown(z.strictObject({ subject: z.string().min(1) }), { subject: "Clientes 2026" }),
    },
    response: Done,
    answer: { update: "success" },
  }),
  /** Changes a group's description (g). */
  updateGroupDescription: messaging({
    path: "/group/updateGroupDescription",
    class: "replace",
    repeat: "harmless",
    queue: "yes",
    query: GroupQuery,
    variants: {
      default: shown(z.strictObject({ description: z.string() }), {
        description: "Avisos da loja",
      }),
    },
    response: Done,
    answer: { update: "success" },
  }),
  /** The invitation in force (g). */
  inviteCode: messaging({
    method: "GET",
    path: "/group/inviteCode",
    class: "read",
    query: GroupQuery,
    variants: { default: shown(NoBody, {}) },
    response: Invite,
    answer: invite,
  }),
  /** Voids the invitation and makes a new one (g). A repeat voids that one too. */
  revokeInviteCode: messaging({
    path: "/group/revokeInviteCode",
    class: "destructive",
    repeat: "harmful",
    queue: "yes",
    query: GroupQuery,
    variants: { default: shown(NoBody, {}) },
    response: anyRecord(Invite.shape),
    answer: { revoked: true, inviteCode: "GhIjKl" },
  }),
  /** Sends a group's invitation to people (†). */
  sendInvite: messaging({
    path: "/group/sendInvite",
    class: "costly",
    queue: "yes",
    variants: {
      default: assumed(
        SendInvite,
        {
          groupJid: jid,
          description: "Entre no grupo",
          numbers: members,
        },
        engineSchema("`groupJid`, `description` and `numbers`, all needed."),
      ),
    },
    response: anyRecord({ send: soft(z.boolean()), inviteUrl: soft(z.string()) }),
    answer: { send: true, inviteUrl: invite.inviteUrl },
  }),
  /** What an invitation leads to (g). */
  inviteInfo: messaging({
    method: "GET",
    path: "/group/inviteInfo",
    class: "read",
    query: GroupQuery,
    variants: { default: shown(NoBody, {}) },
    response: Group,
    answer: group1,
  }),
  /** One group (g). */
  findGroupInfos: messaging({
    method: "GET",
    path: "/group/findGroupInfos",
    class: "read",
    query: GroupQuery,
    variants: { default: shown(NoBody, {}) },
    response: Group,
    answer: group1,
  }),
  /** Adds, removes, promotes or demotes members (g, †). */
  updateParticipant: messaging({
    path: "/group/updateParticipant",
    class: "destructive",
    repeat: "harmless",
    queue: "yes",
    query: GroupQuery,
    variants: {
      default: assumed(
        Participants,
        { action: "add", participants: members },
        engineSchema("`action` add, remove, promote or demote, and `participants`."),
      ),
    },
    response: anyRecord({ updateParticipants: soft(z.array(z.looseObject({}))) }),
    answer: { updateParticipants: [{ status: "200", jid: "5511900000002@s.whatsapp.net" }] },
  }),
  /** Says who may write or edit the group (g, †). */
  updateSetting: messaging({
    path: "/group/updateSetting",
    class: "replace",
    repeat: "harmless",
    queue: "yes",
    query: GroupQuery,
    variants: {
      default: assumed(
        Setting,
        { action: "announcement" },
        engineSchema("`action` announcement, not_announcement, locked or unlocked."),
      ),
    },
    response: Done,
    answer: { updateSetting: "success" },
  }),
  /** The members of a group (g). */
  participants: messaging({
    method: "GET",
    path: "/group/participants",
    class: "read",
    query: GroupQuery,
    variants: { default: shown(NoBody, {}) },
    response: listOf(record({ id: soft(z.string()), admin: soft(z.string().nullable()) })),
    answer: { participants: [{ id: "5511900000001@s.whatsapp.net", admin: "superadmin" }] },
  }),
});

/** Either of two things: a chat's label is put or taken off, or a label is made. */
const HandleLabel = z
  .strictObject({
    number: Recipient.optional(),
    labelId: z.string().min(1).optional(),
    action: z.enum(["add", "remove"]).optional(),
    name: z.string().min(1).max(100).optional(),
  })
  .superRefine(({ name, ...chat }, context) => {
    const given = Object.values(chat).some((value) => value !== undefined);
    if (name !== undefined && given)
      context.addIssue({
        code: "custom",
        path: ["name"],
        message: "goes without the other fields",
      });
    if (name !== undefined) return;
    for (const field of ["number", "labelId", "action"] as const)
      if (chat[field] === undefined)
        context.addIssue({
          code: "invalid_type",
          expected: "string",
          path: [field],
          input: undefined,
        });
  });

export const label = controller("label", {
  /** Puts a label on a chat, takes it off, or makes one by `name` (†). */
  handleLabel: messaging({
    path: "/label/handleLabel",
    class: "replace",
    repeat: "harmless",
    variants: {
      default: assumed(
        HandleLabel,
        { number: "5511900000002", labelId: "1", action: "add" },
        engineSchema(
          "`number`, `labelId` and `action`: the engine puts a label on a chat or takes it off. The row's note says that the route creates labels: `name` alone does.",
          "labelName",
        ),
      ),
    },
    response: Done,
    answer: { numberJid: "5511900000002@s.whatsapp.net", labelId: "1", add: true },
  }),
  /** The labels that exist. */
  findLabels: messaging({
    method: "GET",
    path: "/label/findLabels",
    class: "read",
    variants: { default: shown(NoBody, {}) },
    response: listOf(
      record({ id: soft(AnsweredId), name: soft(z.string()), color: soft(z.string()) }),
    ),
    answer: [{ id: "1", name: "Novo cliente", color: "1" }],
  }),
});
