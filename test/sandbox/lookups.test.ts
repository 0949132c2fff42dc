/** Chats, messages and contacts: filters, pages and counts; labels, calls and the settings that matter. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CUSTOMER, SECOND, rowsOf, stage, textOf, until, type Body, type Stage } from "./stage.ts";

const ANA = "5511900000003";
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

const inbound = (body: object) => now.http("POST", "/sandbox/inbound", { from: CUSTOMER, ...body });
const rows = async (answer: Promise<{ body: Body }>) => rowsOf((await answer).body["response"]);
const texts = (found: readonly Body[]) => found.map((row) => row["message"]?.["conversation"]);

async function find(filter: object, query = ""): Promise<readonly Body[]> {
  const body = query === "" ? filter : undefined;
  const found = await now.call("chat.findMessages", body, { query });
  return rowsOf(found.body["response"]?.["messages"]?.["records"]);
}

/** `{key: {fromMe: true}}` as `where[key][fromMe]=true`. */
function fieldsOf(value: object, name = "where"): [string, string][] {
  return Object.entries(value as Record<string, unknown>).flatMap(([key, inside]) =>
    typeof inside === "object" && inside !== null
      ? fieldsOf(inside, `${name}[${key}]`)
      : [[`${name}[${key}]`, String(inside)] satisfies [string, string]],
  );
}

