import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RouteId } from "../../../src/gateway/index.ts";
import {
  CUSTOMER,
  FIRST,
  SECOND,
  rowsOf,
  stage,
  textOf,
  until,
  type Body,
  type Stage,
} from "../stage.ts";

const OWN = "5511911112222";
const OTHER_BUSINESS = "5511911113333";
const ANA = "5511900000003";
const NOBODY = "5500999990000";
const jid = (person: string) => `${person}@s.whatsapp.net`;

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
  now.bot.told.length = 0;
});

const control = (body: object) => now.http("POST", "/sandbox/group", body);

/** A call on a group, as one of the callers. */
const on = (group: string, id: RouteId, body?: unknown, as = FIRST, more = "") =>
  now.call(id, body, { as, query: `?groupJid=${encodeURIComponent(group)}${more}` });

async function create(participants: readonly string[] = [CUSTOMER, ANA]): Promise<string> {
  const made = await now.call("group.create", { subject: "Clientes", participants });
  expect(made.status).toBe(200);
  return textOf(made.body["response"]?.["id"]);
}

/** Rank by member. */
async function ranks(group: string, as = FIRST): Promise<Record<string, unknown>> {
  const answer = await on(group, "group.participants", undefined, as);
  const rows = rowsOf(answer.body["response"]?.["participants"]);
  return Object.fromEntries(rows.map((row) => [textOf(row["id"]), row["admin"]]));
}

async function received(number: string): Promise<readonly Body[]> {
  return rowsOf((await now.http("GET", `/sandbox/messages?number=${number}`)).body);
}

async function statuses(group: string, action: string, people: readonly string[]) {
  const answer = await on(group, "group.updateParticipant", { action, participants: people });
  return rowsOf(answer.body["response"]?.["updateParticipants"]).map((row) => row["status"]);
}

describe("making a group", () => {
  test("puts its creator and everybody on the messenger into it, and names who is not", async () => {
    const made = await now.call("group.create", {
      subject: "Clientes",
      description: "Avisos",
      participants: [CUSTOMER, NOBODY],
    });
    const group = made.body["response"];
    expect(group).toMatchObject({
      subject: "Clientes",
      desc: "Avisos",
      owner: jid(OWN),
      size: 2,
      restrict: false,
      announce: false,
      unknown: [{ number: NOBODY, exists: false }],
    });
    expect(await ranks(textOf(group?.["id"]))).toEqual({
      [jid(OWN)]: "superadmin",
      [jid(CUSTOMER)]: null,
    });
    const empty = await now.call("group.create", { subject: "Ninguém", participants: [NOBODY] });
    expect(empty.status).toBe(400);
  });

  test("is refused for words that are too long, and while the phone is closed", async () => {
    const long = { subject: "x".repeat(101), participants: [CUSTOMER] };
    expect((await now.call("group.create", long)).status).toBe(400);
    await now.call("instance.logout");
    const closed = await now.call("group.create", { subject: "a", participants: [CUSTOMER] });
    expect(closed.body["message"]).toBe("Connection Closed");
  });
});

describe("looking at groups", () => {
  test("lists those the business is in, with their members when asked", async () => {
    const group = await create();
    const list = async (query: string, as = FIRST) =>
      now.call("group.fetchAllGroups", {}, { as, query });
    expect((await list("")).status).toBe(400);
    const bare = rowsOf((await list("?getParticipants=false")).body["response"]);
    expect(bare).toMatchObject([{ id: group, size: 3 }]);
    expect(bare[0]).not.toHaveProperty("participants");
    const whole = rowsOf((await list("?getParticipants=true")).body["response"]);
    expect(rowsOf(whole[0]?.["participants"])).toHaveLength(3);
    expect((await list("?getParticipants=true", SECOND)).body["response"]).toEqual([]);
  });

  test.each([
    ["group.findGroupInfos", undefined],
    ["group.participants", undefined],
    ["group.inviteInfo", undefined],
    ["group.inviteCode", undefined],
    ["group.revokeInviteCode", {}],
    ["group.updateGroupSubject", { subject: "a" }],
    ["group.updateGroupDescription", { description: "a" }],
    ["group.updateSetting", { action: "locked" }],
    ["group.updateParticipant", { action: "add", participants: [ANA] }],
  ] as const)("%s answers 404 for no group, and for one the caller is not in", async (id, body) => {
    const group = await create();
    expect((await on("120363999999999999@g.us", id, body)).status).toBe(404);
    expect((await on(group, id, body, SECOND)).status).toBe(404);
  });

  test("two businesses in one group see the same", async () => {
    const group = await create([OTHER_BUSINESS]);
    await on(group, "group.updateGroupSubject", { subject: "Juntos" });
    const seen = await on(group, "group.findGroupInfos", undefined, SECOND);
    expect(seen.body["response"]).toMatchObject({ subject: "Juntos", size: 2 });
  });
});

