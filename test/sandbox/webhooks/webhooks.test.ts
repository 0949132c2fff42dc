import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CUSTOMER, SECOND, stage, until, type Body, type Stage } from "../stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
  now.bot.told.length = 0;
});

const TOKEN = "demo0000000000000000000000000000";
const inbound = (body: object) => now.http("POST", "/sandbox/inbound", { from: CUSTOMER, ...body });

/** Posts a content on a channel and gives what the bot was told. */
async function told(body: object, channel = "engine-b"): Promise<Body> {
  const answer = await inbound({ ...body, channel });
  expect(answer.status).toBe(202);
  expect(answer.body).toMatchObject({ delivered: true, status: 200 });
  const last = now.bot.of(channel).at(-1);
  if (!last) throw new Error("the bot was told nothing");
  return last.body;
}

describe("engine B", () => {
  test("posts to the demo's path in an envelope that names no event", async () => {
    const body = await told({ text: "oi, preciso da nota", name: "Marina" });
    expect(now.bot.told[0]?.path).toBe(`/webhooks/engine-b/${TOKEN}`);
    expect(Object.keys(body)).toEqual([
      "instance",
      "data",
      "destination",
      "date_time",
      "sender",
      "server_url",
      "apikey",
    ]);
    expect(body).toMatchObject({
      sender: "5511911112222@s.whatsapp.net",
      data: {
        key: { remoteJid: `${CUSTOMER}@s.whatsapp.net`, fromMe: false, addressingMode: "pn" },
        pushName: "Marina",
        status: "DELIVERY_ACK",
        message: { conversation: "oi, preciso da nota" },
        messageType: "conversation",
      },
    });
    expect(Number.isInteger(body["data"]?.["messageTimestamp"])).toBe(true);
  });

  test.each([
    ["image", { image: { caption: "meu exame" } }, "imageMessage"],
    ["audio", { audio: { seconds: 9 } }, "audioMessage"],
    [
      "document",
      { document: { fileName: "a.pdf", mimetype: "application/pdf", base64: "JVBERi0x" } },
      "documentMessage",
    ],
    ["location", { location: { latitude: -23.5, longitude: -46.6 } }, "locationMessage"],
    ["contact", { contact: { name: "Pedro", phone: "5511955554444" } }, "contactMessage"],
    ["sticker", { sticker: {} }, "stickerMessage"],
    ["reaction", { reaction: { to: "3EB0", emoji: "👍" } }, "reactionMessage"],
  ])("%s arrives as its message type", async (_kind, body, messageType) => {
    const { data } = await told(body);
    expect(data?.["messageType"]).toBe(messageType);
    expect(data?.["message"]).toHaveProperty(messageType);
    expect(JSON.stringify(data)).not.toContain("JVBERi0x");
  });

  test.each([
    ["buttons", "buttonsResponseMessage", "selectedButtonId"],
    ["template", "templateButtonReplyMessage", "selectedId"],
    ["interactive", "interactiveResponseMessage", "paramsJson"],
    ["list", "listResponseMessage", "selectedRowId"],
  ])("a pressed button comes in the shape %s", async (shape, messageType, holder) => {
    const { data } = await told({ button_reply: { id: "btn_sim", text: "SIM", shape } });
    expect(data?.["messageType"]).toBe(messageType);
    expect(JSON.stringify(data?.["message"])).toMatch(new RegExp(`${holder}.*btn_sim`));
  });

  test("a vote names the poll, the whole selection and every option", async () => {
    const sent = await now.call("message.sendPoll", {
      number: CUSTOMER,
      name: "Dia?",
      selectableCount: 1,
      values: ["Terça", "Quarta"],
    });
    const poll = sent.body["response"]?.["key"]?.["id"];
    const { data } = await told({ poll_vote: { poll, options: ["Quarta"] } });
    expect(data).toMatchObject({
      messageType: "pollUpdateMessage",
      message: {
        pollUpdateMessage: {
          pollCreationMessageKey: { id: poll, fromMe: true },
          vote: { selectedOptions: ["Quarta"] },
        },
      },
      pollUpdates: [
        { name: "Terça", voters: [] },
        { name: "Quarta", voters: [`${CUSTOMER}@s.whatsapp.net`] },
      ],
    });
    const withdrawn = await told({ poll_vote: { poll, options: [] } });
    expect(
      withdrawn["data"]?.["message"]?.["pollUpdateMessage"]?.["vote"]?.["selectedOptions"],
    ).toEqual([]);
  });

  test("edits and deletions are bare records of the touched message", async () => {
    const first = await inbound({ text: "quero remarcar" });
    const id = first.body["event_id"];
    expect((await told({ edit: { id, text: "quero cancelar" } }))["data"]).toMatchObject({
      key: { id, fromMe: false },
      type: "MESSAGE_EDIT",
      editedMessage: { conversation: "quero cancelar" },
    });
    expect((await told({ delete: { id } }))["data"]).toEqual({
      remoteJid: `${CUSTOMER}@s.whatsapp.net`,
      fromMe: false,
      id,
      status: "DELETED",
    });
  });

  test("what a human types on the business's phone is from us and not pending", async () => {
    const { data } = await told({ human: { text: "Oi, aqui é a Ana" } });
    expect(data).toMatchObject({
      key: { fromMe: true },
      status: "DELIVERY_ACK",
      message: { conversation: "Oi, aqui é a Ana" },
    });
    expect((await now.http("GET", `/sandbox/messages?number=${CUSTOMER}`)).body).toEqual([]);
  });

  test("addresses people by linked id when told to, with or without the number beside it", async () => {
    await now.http("PUT", "/sandbox/delivery", { lid: true });
    const beside = (await told({ text: "a" }))["data"]?.["key"];
    expect(beside?.["remoteJid"]).toMatch(/^\d{15}@lid$/);
    expect(beside).toMatchObject({
      remoteJidAlt: `${CUSTOMER}@s.whatsapp.net`,
      addressingMode: "lid",
    });
    await now.http("PUT", "/sandbox/delivery", { lid_alt: false });
    const alone = (await told({ text: "b" }))["data"]?.["key"];
    expect(alone?.["remoteJid"]).toBe(beside?.["remoteJid"]);
    expect(alone).not.toHaveProperty("remoteJidAlt");
    expect(JSON.stringify(alone)).not.toContain(CUSTOMER);
  });

  test("echoes our own sends as pending and tells how far they came, in order", async () => {
    const sent = await now.call("message.sendText", { number: CUSTOMER, text: "olá" });
    const id = sent.body["response"]?.["key"]?.["id"];
    await until(() => now.bot.of("engine-b").length === 3);
    const [echo, ...acks] = now.bot.of("engine-b").map((one) => one.body["data"]);
    expect(echo).toMatchObject({ key: { id, fromMe: true }, status: "PENDING" });
    expect(acks.map((ack) => [ack?.["keyId"], ack?.["status"]])).toEqual([
      [id, "SERVER_ACK"],
      [id, "DELIVERY_ACK"],
    ]);
  });

  test("reads the message too, or tells nothing, as switched", async () => {
    await now.http("PUT", "/sandbox/delivery", { acks: "read", echo: false });
    await now.call("message.sendText", { number: CUSTOMER, text: "olá" });
    await until(() => now.bot.of("engine-b").length === 3);
    expect(now.bot.of("engine-b").map((one) => one.body["data"]?.["status"])).toEqual([
      "SERVER_ACK",
      "DELIVERY_ACK",
      "READ",
    ]);
    await now.http("PUT", "/sandbox/delivery", { acks: "none" });
    await now.call("message.sendText", { number: CUSTOMER, text: "de novo" });
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    expect(now.bot.of("engine-b")).toHaveLength(3);
  });
});

