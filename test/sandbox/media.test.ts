import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CUSTOMER, SECOND, rowsOf, stage, textOf, type Stage } from "./stage.ts";

/** Bytes of one media at most. */
const LIMIT = 16 * 1_024 * 1_024;

let now: Stage;
let files: Server;
let at: string;
let asked: string[];

beforeAll(async () => {
  now = await stage();
  files = createServer((request, response) => {
    asked.push(request.url ?? "");
    const name = request.url ?? "";
    if (name === "/moved.png") return void response.writeHead(302, { location: "/a.png" }).end();
    if (name === "/gone.png") return void response.writeHead(404).end();
    if (name === "/cut.png") {
      response.writeHead(200, { "content-length": "1000" });
      response.write("abc");
      return void setTimeout(() => response.destroy(), 5);
    }
    response.writeHead(200, { "content-type": "image/png" });
    return void response.end(Buffer.alloc(name === "/huge.png" ? LIMIT + 1 : 3_000, 7));
  });
  await new Promise<void>((ready) => files.listen(0, "127.0.0.1", ready));
  at = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await now.close();
  files.closeAllConnections();
  files.close();
});
beforeEach(async () => {
  asked = [];
  await now.http("POST", "/sandbox/reset", {});
});

const BYTES = Buffer.alloc(3_000, 7).toString("base64");
const send = (body: object) =>
  now.call("message.sendMedia", { number: CUSTOMER, mediatype: "document", ...body });

async function download(id: unknown, as = {}) {
  return now.call("chat.getBase64FromMediaMessage", { message: { key: { id } } }, as);
}

describe("a media by URL", () => {
  test("is fetched once from this machine, and comes back whole", async () => {
    const sent = await send({ media: `${at}/a.png`, caption: "Notas", fileName: "notas.png" });
    const record = sent.body["response"];
    expect(record?.["message"]?.["documentMessage"]).toMatchObject({
      mimetype: "image/png",
      caption: "Notas",
      fileName: "notas.png",
      fileLength: "3000",
    });
    expect(asked).toEqual(["/a.png"]);
    const back = (await download(record?.["key"]?.["id"])).body["response"];
    expect(back).toMatchObject({
      mediaType: "documentMessage",
      fileName: "notas.png",
      caption: "Notas",
      mimetype: "image/png",
      size: { fileLength: "3000" },
      base64: BYTES,
    });
  });

  test.each([
    ["https://files.example.org/a.png", /neste computador/],
    ["http://127.0.0.1.example.org/a.png", /neste computador/],
    ["http://user@198.51.100.7/a.png", /neste computador/],
    ["/moved.png", /302/],
    ["/gone.png", /404/],
    ["/huge.png", /16 MiB/],
    ["/cut.png", /não respondeu/],
    ["http://127.0.0.1:1/a.png", /não respondeu/],
  ])("%s is refused with the engine's 400 and why", async (address, reason) => {
    const media = address.startsWith("/") ? `${at}${address}` : address;
    const answer = await send({ media, fileName: "a.png" });
    expect([answer.status, answer.body["error"]]).toEqual([400, true]);
    expect(textOf(answer.body["message"])).toMatch(reason);
    expect(answer.body["response"]).toMatchObject({ status: 400, error: "Bad Request" });
    expect((await now.http("GET", "/sandbox/messages")).body).toEqual([]);
    expect(asked.length).toBeLessThan(2);
  });

  test.each([
    ["message.sendMessengerAudio", { number: CUSTOMER }, "audio", "audioMessage"],
    ["message.sendSticker", { number: CUSTOMER }, "sticker", "stickerMessage"],
    ["message.sendStatus", { type: "image", allContacts: true }, "content", "imageMessage"],
    ["engineC.sendMedia", { number: CUSTOMER, type: "video" }, "url", "videoMessage"],
  ] as const)("%s takes one too", async (id, body, field, type) => {
    const far = { ...body, [field]: "https://files.example.org/a.png" };
    expect((await now.call(id, far)).status).toBe(400);
    const answer = await now.call(id, { ...body, [field]: `${at}/a.png` });
    const record = answer.body["response"];
    const key = record?.["key"]?.["id"] ?? record?.["data"]?.["Info"]?.["ID"];
    expect((await download(key)).body["response"]).toMatchObject({
      mediaType: type,
      base64: BYTES,
    });
  });

  test("the sandbox serves a sample of each sort", async () => {
    for (const name of ["a.png", "b.ogg", "c.webp", "d.xlsx", "e.pdf"]) {
      const media = `${now.sandbox.url()}/sandbox/files/${name}`;
      expect((await send({ media, fileName: name })).status, name).toBe(200);
    }
    expect((await now.http("GET", "/sandbox/files/f.exe")).status).toBe(404);
  });
});

