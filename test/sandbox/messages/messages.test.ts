import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CUSTOMER, SECOND, stage, type Body, type Stage, rowsOf } from "../stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
});

async function received(number = CUSTOMER): Promise<readonly Body[]> {
  return rowsOf((await now.http("GET", `/sandbox/messages?number=${number}`)).body);
}

describe("what a contact received", () => {
  test("texts come in order, with their route and body", async () => {
    await now.call("message.sendText", { number: CUSTOMER, text: "um" });
    await now.call("message.sendText", { number: CUSTOMER, text: "dois" });
    await now.call("message.sendText", { number: "5511900000001", text: "outro" });
    const rows = await received();
    expect(rows.map((row) => [row["route"], row["text"]])).toEqual([
      ["message.sendText", "um"],
      ["message.sendText", "dois"],
    ]);
    expect(Object.keys(rows[0] ?? {})).toEqual(["id", "at", "route", "text", "body"]);
    expect(rows[0]?.["body"]).toEqual({ number: CUSTOMER, text: "um" });
  });

  test("a poll reads as its title and numbered options", async () => {
    await now.call("message.sendPoll", {
      number: CUSTOMER,
      name: "Qual serviço?",
      selectableCount: 1,
      values: ["Corte", "Barba"],
    });
    expect((await received())[0]?.["text"]).toBe("Qual serviço?\n1. Corte\n2. Barba");
  });

  test("buttons, places, contacts, reactions and files read as a person would tell them", async () => {
    await now.call("message.sendButtons", {
      number: CUSTOMER,
      title: "Confirma?",
      buttons: [
        { type: "reply", displayText: "Sim", id: "yes" },
        { type: "reply", displayText: "Não", id: "no" },
      ],
    });
    await now.call("message.sendLocation", {
      number: CUSTOMER,
      name: "Loja",
      address: "Av. Paulista, 1000",
      latitude: -23.5,
      longitude: -46.6,
    });
    await now.call("message.sendContact", {
      number: CUSTOMER,
      contact: [{ fullName: "Ana", phoneNumber: "+55 11 90000-0001" }],
    });
    await now.http("POST", "/sandbox/inbound", { from: CUSTOMER, id: "3A1", text: "oi" });
    await now.call("message.sendReaction", {
      key: { id: "3A1", remoteJid: `${CUSTOMER}@s.whatsapp.net`, fromMe: false },
      reaction: "👍",
    });
    await now.call("message.sendMedia", {
      number: CUSTOMER,
      mediatype: "document",
      mimetype: "document/pdf",
      caption: "Sua nota",
      media: "JVBERi0x",
      fileName: "nota.pdf",
    });
    expect((await received()).map((row) => row["text"])).toEqual([
      "Confirma?\n1. Sim\n2. Não",
      "[location] Loja, Av. Paulista, 1000",
      "[contact] Ana +55 11 90000-0001",
      "👍",
      "[document nota.pdf] Sua nota",
    ]);
  });

  test("media bytes are cut in lists and come back whole from the download call", async () => {
    const media = Buffer.alloc(30_000, 7).toString("base64");
    const sent = await now.call("message.sendMedia", {
      number: CUSTOMER,
      mediatype: "image",
      mimetype: "image/png",
      media,
      fileName: "a.png",
    });
    const id = sent.body["response"]?.["key"]?.["id"];
    expect(JSON.stringify((await received())[0]).length).toBeLessThan(2_000);
    const bytes = await now.call("chat.getBase64FromMediaMessage", { message: { key: { id } } });
    expect(bytes.body["response"]?.["base64"]).toBe(media);
  });

  test.each([
    ["engineA.sendText", { number: CUSTOMER, text: "oi" }],
    ["engineC.sendText", { number: CUSTOMER, text: "oi" }],
    ["sms.send", { number: CUSTOMER, message: "oi" }],
    ["official.sendText", { number: CUSTOMER, text: "oi" }],
  ] as const)("%s puts its text in front of the contact too", async (id, body) => {
    expect((await now.call(id, body)).status).toBe(200);
    expect((await received()).map((row) => [row["route"], row["text"]])).toEqual([[id, "oi"]]);
  });

  test("a message id that the caller chose is shown once", async () => {
    const body = { number: CUSTOMER, text: "oi", id: "MINE1" };
    await now.call("engineC.sendText", body);
    await now.call("engineC.sendText", body);
    expect(await received()).toHaveLength(1);
  });

  test("a send to a linked id reaches the person behind it", async () => {
    await now.http("PUT", "/sandbox/delivery", { lid: true, lid_alt: false });
    await now.http("POST", "/sandbox/inbound", { from: CUSTOMER, text: "oi" });
    const told = now.bot.of("engine-b").at(-1)?.body;
    const jid = told?.["data"]?.["key"]?.["remoteJid"] ?? "";
    expect(jid).toMatch(/^\d{15}@lid$/);
    await now.call("message.sendText", { number: jid, text: "olá" });
    expect((await received()).map((row) => row["text"])).toEqual(["olá"]);
  });
});