describe("members", () => {
  test("are added, removed, promoted and demoted, each answered on its own", async () => {
    const group = await create();
    const people = [ANA, "5511900000004", NOBODY];
    expect(await statuses(group, "add", people)).toEqual(["409", "200", "404"]);
    expect(await statuses(group, "promote", [ANA, "5511900000009"])).toEqual(["200", "404"]);
    expect(await ranks(group)).toMatchObject({ [jid(ANA)]: "admin" });
    expect(await statuses(group, "demote", [ANA])).toEqual(["200"]);
    expect(await statuses(group, "remove", [ANA, ANA])).toEqual(["200", "404"]);
    expect(Object.keys(await ranks(group))).toEqual([OWN, CUSTOMER, "5511900000004"].map(jid));
  });

  test("nobody removes or demotes the creator", async () => {
    const group = await create([OTHER_BUSINESS]);
    await statuses(group, "promote", [OTHER_BUSINESS]);
    for (const action of ["remove", "demote"]) {
      const body = { action, participants: [OWN] };
      const answer = await on(group, "group.updateParticipant", body, SECOND);
      expect(answer.body["response"]?.["updateParticipants"]).toMatchObject([{ status: "403" }]);
    }
    expect(await ranks(group)).toMatchObject({ [jid(OWN)]: "superadmin" });
  });

  test("that is full takes nobody else, one by one", async () => {
    const members = Array.from({ length: 1_021 }, (_, at) => String(5_511_910_000_000 + at));
    const made = await now.http("POST", "/sandbox/group", {
      do: "make",
      subject: "Lotado",
      members,
    });
    const group = textOf(made.body["id"] ?? made.body["jid"]);
    expect(await statuses(group, "add", [CUSTOMER, ANA, "5511920000001"])).toEqual([
      "200",
      "200",
      "419",
    ]);
  });

  test("who is no admin changes neither members nor settings nor invitations", async () => {
    const group = await create([OTHER_BUSINESS, ANA]);
    const refused: readonly (readonly [RouteId, unknown])[] = [
      ["group.updateParticipant", { action: "remove", participants: [ANA] }],
      ["group.updateSetting", { action: "announcement" }],
      ["group.inviteCode", undefined],
      ["group.revokeInviteCode", {}],
    ];
    for (const [id, body] of refused)
      expect((await on(group, id, body, SECOND)).status, id).toBe(403);
    const invite = { groupJid: group, description: "", numbers: [CUSTOMER] };
    expect((await now.call("group.sendInvite", invite, { as: SECOND })).status).toBe(403);
    expect(Object.keys(await ranks(group))).toHaveLength(3);
  });
});

