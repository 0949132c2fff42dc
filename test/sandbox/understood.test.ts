/** The two sides of the wire, made apart from each other, must agree: our readers and our client against the sandbox. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { channels, verifySignature } from "../../src/channels/index.ts";
import type { ChannelName, InboundEvent } from "../../src/engine/index.ts";
import { createGateway, type Gateway, sentMessageId } from "../../src/gateway/index.ts";
import { DEMO_ISSUER_ID } from "../../src/sandbox/index.ts";
import { goodNote } from "./notes.ts";
import { CUSTOMER, stage, until, type Stage } from "./stage.ts";

let now: Stage;
let gateway: Gateway;
beforeAll(async () => {
  now = await stage();
  gateway = createGateway({
    baseUrl: now.sandbox.gatewayUrl(),
    token: "sandbox-token",
    deviceToken: "sandbox-device",
  });
});
afterAll(async () => {
  await gateway.close();
  await now.close();
});
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
  now.bot.told.length = 0;
});

async function read(channel: ChannelName, body: object): Promise<readonly InboundEvent[]> {
  const posted = await now.http("POST", "/sandbox/inbound", { from: CUSTOMER, channel, ...body });
  expect(posted.status).toBe(202);
  const told = now.bot.of(channel).at(-1);
  const parsed = channels[channel].parse({
    headers: told?.headers ?? {},
    body: told?.body,
    receivedAt: await now.now(),
    ...(channel === "engine-a" ? { hook: "message" } : {}),
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.events;
}

/** Everything a channel was told so far, as our readers take it. */
function eventsOf(channel: ChannelName): readonly InboundEvent[] {
  return now.bot.of(channel).flatMap((one) => {
    const hook = one.path.split("/")[4];
    const { headers, body } = one;
    const about = hook === undefined ? {} : { hook };
    const parsed = channels[channel].parse({ headers, body, receivedAt: 0, ...about });
    return parsed.ok ? parsed.events : [];
  });
}

function firstState(channel: ChannelName): string | undefined {
  return eventsOf(channel).find((event) => event.kind === "connection")?.state;
}

const media = (kind: string) => ({ kind: "message", content: { type: "media", media: kind } });
const choice = (via: string) => ({
  kind: "message",
  content: { type: "choice", via, picks: [{ id: "btn_sim", label: "SIM" }] },
});

const other = (what: string) => ({ kind: "message", content: { type: "other", what } });

/** The same deeds on the engines that tell them otherwise than engine B. */
function everything(channel: ChannelName): [ChannelName, string, object, object][] {
  const press = (shape: string) => ({ button_reply: { id: "btn_sim", text: "SIM", shape } });
  const vote = (options: string[]) => ({ poll_vote: { poll: "3EB0", options } });
  const chosen = (picks: object[]) => ({
    kind: "message",
    content: { type: "choice", via: "poll", picks, of: "3EB0" },
  });
  const file = { fileName: "a.pdf", mimetype: "application/pdf", base64: "JVBERi0x" };
  const place = { location: { latitude: -23.5, longitude: -46.6 } };
  const rows: [string, object, object][] = [
    ["image", { image: { caption: "x" } }, media("image")],
    ["audio", { audio: { seconds: 9 } }, media("audio")],
    ["video", { video: {} }, media("video")],
    ["document", { document: file }, media("document")],
    ["sticker", { sticker: {} }, media("sticker")],
    ["location", place, { kind: "message", content: { type: "location", latitude: -23.5 } }],
    [
      "contact",
      { contact: { name: "Pedro", phone: "5511955554444" } },
      {
        kind: "message",
        content: { type: "contacts", contacts: [{ name: "Pedro", phone: "5511955554444" }] },
      },
    ],
    ["button", press("buttons"), choice("button")],
    ["template button", press("template"), choice("button")],
    ["interactive button", press("interactive"), choice("button")],
    ["list row", press("list"), choice("list")],
    ["vote", vote(["Quarta"]), chosen([{ label: "Quarta" }])],
    ["withdrawn vote", vote([]), chosen([])],
    [
      "reaction",
      { reaction: { to: "3EB0", emoji: "👍" } },
      { kind: "reaction", emoji: "👍", of: "3EB0" },
    ],
    [
      "edit",
      { edit: { id: "3A1", text: "novo" } },
      { kind: "edit", messageId: "3A1", text: "novo" },
    ],
    ["delete", { delete: { id: "3A1" } }, { kind: "delete", messageId: "3A1" }],
    ["human", { human: { text: "oi" } }, { kind: "own", api: false, text: "oi" }],
    ["order", { order: { items: 1 } }, { kind: "message", content: { type: "other" } }],
  ];
  return rows.map(([what, body, expected]) => [channel, what, body, expected]);
}