describe("engine A", () => {
  test("signs the raw bytes and posts messages and progress to their own hook", async () => {
    const body = await told({ text: "oi" }, "engine-a");
    expect(body).toMatchObject({
      wook: "RECEIVE_MESSAGE",
      type: "text",
      fromMe: false,
      from: CUSTOMER,
      content: "oi",
    });
    expect(body["id"]).toMatch(new RegExp(`^false_${CUSTOMER}@c\\.us_3A`));
    const one = now.bot.of("engine-a")[0];
    expect(one?.path).toBe(`/webhooks/engine-a/${TOKEN}/message`);
    const signature = createHmac("sha256", "demo-secret")
      .update(one?.raw ?? "")
      .digest("hex");
    expect(one?.headers["x-signature"]).toBe(signature);
    await now.call("engineA.sendText", { number: CUSTOMER, text: "olá" });
    await until(() => now.bot.of("engine-a").length === 4);
    expect(
      now.bot
        .of("engine-a")
        .slice(1)
        .map((told) => [told.body["wook"], told.body["status"]]),
    ).toEqual([
      ["SEND_MESSAGE", "SENT"],
      ["MESSAGE_STATUS", "SENT"],
      ["MESSAGE_STATUS", "RECEIVED"],
    ]);
  });

  test("carries media inside", async () => {
    const body = await told(
      { document: { fileName: "a.pdf", mimetype: "application/pdf", base64: "JVBERi0x" } },
      "engine-a",
    );
    expect(body).toMatchObject({ type: "document", base64: "JVBERi0x", fileName: "a.pdf" });
  });

  test("connection and QR code have hooks of their own", async () => {
    await now.call("instance.logout");
    await now.call("instance.connect");
    await until(() => now.bot.of("engine-a").length >= 3);
    const hooks = now.bot.of("engine-a").map((one) => one.path.split("/").at(-1));
    expect(new Set(hooks)).toEqual(new Set(["connect", "qrcode"]));
  });
});