describe("settings", () => {
  test("a locked group is edited by admins only", async () => {
    const group = await create([OTHER_BUSINESS]);
    const rename = (as: typeof FIRST) =>
      on(group, "group.updateGroupSubject", { subject: "Novo" }, as);
    expect((await rename(SECOND)).status).toBe(200);
    await on(group, "group.updateSetting", { action: "locked" });
    expect((await rename(SECOND)).status).toBe(403);
    expect((await rename(FIRST)).status).toBe(200);
    await on(group, "group.updateSetting", { action: "unlocked" });
    const words = { description: "Aberto" };
    expect((await on(group, "group.updateGroupDescription", words, SECOND)).status).toBe(200);
    const seen = await on(group, "group.findGroupInfos");
    expect(seen.body["response"]).toMatchObject({ desc: "Aberto", restrict: false });
  });

  test("in an announcement group only admins write, from both sides", async () => {
    const group = await create([OTHER_BUSINESS, CUSTOMER]);
    await on(group, "group.updateSetting", { action: "announcement" });
    const send = (as: typeof FIRST) =>
      now.call("message.sendText", { number: group, text: "aviso" }, { as });
    expect((await send(SECOND)).status).toBe(403);
    expect((await send(FIRST)).status).toBe(200);
    const write = (participant: string) =>
      now.http("POST", "/sandbox/inbound", { from: group, participant, text: "posso?" });
    const refused = await write(CUSTOMER);
    expect([refused.status, refused.body["message"]]).toEqual([
      422,
      "Only admins may write in this group.",
    ]);
    await statuses(group, "promote", [CUSTOMER]);
    expect((await write(CUSTOMER)).status).toBe(202);
    await on(group, "group.updateSetting", { action: "not_announcement" });
    expect((await send(SECOND)).status).toBe(200);
  });

  test("a picture is fetched from this machine and served by the sandbox", async () => {
    const group = await create();
    const far = { image: "https://files.example.org/grupo.png" };
    expect((await on(group, "group.updateGroupPicture", far)).status).toBe(400);
    const near = { image: `${now.sandbox.url()}/sandbox/files/grupo.png` };
    expect((await on(group, "group.updateGroupPicture", near)).status).toBe(200);
    const seen = await on(group, "group.findGroupInfos");
    const address = textOf(seen.body["response"]?.["pictureUrl"]);
    const served = await now.http("GET", new URL(address).pathname);
    expect(served.headers["content-type"]).toBe("image/png");
  });
});

describe("invitations", () => {
  const codeOf = async (group: string) =>
    textOf((await on(group, "group.inviteCode")).body["response"]?.["inviteCode"]);

  test("a code lets people in until it is revoked", async () => {
    const group = await create();
    const code = await codeOf(group);
    expect((await control({ do: "join", code, number: "5511900000007" })).status).toBe(200);
    expect(await ranks(group)).toHaveProperty([jid("5511900000007")]);
    const revoked = await on(group, "group.revokeInviteCode", {});
    const fresh = textOf(revoked.body["response"]?.["inviteCode"]);
    expect(fresh).not.toBe(code);
    expect((await control({ do: "join", code, number: "5511900000008" })).status).toBe(409);
    expect((await control({ do: "join", code: fresh, number: "5511900000008" })).status).toBe(200);
  });

  test("a code tells what it leads to, whoever holds it, and nothing once it is void", async () => {
    const group = await create();
    const code = await codeOf(group);
    const look = (as: typeof FIRST, more: string) =>
      on("any", "group.inviteInfo", undefined, as, more);
    const seen = await look(SECOND, `&inviteCode=${code}`);
    expect(seen.body["response"]).toMatchObject({ id: group, subject: "Clientes" });
    expect((await on(code, "group.inviteInfo", undefined, SECOND)).status).toBe(200);
    expect((await on(group, "group.inviteInfo")).body["response"]).toMatchObject({ id: group });
    await on(group, "group.revokeInviteCode", {});
    expect((await look(SECOND, `&inviteCode=${code}`)).status).toBe(404);
    expect((await on(code, "group.inviteInfo", undefined, SECOND)).status).toBe(404);
  });

  test("are sent to people as a message with the link", async () => {
    const group = await create([ANA]);
    const invite = { groupJid: group, description: "Entre no grupo", numbers: [CUSTOMER] };
    const sent = await now.call("group.sendInvite", invite);
    const url = textOf(sent.body["response"]?.["inviteUrl"]);
    expect(sent.body["response"]).toMatchObject({ send: true });
    expect(url.endsWith(await codeOf(group))).toBe(true);
    expect(await received(CUSTOMER)).toMatchObject([
      { route: "group.sendInvite", text: `Entre no grupo\n\n${url}` },
    ]);
    const nobody = { ...invite, numbers: [CUSTOMER, NOBODY] };
    expect((await now.call("group.sendInvite", nobody)).status).toBe(400);
    expect(await received(CUSTOMER)).toHaveLength(1);
  });
});