describe("recipients", () => {
  test("a number that is on no messenger is refused with 400 and found absent by the lookup", async () => {
    const number = "5500999990000";
    const sent = await now.call("message.sendText", { number, text: "oi" });
    expect(sent.status).toBe(400);
    expect(sent.body["error"]).toBe(true);
    const looked = await now.call("chat.messengerNumbers", { numbers: [number, CUSTOMER] });
    expect(looked.body["response"]).toMatchObject([
      { exists: false, number },
      { exists: true, number: CUSTOMER, jid: `${CUSTOMER}@s.whatsapp.net` },
    ]);
  });

  test("a person from before the ninth digit has an address without it, under which the person is reached", async () => {
    const number = "5511988887777";
    const looked = await now.call("chat.messengerNumbers", { numbers: [number] });
    expect(looked.body["response"]?.[0]).toMatchObject({
      jid: "551188887777@s.whatsapp.net",
      exists: true,
    });
    await now.call("message.sendText", { number: "551188887777", text: "oi" });
    expect(await received(number)).toHaveLength(1);
  });
});

describe("findMessages", () => {
  test("pages the stored messages of one chat, newest first, both directions, per device", async () => {
    for (const text of ["a", "b", "c"])
      await now.http("POST", "/sandbox/inbound", { from: CUSTOMER, text });
    await now.call("message.sendText", { number: CUSTOMER, text: "d" });
    const where = { key: { remoteJid: `${CUSTOMER}@s.whatsapp.net` } };
    const read = async (page: number) =>
      (await now.call("chat.findMessages", { where, page, offset: 3 })).body["response"]?.[
        "messages"
      ];
    const first = await read(1);
    expect(first).toMatchObject({ total: 4, pages: 2, currentPage: 1 });
    const texts = (page: Body | undefined) =>
      rowsOf(page?.["records"]).map((row) => row["message"]?.["conversation"]);
    expect(texts(first)).toEqual(["d", "c", "b"]);
    expect(texts(await read(2))).toEqual(["a"]);
    const other = await now.call("chat.findMessages", { where }, { as: SECOND });
    expect(other.body["response"]?.["messages"]?.["total"]).toBe(0);
  });

  test("takes the filter as a query too", async () => {
    await now.http("POST", "/sandbox/inbound", { from: CUSTOMER, text: "a" });
    await now.http("POST", "/sandbox/inbound", { from: "5511900000003", text: "b" });
    const where = encodeURIComponent(
      JSON.stringify({ key: { remoteJid: "5511900000003@s.whatsapp.net" } }),
    );
    const found = await now.call("chat.findMessages", undefined, { query: `?where=${where}` });
    expect(found.body["response"]?.["messages"]?.["total"]).toBe(1);
  });

  test("finds what was sent while the bot was not told", async () => {
    await now.http("PUT", "/sandbox/delivery", { drop: 1 });
    const lost = await now.http("POST", "/sandbox/inbound", { from: CUSTOMER, text: "perdida" });
    expect(lost.body).toMatchObject({ delivered: false, status: null });
    const found = await now.call("chat.findMessages", {});
    expect(found.body["response"]?.["messages"]?.["records"]?.[0]?.["key"]?.["id"]).toBe(
      lost.body["event_id"],
    );
  });
});
