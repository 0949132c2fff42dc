/** What happens to messages after they were sent, and what a message may point at. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CUSTOMER, SECOND, rowsOf, stage, textOf, until, type Body, type Stage } from "./stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
  now.bot.told.length = 0;
});

const jid = `${CUSTOMER}@s.whatsapp.net`;
const inbound = (body: object) => now.http("POST", "/sandbox/inbound", { from: CUSTOMER, ...body });

async function idOf(answer: Promise<{ body: Body }>): Promise<string> {
  return textOf((await answer).body["response"]?.["key"]?.["id"]);
}
const sendText = (body: object = {}) =>
  now.call("message.sendText", { number: CUSTOMER, text: "olá", ...body });

async function received(): Promise<readonly Body[]> {
  return rowsOf((await now.http("GET", `/sandbox/messages?number=${CUSTOMER}`)).body);
}

async function record(id: string): Promise<Body | undefined> {
  const found = await now.call("chat.findMessages", { where: { key: { id } } });
  return rowsOf(found.body["response"]?.["messages"]?.["records"])[0];
}

describe("reactions", () => {
  const react = (id: string, reaction: string, key: object = {}) =>
    now.call("message.sendReaction", {
      key: { id, remoteJid: jid, fromMe: true, ...key },
      reaction,
    });

  test("stay on the message, are replaced, and are taken back by an empty one", async () => {
    const id = await idOf(sendText());
    const sent = await react(id, "👍");
    expect(sent.body["response"]?.["message"]?.["reactionMessage"]).toMatchObject({
      key: { id },
      text: "👍",
    });
    await inbound({ reaction: { to: id, emoji: "❤️" } });
    expect((await received())[0]?.["reactions"]).toEqual([
      { from: "me", emoji: "👍" },
      { from: CUSTOMER, emoji: "❤️" },
    ]);
    await react(id, "🎉");
    await inbound({ reaction: { to: id, emoji: "" } });
    expect((await received())[0]?.["reactions"]).toEqual([{ from: "me", emoji: "🎉" }]);
    await react(id, "");
    expect((await received())[0]).not.toHaveProperty("reactions");
  });

  test("are refused for a message that is unknown, of another chat or of another caller", async () => {
    const id = await idOf(sendText());
    expect((await react("nothing", "👍")).status).toBe(400);
    expect((await react(id, "👍", { remoteJid: "5511900000003@s.whatsapp.net" })).status).toBe(400);
    const body = { key: { id, remoteJid: jid, fromMe: true }, reaction: "👍" };
    expect((await now.call("message.sendReaction", body, { as: SECOND })).status).toBe(400);
  });
});

describe("taking a message back for everybody", () => {
  const take = (body: object) =>
    now.call("chat.deleteMessageForEveryone", { remoteJid: jid, fromMe: true, ...body });

  test("shows it as deleted, tells it once, and may be repeated", async () => {
    const id = await idOf(sendText());
    const taken = await take({ id });
    expect(taken.body["response"]).toMatchObject({
      messageType: "protocolMessage",
      message: { protocolMessage: { key: { id, remoteJid: jid, fromMe: true }, type: "REVOKE" } },
    });
    expect(await received()).toMatchObject([{ id, deleted: true, text: "[deleted]", body: null }]);
    const updates = (await record(id))?.["MessageUpdate"];
    expect(rowsOf(updates)).toContainEqual({ status: "DELETED" });
    expect((await take({ id })).status).toBe(200);
    const deletions = () =>
      now.bot.of("engine-b").filter((one) => textOf(one.body["data"]?.["status"]) === "DELETED");
    await until(() => deletions().length > 0);
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    expect(deletions().map((one) => one.body["data"])).toEqual([
      { remoteJid: jid, fromMe: true, id, status: "DELETED" },
    ]);
  });

  test("is refused for the unknown, the mistaken and the contact's own", async () => {
    const id = await idOf(sendText());
    const theirs = textOf((await inbound({ text: "oi" })).body["event_id"]);
    const refused: readonly object[] = [
      { id: "nothing" },
      { id, remoteJid: "5511900000003@s.whatsapp.net" },
      { id, fromMe: false },
      { id: theirs },
      { id: theirs, fromMe: false },
    ];
    for (const body of refused) expect((await take(body)).status, JSON.stringify(body)).toBe(400);
    expect(await received()).toMatchObject([{ id, text: "olá" }]);
  });

  test("an admin may take back what others wrote in a group", async () => {
    const made = await now.http("POST", "/sandbox/group", {
      do: "make",
      subject: "Clientes",
      members: [CUSTOMER],
    });
    const remoteJid = textOf(made.body["id"]);
    const told = await now.http("POST", "/sandbox/inbound", {
      from: remoteJid,
      text: "propaganda",
    });
    const id = textOf(told.body["event_id"]);
    expect((await take({ id, remoteJid, fromMe: false })).status).toBe(200);
  });
});

describe("replies", () => {
  test("quote what is on record, or what the caller says; else nothing", async () => {
    const theirs = textOf((await inbound({ text: "Tem terça?" })).body["event_id"]);
    const context = async (quoted: object) =>
      (await sendText({ quoted })).body["response"]?.["contextInfo"];
    expect(await context({ key: { id: theirs } })).toEqual({
      stanzaId: theirs,
      participant: jid,
      quotedMessage: { conversation: "Tem terça?" },
    });
    expect((await received())[0]?.["quoted"]).toEqual({ id: theirs, text: "Tem terça?" });
    const said = { key: { id: "3A0" }, message: { conversation: "antiga" } };
    expect(await context(said)).toMatchObject({ stanzaId: "3A0", quotedMessage: said.message });
    expect(await context({ key: { id: "nothing" } })).toBeNull();
  });

  test("by engine A name the composite id", async () => {
    const theirs = textOf((await inbound({ text: "oi" })).body["event_id"]);
    const messageid = `false_${CUSTOMER}@c.us_${theirs}`;
    await now.call("engineA.reply", { number: CUSTOMER, messageid, text: "olá" });
    expect((await received())[0]?.["quoted"]).toEqual({ id: theirs, text: "oi" });
  });
});

describe("votes", () => {
  const poll = (selectableCount = 1) =>
    idOf(
      now.call("message.sendPoll", {
        number: CUSTOMER,
        name: "Dia?",
        selectableCount,
        values: ["Terça", "Quarta", "Quinta"],
      }),
    );
  const vote = (id: string, options: readonly string[], from = CUSTOMER) =>
    now.http("POST", "/sandbox/inbound", { from, poll_vote: { poll: id, options } });

  test("are kept as each voter's whole selection, and taken back by an empty one", async () => {
    const id = await poll(0);
    await vote(id, ["Terça", "Quarta"]);
    await vote(id, ["Quarta"]);
    expect((await record(id))?.["pollUpdates"]).toEqual([
      { name: "Terça", voters: [] },
      { name: "Quarta", voters: [jid] },
      { name: "Quinta", voters: [] },
    ]);
    expect((await received())[0]?.["votes"]).toEqual([{ from: CUSTOMER, options: ["Quarta"] }]);
    await vote(id, []);
    expect((await received())[0]).not.toHaveProperty("votes");
  });

  test("are refused for an unknown option, too many, one twice, another's poll, and no poll", async () => {
    const id = await poll();
    const text = await idOf(sendText());
    const refused = [
      await vote(id, ["Sábado"]),
      await vote(id, ["Terça", "Quarta"]),
      await vote(id, ["Terça"], "5511900000003"),
      await vote(text, ["Terça"]),
      await vote(await poll(0), ["Terça", "Terça"]),
    ];
    expect(refused.map((answer) => answer.status)).toEqual([422, 422, 422, 422, 422]);
    expect(refused[0]?.body["message"]).toBe("The poll has no such option.");
    expect((await received())[0]).not.toHaveProperty("votes");
  });
});

test("an edit and a deletion by the contact show in what is on record", async () => {
  const id = textOf((await inbound({ text: "terça" })).body["event_id"]);
  await inbound({ edit: { id, text: "quarta" } });
  expect(await record(id)).toMatchObject({ message: { conversation: "quarta" } });
  await inbound({ delete: { id } });
  expect((await record(id))?.["MessageUpdate"]).toEqual([{ status: "DELETED" }]);
});

describe("buttons", () => {
  const reply = { type: "reply", displayText: "Sim", id: "yes" };
  const pix = { type: "pix", currency: "BRL", name: "Loja", keyType: "email", key: "a@b.co" };
  test.each([
    ["four answers", [reply, reply, reply, reply]],
    ["answers beside others", [reply, { type: "url", displayText: "Site", url: "https://a.br" }]],
    ["two PIX", [pix, pix]],
    ["PIX beside others", [pix, { type: "copy", displayText: "Copiar", copyCode: "1" }]],
  ])("%s are refused", async (_what, buttons) => {
    const answer = await now.call("message.sendButtons", { number: CUSTOMER, title: "?", buttons });
    expect(answer.status).toBe(422);
    expect(await received()).toEqual([]);
  });

  test("three answers, or one PIX, are taken", async () => {
    for (const buttons of [[reply, reply, reply], [pix]]) {
      const answer = await now.call("message.sendButtons", {
        number: CUSTOMER,
        title: "?",
        buttons,
      });
      expect(answer.status).toBe(200);
    }
  });
});

test("several contact cards come in one message, each with its vcard", async () => {
  const cards = ["Ana", "Rui"].map((fullName) => ({ fullName, phoneNumber: "+55 11 90000-0001" }));
  const sent = await now.call("message.sendContact", { number: CUSTOMER, contact: cards });
  const { message } = sent.body["response"] as unknown as {
    message: { contactsArrayMessage: { contacts: { vcard: string }[] } };
  };
  expect(message.contactsArrayMessage.contacts.map(({ vcard }) => vcard)).toEqual([
    expect.stringContaining("waid=5511900000001"),
    expect.stringContaining("FN:Rui"),
  ]);
});