describe("writing in a group", () => {
  test("reaches its members, and them only", async () => {
    const group = await create();
    const sent = await now.call("message.sendText", { number: group, text: "oi, pessoal" });
    expect(sent.body["response"]?.["key"]).toMatchObject({ remoteJid: group, fromMe: true });
    for (const member of [CUSTOMER, ANA])
      expect((await received(member)).map((row) => row["text"])).toEqual(["oi, pessoal"]);
    expect(await received("5511900000009")).toEqual([]);
    expect(
      (await now.call("message.sendText", { number: group, text: "x" }, { as: SECOND })).status,
    ).toBe(404);
  });

  test("mentions everybody, or those who are named and in it; nobody outside of groups", async () => {
    const group = await create();
    const mention = async (body: object) =>
      (await now.call("message.sendText", { number: group, text: "@", ...body })).body[
        "response"
      ]?.["contextInfo"];
    expect(await mention({ mentionsEveryOne: true })).toEqual({
      mentionedJid: [jid(CUSTOMER), jid(ANA)],
    });
    const mentioned = [jid(ANA), jid("5511900000009")];
    expect(await mention({ mentioned })).toEqual({ mentionedJid: [jid(ANA)] });
    expect(await mention({ number: CUSTOMER, mentionsEveryOne: true })).toBeNull();
  });

  test("names the member who writes, and refuses strangers", async () => {
    const group = await create();
    const write = (participant?: string) =>
      now.http("POST", "/sandbox/inbound", { from: group, participant, text: "oi" });
    await write(ANA);
    expect(now.bot.of("engine-b").at(-1)?.body["data"]?.["key"]).toMatchObject({
      remoteJid: group,
      participant: jid(ANA),
    });
    expect((await write("5511900000009")).status).toBe(422);
    await control({ do: "leave", jid: group, number: ANA });
    expect((await write(ANA)).status).toBe(422);
    const found = await now.call("chat.findMessages", {
      where: { key: { remoteJid: group, participant: jid(ANA) } },
    });
    expect(found.body["response"]?.["messages"]?.["total"]).toBe(1);
    const contacts = await now.call("chat.findContacts", {});
    expect(
      rowsOf(contacts.body["response"])
        .map((row) => row["type"])
        .sort(),
    ).toEqual(["group", "group_member"]);
  });
});

test("engines A and C say that it is a group, and who of it writes", async () => {
  const from = await create();
  for (const channel of ["engine-a", "engine-c"])
    await now.http("POST", "/sandbox/inbound", { channel, from, participant: ANA, text: "oi" });
  expect(now.bot.of("engine-a").at(-1)?.body).toMatchObject({
    isGroupMsg: true,
    author: `${ANA}@c.us`,
    from,
  });
  expect(now.bot.of("engine-c").at(-1)?.body["data"]?.["Info"]).toMatchObject({
    Chat: from,
    Sender: jid(ANA),
    IsGroup: true,
  });
});

test("engine C tells who joined, left and changed what, to the phones in the group", async () => {
  const group = await create([ANA]);
  await on(group, "group.updateGroupSubject", { subject: "Novo" });
  await statuses(group, "add", [CUSTOMER]);
  await control({ do: "leave", jid: group, number: ANA });
  await until(() => now.bot.of("engine-c").length === 4);
  const told = now.bot.of("engine-c").map(({ body }) => [body["event"], body["data"]] as const);
  expect(told).toMatchObject([
    ["JoinedGroup", { JID: group, Name: "Clientes" }],
    ["GroupInfo", { JID: group, Sender: jid(OWN), Name: { Name: "Novo" } }],
    ["GroupInfo", { Join: [jid(CUSTOMER)] }],
    ["GroupInfo", { Sender: jid(ANA), Leave: [jid(ANA)] }],
  ]);
});

describe("the control", () => {
  test("makes a group that somebody else owns, under an address of one's choice", async () => {
    const group = "120363000000000007@g.us";
    const made = await control({
      do: "make",
      jid: group,
      subject: "Bairro",
      owner: ANA,
      members: [],
    });
    expect(made.body).toMatchObject({ id: group, owner: jid(ANA), size: 2 });
    expect(await ranks(group)).toEqual({ [jid(ANA)]: "superadmin", [jid(OWN)]: null });
    expect((await control({ do: "make", jid: group, subject: "x", members: [] })).status).toBe(409);
    expect(rowsOf((await now.http("GET", "/sandbox/groups")).body)).toHaveLength(1);
  });

  test.each([
    [{ do: "burn" }, 422],
    [{ do: "make", subject: "", members: [] }, 422],
    [{ do: "join", code: "nothing", number: CUSTOMER }, 409],
    [{ do: "leave", jid: "120363000000000009@g.us", number: CUSTOMER }, 409],
  ])("%j is refused with %i", async (body, status) => {
    expect((await control(body)).status).toBe(status);
  });
});