describe("messages", () => {
  test.each([
    [{ key: { fromMe: true } }, ["resposta"]],
    [{ key: { fromMe: false } }, ["dois", "um"]],
    [{ key: { remoteJid: jid(ANA) } }, ["outra"]],
    [{ messageType: "conversation", source: "web" }, ["resposta"]],
    [{ messageType: "imageMessage" }, [undefined]],
  ])("are found by %j, as a body and as a query", async (where, expected) => {
    await inbound({ text: "um" });
    await inbound({ text: "dois" });
    await now.call("message.sendText", { number: CUSTOMER, text: "resposta" });
    if ("key" in where && "remoteJid" in where.key) await inbound({ from: ANA, text: "outra" });
    if ("messageType" in where && where.messageType === "imageMessage")
      await inbound({ image: {} });
    expect(texts(await find({ where }))).toEqual(expected);
    const query = new URLSearchParams(fieldsOf(where)).toString();
    expect(texts(await find({}, `?${query}`))).toEqual(expected);
  });

  test("are found by when they were sent, in seconds and as ISO text", async () => {
    await inbound({ text: "antes" });
    await now.http("POST", "/sandbox/clock", { advance: "1h" });
    const middle = await now.now();
    await now.http("POST", "/sandbox/clock", { advance: "1h" });
    await inbound({ text: "depois" });
    const iso = new Date(middle).toISOString();
    const seconds = String(Math.floor(middle / 1_000));
    for (const at of [iso, seconds]) {
      const span = (key: string) =>
        find({}, `?where[messageTimestamp][${key}]=${encodeURIComponent(at)}`);
      expect(texts(await span("gte"))).toEqual(["depois"]);
      expect(texts(await span("lte"))).toEqual(["antes"]);
    }
    expect(texts(await find({ where: { messageTimestamp: { gte: iso } } }))).toEqual(["depois"]);
  });

  test("come page by page, newest first, as a query too", async () => {
    for (const text of ["a", "b", "c", "d", "e"]) await inbound({ text });
    expect(texts(await find({ page: 2, offset: 2 }))).toEqual(["c", "b"]);
    expect(texts(await find({}, "?page=3&offset=2"))).toEqual(["a"]);
    expect(texts(await find({}, "?page=4&offset=2"))).toEqual([]);
    expect(texts(await find({}, "?page=0&offset=nonsense"))).toHaveLength(5);
  });

  test("of a filter that reaches for prototypes are all there, and nothing is harmed", async () => {
    await inbound({ text: "um" });
    for (const query of [
      "?where[__proto__][polluted]=1",
      "?where[constructor][prototype][polluted]=1",
      `?where=${encodeURIComponent('{"__proto__":{"polluted":1}}')}`,
      "?where={broken",
    ])
      expect(texts(await find({}, query)), query).toEqual(["um"]);
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("chats and contacts", () => {
  const chats = (body: object = {}, as = {}) => rows(now.call("chat.findChats", body, as));
  const contacts = (body: object = {}) => rows(now.call("chat.findContacts", body));

  test("count what came in until a human answers on the phone; the bot's answers leave it unread", async () => {
    await inbound({ text: "um", name: "Marina" });
    await inbound({ text: "dois", name: "Marina" });
    await now.call("message.sendText", { number: CUSTOMER, text: "olá" });
    expect(await chats()).toMatchObject([
      {
        remoteJid: jid(CUSTOMER),
        pushName: "Marina",
        unreadCount: 2,
        windowActive: true,
        lastMessage: { message: { conversation: "olá" } },
      },
    ]);
    await inbound({ human: { text: "já vejo" } });
    expect((await chats())[0]).toMatchObject({ unreadCount: 0 });
    await inbound({ text: "três" });
    expect((await chats())[0]).toMatchObject({ unreadCount: 1 });
  });

  test("stand newest first, page by page, one caller's only", async () => {
    for (const from of ["5511900000011", "5511900000012", "5511900000013"])
      await inbound({ from, text: "oi" });
    await inbound({ from: "5511900000011", text: "de novo" });
    const order = ["5511900000011", "5511900000013", "5511900000012"].map(jid);
    expect((await chats()).map((row) => row["remoteJid"])).toEqual(order);
    const second = await chats({ page: 2, offset: 2 });
    expect(second.map((row) => row["remoteJid"])).toEqual(order.slice(2));
    expect(await chats({ where: { remoteJid: order[1] } })).toHaveLength(1);
    expect(await chats({}, { as: SECOND })).toEqual([]);
    expect(await contacts({ page: 1, offset: 1 })).toHaveLength(1);
  });

  test("contacts keep the name people wrote under and are found by it", async () => {
    await inbound({ text: "oi", name: "Marina" });
    await inbound({ from: ANA, text: "oi", name: "Ana" });
    await now.call("message.sendText", { number: CUSTOMER, text: "olá" });
    const found = await contacts({ where: { pushName: "Marina" } });
    expect(found).toMatchObject([
      { remoteJid: jid(CUSTOMER), pushName: "Marina", type: "contact", isGroup: false },
    ]);
    const [row] = found;
    expect(await contacts({ where: { id: row?.["id"] } })).toEqual(found);
    expect(await contacts({ where: { id: jid(CUSTOMER) } })).toEqual(found);
    expect(await contacts({ where: { remoteJid: jid("5511900000099") } })).toEqual([]);
  });
});

describe("labels", () => {
  const label = (body: object) =>
    now.call("label.handleLabel", { number: CUSTOMER, labelId: "1", action: "add", ...body });

  test("are the business app's own, put on a chat and taken off", async () => {
    const known = await rows(now.call("label.findLabels"));
    expect(known.map((row) => row["name"])).toContain("Novo cliente");
    await inbound({ text: "oi" });
    const worn = async () => (await rows(now.call("chat.findChats", {})))[0]?.["labels"];
    const put = await label({});
    expect(put.body["response"]).toEqual({ numberJid: jid(CUSTOMER), labelId: "1", add: true });
    await label({ labelId: "4" });
    expect(await worn()).toEqual(["1", "4"]);
    const taken = await label({ action: "remove" });
    expect(taken.body["response"]).toMatchObject({ remove: true });
    expect(await worn()).toEqual(["4"]);
    expect((await label({ labelId: "99" })).status).toBe(404);
    expect((await label({ number: "5500999990000" })).status).toBe(400);
  });

  test("are made by name, once each, and then put on chats as the others", async () => {
    const make = (name: string) => now.call("label.handleLabel", { name });
    const known = async () => (await rows(now.call("label.findLabels"))).map(({ name }) => name);
    const made = (await make("Cliente VIP")).body["data"];
    expect(made).toMatchObject({ name: "Cliente VIP" });
    expect((await make("Cliente VIP")).body["data"]).toEqual(made);
    expect((await make("Pago")).body["data"]).toMatchObject({ id: "4" });
    expect(await known()).toHaveLength(6);
    await inbound({ text: "oi" });
    expect((await label({ labelId: made?.["id"] })).body["error"]).toBe(false);
    const [chat] = await rows(now.call("chat.findChats", {}));
    expect(chat?.["labels"]).toEqual([made?.["id"]]);
    for (let count = 6; count < 20; count += 1) await make(`Etiqueta ${count}`);
    expect((await make("Uma a mais")).status).toBe(400);
    await now.call("instance.delete");
    await now.call("instance.create", { instanceName: "sandbox", qrcode: false });
    expect(await known()).toHaveLength(5);
  });

  test.each<[object, RegExp]>([
    [{}, /number.*obrigatório/],
    [{ number: CUSTOMER, labelId: "1" }, /action.*obrigatório/],
    [{ name: "" }, /name/],
    [{ name: "VIP", number: CUSTOMER }, /name/],
  ])("are neither made nor put by %j", async (body, said) => {
    const { status, text } = await now.call("label.handleLabel", body);
    expect([status, said.test(text)]).toEqual([422, true]);
    expect(await rows(now.call("label.findLabels"))).toHaveLength(5);
  });
});

describe("calls", () => {
  test("placed ring the contact's phone and answer in the engine's fixed form", async () => {
    const body = { number: CUSTOMER, isVideo: true, callDuration: 5 };
    expect((await now.call("call.offer", body)).body["response"]).toEqual({
      id: "123",
      jid: jid(CUSTOMER),
      isVideo: true,
      callDuration: 5,
    });
    const seen = await now.http("GET", `/sandbox/messages?number=${CUSTOMER}`);
    expect(rowsOf(seen.body)).toMatchObject([{ route: "call.offer", text: "[video call] 5 s" }]);
    expect(await find({})).toEqual([]);
    for (const [change, status] of [
      [{ callDuration: 16 }, 422],
      [{ callDuration: 0 }, 422],
      [{ number: "5500999990000" }, 400],
      [{ number: "120363000000000001@g.us" }, 400],
    ] as const)
      expect((await now.call("call.offer", { ...body, ...change })).status).toBe(status);
  });

  test("coming in are rejected and answered in words when the settings say so", async () => {
    const statuses = () =>
      now.bot.of("engine-b").flatMap(({ body: { data } }) => {
        const status = textOf(data?.["status"] ?? "");
        return ["offer", "reject"].includes(status) ? [status] : [];
      });
    await inbound({ call: {} });
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    expect(statuses()).toEqual(["offer"]);
    await now.call("settings.set", { reject_call: true, msg_call: "Escreva, por favor." });
    await inbound({ call: { video: true } });
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    await until(() => statuses().length === 3);
    expect(statuses()).toEqual(["offer", "offer", "reject"]);
    const seen = await now.http("GET", `/sandbox/messages?number=${CUSTOMER}`);
    expect(rowsOf(seen.body)).toMatchObject([{ text: "Escreva, por favor." }]);
  });
});

describe("what the phone hears", () => {
  test("groups are ignored when the settings say so: not told, not kept", async () => {
    const made = await now.http("POST", "/sandbox/group", {
      do: "make",
      subject: "Bairro",
      members: [CUSTOMER],
    });
    const from = textOf(made.body["id"]);
    expect((await inbound({ from, text: "oi" })).body).toMatchObject({ delivered: true });
    await now.call("settings.set", { reject_call: false, groups_ignore: true });
    const ignored = await inbound({ from, text: "e aí?" });
    expect(ignored.body).toMatchObject({ delivered: false, status: null });
    expect(texts(await find({}))).toEqual(["oi"]);
    expect((await inbound({ text: "direto" })).body).toMatchObject({ delivered: true });
  });

  test("a closed phone hears nothing, and finds it afterwards; one that was deleted never does", async () => {
    await now.call("instance.logout");
    const missed = await inbound({ text: "alô?" });
    expect(missed.body).toMatchObject({ delivered: false, status: null });
    await now.call("instance.connect");
    await now.http("POST", "/sandbox/clock", { advance: "5s" });
    expect(texts(await find({}))).toEqual(["alô?"]);
    await now.call("instance.delete");
    await inbound({ text: "tem alguém?" });
    await now.call("instance.create", { instanceName: "nova", qrcode: true });
    expect(await find({})).toEqual([]);
  });
});