describe("a media in Base64", () => {
  test.each([
    ["a data: prefix", `data:image/png;base64,${BYTES}`, /data:/],
    ["a foreign sign inside", `${BYTES.slice(0, 100)}!${BYTES.slice(100)}`, /Base64/],
    ["a length that no bytes have", "QUJDR", /Base64/],
    ["words", "isto não é um arquivo", /Base64/],
  ])("with %s is refused with the engine's 400", async (_what, media, reason) => {
    for (const [id, body] of [
      ["message.sendMedia", { number: CUSTOMER, mediatype: "image", media }],
      ["message.sendMessengerAudio", { number: CUSTOMER, audio: media }],
      ["message.sendSticker", { number: CUSTOMER, sticker: media }],
    ] as const) {
      const answer = await now.call(id, body);
      expect([id, answer.status]).toEqual([id, 400]);
      expect(textOf(answer.body["message"])).toMatch(reason);
    }
  });

  test("of too many bytes is refused with the engine's 400", async () => {
    const answer = await send({ media: "QUJD".repeat(LIMIT / 3 + 1) });
    expect(answer.status).toBe(400);
    expect(textOf(answer.body["message"])).toMatch(/16 MiB/);
  });

  test("is of a sort that the engine knows", async () => {
    expect((await send({ mediatype: "hologram", media: BYTES })).status).toBe(422);
    expect((await send({ mediatype: "video", media: BYTES, mimetype: "video/mp4" })).status).toBe(
      200,
    );
  });

  test("engine A takes the prefix, and its bytes come back without", async () => {
    const path = `data:application/pdf;base64,${BYTES}`;
    const sent = await now.call("engineA.sendFile64", { number: CUSTOMER, path });
    const id = textOf(sent.body["response"]?.["data"]?.["id"]).split("_").at(-1);
    expect((await download(id)).body["response"]).toMatchObject({
      mimetype: "application/pdf",
      base64: BYTES,
    });
  });
});

describe("the download call", () => {
  test("gives what a contact sent, to the device it was sent to", async () => {
    const document = {
      fileName: "guia.pdf",
      mimetype: "application/pdf",
      base64: BYTES,
      caption: "segue",
    };
    const told = await now.http("POST", "/sandbox/inbound", { from: CUSTOMER, document });
    const id = told.body["event_id"];
    expect((await download(id)).body["response"]).toMatchObject({
      mediaType: "documentMessage",
      fileName: "guia.pdf",
      caption: "segue",
      base64: BYTES,
    });
    expect((await download(id, { as: SECOND })).status).toBe(400);
  });

  test("refuses what is unknown and what is no media", async () => {
    const told = await now.http("POST", "/sandbox/inbound", { from: CUSTOMER, text: "oi" });
    expect((await download("nothing")).body["message"]).toBe("Message not found");
    expect((await download(told.body["event_id"])).body["message"]).toMatch(
      /not of the media type/,
    );
  });
});

describe("the stories feed", () => {
  const post = (body: object) => now.call("message.sendStatus", body);
  const text = { type: "text", content: "Aberto hoje", backgroundColor: "#005533", font: 1 };

  test("shows a post to those it is for, for a day", async () => {
    const viewers = ["5511900000003@s.whatsapp.net"];
    const sent = await post({ ...text, statusJidList: viewers });
    expect(sent.body["response"]?.["key"]).toMatchObject({ remoteJid: "status@broadcast" });
    const feed = async (viewer: string) =>
      rowsOf((await now.http("GET", `/sandbox/status?viewer=${viewer}`)).body);
    expect(await feed("5511900000003")).toMatchObject([
      { text: "Aberto hoje", device: "sandbox-device", viewers: ["5511900000003"] },
    ]);
    expect(await feed(CUSTOMER)).toEqual([]);
    const all = await now.http("GET", "/sandbox/messages?number=status@broadcast");
    expect(rowsOf(all.body)).toHaveLength(1);
    expect((await now.http("GET", "/sandbox/messages?number=5511900000003")).body).toEqual([]);
    await now.http("POST", "/sandbox/clock", { advance: "25h" });
    expect(await feed("5511900000003")).toEqual([]);
  });

  test("goes to all contacts when asked, and to nobody without a list", async () => {
    await now.http("POST", "/sandbox/inbound", { from: CUSTOMER, text: "oi" });
    await post({ ...text, allContacts: true });
    const [row] = rowsOf((await now.http("GET", "/sandbox/status")).body);
    expect(row?.["viewers"]).toEqual([CUSTOMER]);
    expect((await post(text)).status).toBe(422);
  });
});