describe("our readers understand every event", () => {
  test.each<[ChannelName, string, object, object]>([
    [
      "engine-b",
      "text",
      { text: "oi" },
      { kind: "message", content: { type: "text", text: "oi" } },
    ],
    ["engine-b", "image", { image: { caption: "x" } }, media("image")],
    ["engine-b", "audio", { audio: { seconds: 9 } }, media("audio")],
    [
      "engine-b",
      "document",
      { document: { fileName: "a.pdf", mimetype: "application/pdf", base64: "JVBERi0x" } },
      media("document"),
    ],
    [
      "engine-b",
      "location",
      { location: { latitude: -23.5, longitude: -46.6 } },
      { kind: "message", content: { type: "location", latitude: -23.5 } },
    ],
    [
      "engine-b",
      "contact",
      { contact: { name: "Pedro", phone: "5511955554444" } },
      { kind: "message", content: { type: "contacts", contacts: [{ name: "Pedro" }] } },
    ],
    ["engine-b", "sticker", { sticker: {} }, media("sticker")],
    ["engine-b", "button", { button_reply: { id: "btn_sim", text: "SIM" } }, choice("button")],
    [
      "engine-b",
      "template button",
      { button_reply: { id: "btn_sim", text: "SIM", shape: "template" } },
      choice("button"),
    ],
    [
      "engine-b",
      "interactive button",
      { button_reply: { id: "btn_sim", text: "SIM", shape: "interactive" } },
      choice("button"),
    ],
    [
      "engine-b",
      "list row",
      { button_reply: { id: "btn_sim", text: "SIM", shape: "list" } },
      choice("list"),
    ],
    [
      "engine-b",
      "vote",
      { poll_vote: { poll: "3EB0", options: ["Quarta"] } },
      {
        kind: "message",
        content: { type: "choice", via: "poll", picks: [{ label: "Quarta" }], of: "3EB0" },
      },
    ],
    [
      "engine-b",
      "reaction",
      { reaction: { to: "3EB0", emoji: "👍" } },
      { kind: "reaction", emoji: "👍", of: "3EB0" },
    ],
    [
      "engine-b",
      "edit",
      { edit: { id: "3A1", text: "novo" } },
      { kind: "edit", messageId: "3A1", text: "novo" },
    ],
    ["engine-b", "delete", { delete: { id: "3A1" } }, { kind: "delete", messageId: "3A1" }],
    ["engine-b", "human", { human: { text: "oi" } }, { kind: "own", api: false, text: "oi" }],
    [
      "engine-a",
      "text",
      { text: "oi" },
      { kind: "message", content: { type: "text", text: "oi" } },
    ],
    [
      "engine-c",
      "text",
      { text: "oi" },
      { kind: "message", content: { type: "text", text: "oi" } },
    ],
    ["engine-b", "video", { video: { seconds: 4, caption: "x" } }, media("video")],
    ["engine-b", "order", { order: { items: 2 } }, other("orderMessage")],
    ...(["engine-a", "engine-c"] as const).flatMap((channel) => everything(channel)),
    ["engine-b", "call", { call: { video: true } }, { kind: "call", status: "offer" }],
    ["engine-a", "call", { call: {} }, { kind: "call", status: "offer" }],
    ["engine-c", "call", { call: {} }, { kind: "call", status: "offer" }],
    ["sms", "text", { text: "oi" }, { kind: "message", content: { type: "text", text: "oi" } }],
  ])("%s: %s", async (channel, _what, body, expected) => {
    const events = await read(channel, body);
    expect(events).toMatchObject([expected]);
    const [event] = events;
    if (event && "from" in event && channel !== "sms") expect(event.from?.phone).toBe(CUSTOMER);
  });

  test.each([
    ["a lost line", { do: "drop" }, ["close", "close", "connecting"]],
    ["a log-out", { do: "drop", reason: 401 }, ["close", "close", "close"]],
    ["a ban", { do: "drop", reason: 403 }, ["close", "close", "refused"]],
    ["a refusal", { do: "drop", reason: 406 }, ["close", "close", "close"]],
  ])("%s is told by every engine", async (_what, body, expected) => {
    await now.http("POST", "/sandbox/instance", body);
    const states = () => (["engine-b", "engine-a", "engine-c"] as const).map(firstState);
    await until(() => !states().includes(undefined));
    expect(states()).toEqual(expected);
  });

  test("a pairing that nobody finishes ends as refused on every engine, after its codes", async () => {
    await now.http("PUT", "/sandbox/pairing", { scan_ms: null, qr_limit: 2 });
    await now.call("instance.logout");
    await now.call("instance.connect");
    for (let code = 0; code < 3; code++)
      await now.http("POST", "/sandbox/clock", { advance: "1m" });
    const kinds = (channel: ChannelName) =>
      eventsOf(channel).map((event) => (event.kind === "connection" ? event.state : event.kind));
    await until(
      () => kinds("engine-c").includes("refused") && kinds("engine-b").includes("refused"),
    );
    for (const channel of ["engine-a", "engine-b", "engine-c"] as const) {
      const told = kinds(channel);
      expect(told.filter((kind) => kind === "qrcode")).toHaveLength(2);
      expect(told.indexOf("refused")).toBeGreaterThan(told.lastIndexOf("qrcode"));
    }
  });

  test("a phone set to reject calls hangs up, and that is told", async () => {
    await now.call("settings.set", { reject_call: true, msg_call: "", groups_ignore: false });
    await now.http("POST", "/sandbox/inbound", { from: CUSTOMER, call: {} });
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    const told = now.bot.of("engine-b").map((one) => one.body["data"]?.["status"]);
    expect(told).toEqual(["offer", "reject"]);
  });

  test("the echo and the progress of a send are read as ours", async () => {
    await now.call("message.sendText", { number: CUSTOMER, text: "olá" });
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    await until(() => now.bot.of("engine-b").length === 3);
    const events = now.bot.of("engine-b").flatMap((one) => {
      const parsed = channels["engine-b"].parse({ headers: {}, body: one.body, receivedAt: 0 });
      return parsed.ok ? parsed.events : [];
    });
    expect(events).toMatchObject([
      { kind: "own", api: true, text: "olá" },
      { kind: "ack", status: "sent" },
      { kind: "ack", status: "delivered" },
    ]);
  });

  test("a signature of engine A is good under the demo's secret only", async () => {
    await read("engine-a", { text: "oi" });
    const told = now.bot.of("engine-a").at(-1);
    const verify = (secret: string) =>
      verifySignature(told?.headers ?? {}, Buffer.from(told?.raw ?? ""), {
        header: "x-signature",
        algorithm: "sha256",
        encoding: "hex",
        prefix: "",
        secrets: [secret],
      });
    expect(verify("demo-secret")).toBe(true);
    expect(verify("other")).toBe(false);
  });
});

