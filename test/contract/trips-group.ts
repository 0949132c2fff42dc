/** What must be seen after each call on groups. */
import { expect } from "vitest";
import type { RouteId } from "../../src/gateway/index.ts";
import { textOf, type Body } from "../sandbox/stage.ts";
import { GROUP, MEMBER, PERSON, type Scene } from "./scene.ts";
import type { Plays } from "./trips.ts";

const query = { groupJid: GROUP };
const info = (scene: Scene) => scene.ask("group.findGroupInfos", {}, query);
const members = (group: Body) =>
  (group["participants"] as unknown as Body[]).map((member) => textOf(member["id"]).split("@")[0]);
const codeOf = async (scene: Scene) =>
  textOf((await scene.ask("group.inviteCode", {}, query))["inviteCode"]);
const join = (scene: Scene, code: string) =>
  scene.stage.http("POST", "/sandbox/group", { do: "join", code, number: "5511900000004" });

export const GROUP_TRIPS = {
  "group.create": {
    default: {
      seen: async ({ scene, raw }) => {
        const made = await scene.ask("group.findGroupInfos", {}, { groupJid: raw["id"] });
        expect(made).toMatchObject({ subject: "Clientes", desc: "Avisos da loja", size: 2 });
        expect(members(made)).toContain(PERSON);
      },
    },
  },
  "group.fetchAllGroups": {
    default: {
      seen: ({ raw }) => {
        const [group] = raw as unknown as Body[];
        expect(group).toMatchObject({ id: GROUP, subject: "Clientes" });
        expect(members(group as Body)).toContain(MEMBER);
      },
    },
  },
  "group.updateGroupPicture": {
    default: {
      seen: async ({ scene }) => {
        const picture = await fetch(textOf((await info(scene))["pictureUrl"]));
        expect(picture.headers.get("content-type")).toBe("image/png");
      },
    },
  },
  "group.updateGroupSubject": {
    default: {
      seen: async ({ scene }) =>
        expect(await info(scene)).toMatchObject({ subject: "Clientes 2026" }),
    },
  },
  "group.updateGroupDescription": {
    default: {
      seen: async ({ scene }) =>
        expect(await info(scene)).toMatchObject({ desc: "Avisos da loja" }),
    },
  },
  "group.inviteCode": {
    default: {
      seen: async ({ scene, raw }) => {
        expect(textOf(raw["inviteUrl"])).toContain(textOf(raw["inviteCode"]));
        expect((await join(scene, textOf(raw["inviteCode"]))).status).toBe(200);
        expect(members(await info(scene))).toContain("5511900000004");
      },
    },
  },
  "group.revokeInviteCode": {
    default: {
      before: async (scene) => ({ code: await codeOf(scene) }),
      seen: async ({ scene, prepared }) => {
        expect(await codeOf(scene)).not.toBe(textOf(prepared["code"]));
        expect((await join(scene, textOf(prepared["code"]))).status).toBe(409);
      },
    },
  },
  "group.sendInvite": {
    default: {
      seen: async ({ scene, raw }) => {
        const { text } = (await scene.last()) as { text?: Body };
        expect(textOf(text)).toContain("Entre no grupo");
        expect(textOf(text)).toContain(textOf(raw["inviteUrl"]));
      },
    },
  },
  "group.inviteInfo": {
    default: { seen: ({ raw }) => expect(raw).toMatchObject({ id: GROUP, subject: "Clientes" }) },
  },
  "group.findGroupInfos": {
    default: { seen: ({ raw }) => expect(members(raw)).toContain(MEMBER) },
  },
  "group.updateParticipant": {
    default: {
      seen: async ({ scene }) => {
        expect(members(await info(scene))).toContain(PERSON);
        const out = { action: "remove", participants: [PERSON] };
        await scene.ask("group.updateParticipant", out, query);
        expect(members(await info(scene))).not.toContain(PERSON);
      },
    },
  },
  "group.updateSetting": {
    default: {
      seen: async ({ scene }) => expect(await info(scene)).toMatchObject({ announce: true }),
    },
  },
  "group.participants": {
    default: {
      before: (scene) =>
        scene.ask("group.updateParticipant", { action: "promote", participants: [MEMBER] }, query),
      seen: ({ raw }) => {
        const rows = (raw["participants"] ?? raw) as unknown as Body[];
        const one = rows.find((row) => textOf(row["id"]).startsWith(MEMBER));
        expect(one).toMatchObject({ admin: "admin" });
      },
    },
  },
} satisfies Partial<Record<RouteId, Plays>>;