describe("engine C", () => {
  test("names its events and tells messages, sends and receipts", async () => {
    const body = await told({ text: "oi", name: "Marina" }, "engine-c");
    expect(body).toMatchObject({
      event: "Message",
      data: {
        Info: {
          Chat: `${CUSTOMER}@s.whatsapp.net`,
          IsFromMe: false,
          PushName: "Marina",
          Type: "text",
        },
        Message: { conversation: "oi" },
      },
    });
    await now.call("engineC.sendText", { number: CUSTOMER, text: "olá" });
    await until(() => now.bot.of("engine-c").length === 3);
    expect(now.bot.of("engine-c").map((one) => one.body["event"])).toEqual([
      "Message",
      "SendMessage",
      "Receipt",
    ]);
  });

  test("sends only what the filter asks for", async () => {
    const urls = [`${now.bot.url}/webhooks/engine-c/${TOKEN}`];
    await now.http("PUT", "/sandbox/subscriptions", {
      channel: "engine-c",
      urls,
      filter: ["MESSAGE"],
    });
    await now.call("engineC.sendText", { number: CUSTOMER, text: "olá" });
    await told({ text: "oi" }, "engine-c");
    expect(now.bot.of("engine-c").map((one) => one.body["event"])).toEqual(["Message"]);
  });
});

describe("SMS", () => {
  test("tells progress as an array and replies by the id of the message they answer", async () => {
    const sent = await now.call("sms.send", { number: CUSTOMER, message: "olá" });
    const id = sent.body["response"]?.["data"]?.["id"];
    await until(() => now.bot.of("sms").length === 1);
    expect(now.bot.of("sms")[0]?.body).toEqual([
      { id, status: "inserted_for_processing" },
      { id, status: "valid" },
      { id, status: "sent_to_carrier" },
    ]);
    expect(await told({ text: "SAIR" }, "sms")).toEqual([{ id, status: "reply", message: "SAIR" }]);
  });

  test("knows nothing but text", async () => {
    expect((await inbound({ channel: "sms", sticker: {} })).status).toBe(422);
  });
});

describe("the inbound control", () => {
  test.each([
    {},
    { text: "a", sticker: {} },
    { text: 5 },
    { text: "a", channel: "engine-x" },
    { from: "abc", text: "a" },
    { poll_vote: { poll: "x" } },
  ])("refuses %j with 422", async (body) => {
    expect((await inbound(body)).status).toBe(422);
  });

  test("keeps the id it is given, so that one message can come twice", async () => {
    const ids = [
      await inbound({ text: "a", id: "SAME" }),
      await inbound({ text: "a", id: "SAME" }),
    ];
    expect(ids.map((answer) => answer.body["event_id"])).toEqual(["SAME", "SAME"]);
    expect(now.bot.of("engine-b")).toHaveLength(2);
  });
});

describe("two devices", () => {
  test("the second one's events go nowhere until somebody subscribes", async () => {
    await now.call("message.sendText", { number: CUSTOMER, text: "x" }, { as: SECOND });
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    expect(now.bot.of("engine-b")).toHaveLength(0);
    const device = "sandbox-device-2";
    const urls = [`${now.bot.url}/webhooks/engine-b/other`];
    await now.http("PUT", "/sandbox/subscriptions", { channel: "engine-b", urls, device });
    await inbound({ text: "oi", device });
    expect(now.bot.told.at(-1)).toMatchObject({
      path: "/webhooks/engine-b/other",
      body: { instance: "loja-2" },
    });
  });
});