describe("our client understands every answer", () => {
  test("a send, a lookup, a queue answer and its job", async () => {
    const sent = await gateway.message.sendText({ number: CUSTOMER, text: "olá" });
    expect(sent).toMatchObject({ kind: "ok", data: { key: { fromMe: true } } });
    const numbers = await gateway.chat.messengerNumbers({ numbers: [CUSTOMER] });
    expect(numbers).toMatchObject({ kind: "ok", data: [{ exists: true }] });
    const queued = await gateway.message.sendTextQueue({ number: CUSTOMER, text: "olá" });
    if (queued.kind !== "ok") throw new Error(queued.kind);
    const jobs = await gateway.jobs.find({ id: [queued.data.id] });
    expect(jobs).toMatchObject({ kind: "ok", data: [{ status: "queued", processed_at: "" }] });
    expect(await gateway.jobs.list()).toMatchObject({ kind: "ok", data: { total: 1 } });
  });

  test("a note, its refusal, its lookup, and the money around them", async () => {
    const submit = async (cents: number) =>
      gateway.invoicing.nfseEnvio({
        emitente_id: DEMO_ISSUER_ID,
        dados: goodNote(await now.now(), cents),
      } as unknown as Parameters<typeof gateway.invoicing.nfseEnvio>[0]);
    const issued = await submit(15_050);
    if (issued.kind !== "ok") throw new Error(issued.kind);
    expect(issued.data).toMatchObject({ status: "autorizada" });
    const chave = issued.data.chave ?? "";
    expect(
      await gateway.invoicing.nfseConsulta({ emitente_id: DEMO_ISSUER_ID, chave }),
    ).toMatchObject({ kind: "ok", data: { chave } });
    expect(await submit(666_014)).toMatchObject({ kind: "business_error" });
  });
});

describe("a reply to a message of the business", () => {
  const said = { kind: "message", content: { type: "text", text: "aprovar" } };

  test.each(["engine-a", "engine-b", "engine-c"] as const)("tells which on %s", async (channel) => {
    const sent = await gateway.call("message.sendText", { number: CUSTOMER, text: "Pedido" });
    const id = sent.kind === "ok" ? (sentMessageId(sent.data) ?? "") : "";
    const [event] = await read(channel, { text: "aprovar", quoted: id });

    expect(event).toMatchObject({ ...said, quoted: id });
  });

  test("tells it in the first version's form, too", async () => {
    await now.http("PUT", "/sandbox/delivery", { v1: true });
    const [event] = await read("engine-b", { text: "aprovar", quoted: "3EB0A1" });

    expect(event).toMatchObject({ ...said, quoted: "3EB0A1" });
  });

  test("is none by short message, nor beside anything but words", async () => {
    const quoted = { from: CUSTOMER, quoted: "3EB0A1" };
    const bySms = { ...quoted, channel: "sms", text: "aprovar" };
    expect((await now.http("POST", "/sandbox/inbound", bySms)).status).toBe(422);
    const sticker = { ...quoted, sticker: {} };
    expect((await now.http("POST", "/sandbox/inbound", sticker)).status).toBe(422);
  });
});
