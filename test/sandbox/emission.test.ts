/** The switches of how events are told: signatures, versions, batches, both addresses, before the answer, any bytes. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { channels, verifySignature, isTimely } from "../../src/channels/index.ts";
import { HmacSettings, type InboundEvent } from "../../src/engine/index.ts";
import type { ChannelName } from "../../src/engine/index.ts";
import { CUSTOMER, stage, until, type Stage } from "./stage.ts";

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
const switched = (delivery: object) => now.http("PUT", "/sandbox/delivery", delivery);
const texts = async (count: number) => {
  for (let index = 0; index < count; index++)
    await now.call("engineC.sendText", { number: CUSTOMER, text: `t${index}` });
};
function read(channel: ChannelName): readonly InboundEvent[] {
  return now.bot.of(channel).flatMap(({ headers, body }) => {
    const parsed = channels[channel].parse({ headers, body, receivedAt: 0 });
    return parsed.ok ? parsed.events : [];
  });
}

describe("signatures", () => {
  const ways = [
    {},
    { header: "X-Hub-Signature", algorithm: "sha512", encoding: "base64", prefix: "sha512=" },
    { prefix: "sha256=", timestamp: { header: "X-Sent-At" } },
    { encoding: "base64", timestamp: { header: "X-Sent-At", joinedBy: "." } },
  ] as const;

  test.each(ways)("%j are good by the same settings, and by no others", async (signature) => {
    const urls = [`${now.bot.url}/webhooks/engine-a/x`];
    const asked = { channel: "engine-a", urls, secret: "s3cret", signature };
    expect((await now.http("PUT", "/sandbox/subscriptions", asked)).status).toBe(200);
    await inbound({ channel: "engine-a", text: "oi" });
    const { headers, raw } = now.bot.of("engine-a")[0] ?? { headers: {}, raw: "" };
    const verify = (more: object) =>
      verifySignature(
        headers,
        Buffer.from(raw),
        HmacSettings.parse({ ...signature, secrets: ["old", "s3cret"], ...more }),
      );
    expect(verify({})).toBe(true);
    expect(verify({ secrets: ["other"] })).toBe(false);
    expect(verify({ prefix: "v1=" })).toBe(false);
    const settings = HmacSettings.parse({ ...signature, secrets: ["s3cret"] });
    expect(isTimely(headers, {}, settings, await now.now())).toBe(true);
  });
});

describe("switches", () => {
  test("v1: engine B writes as its first version, and is read the same", async () => {
    await switched({ v1: true });
    await inbound({ text: "veja https://example.org" });
    await now.call("message.sendText", { number: CUSTOMER, text: "olá" });
    await until(() => now.bot.of("engine-b").length === 4);
    const [said, echo, ack] = now.bot.of("engine-b").map((one) => one.body["data"]);
    expect(said).toMatchObject({ messageType: "extendedTextMessage", owner: "loja" });
    expect(said?.["messageTimestamp"]).toMatch(/^\d{10}$/);
    expect(said).not.toHaveProperty("status");
    expect(echo).not.toHaveProperty("instanceId");
    expect(Object.keys(ack ?? {})).toEqual([
      ...["remoteJid", "fromMe", "id", "status", "datetime", "owner"],
    ]);
    expect(read("engine-b")).toMatchObject([
      { kind: "message", content: { type: "text", text: "veja https://example.org" } },
      { kind: "own", text: "olá" },
      { kind: "ack", status: "sent" },
      { kind: "ack", status: "delivered" },
    ]);
  });

  test("contacts: a name follows each message, and nothing follows what a person here typed", async () => {
    await switched({ contacts: true });
    await inbound({ text: "oi", name: "Marina" });
    await inbound({ human: { text: "olá" } });
    expect(read("engine-b").map((event) => event.kind)).toEqual(["message", "contact", "own"]);
    expect(read("engine-b")[1]).toMatchObject({ from: { phone: CUSTOMER, name: "Marina" } });
  });

  test("batch: one receipt of engine C names several messages", async () => {
    await switched({ batch: true, echo: false });
    await texts(3);
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    await until(() => now.bot.of("engine-c").length > 0);
    expect(now.bot.of("engine-c")).toHaveLength(1);
    expect(read("engine-c")).toMatchObject(
      Array.from({ length: 3 }, () => ({ kind: "ack", status: "delivered" })),
    );
    const ids = read("engine-c").map((event) => (event.kind === "ack" ? event.messageId : ""));
    expect(new Set(ids).size).toBe(3);
  });

  test.each([
    ["message.sendText", "engine-b", { number: CUSTOMER, text: "olá" }, 4],
    ["engineA.sendText", "engine-a", { number: CUSTOMER, text: "olá" }, 4],
    ["engineC.sendText", "engine-c", { number: CUSTOMER, text: "olá" }, 3],
    ["sms.send", "sms", { number: CUSTOMER, message: "olá" }, 1],
  ] as const)(
    "early: all of %s was told before it is answered",
    async (route, channel, body, count) => {
      await switched({ early: true, acks: "read" });
      const answer = await now.call(route, body);
      expect(now.bot.of(channel)).toHaveLength(count);
      expect(answer.status).toBe(200);
      await now.http("POST", "/sandbox/clock", { advance: "2s" });
      expect(now.bot.of(channel)).toHaveLength(count);
    },
  );

  test.each(["engine-b", "engine-c"] as const)(
    "both_forms: %s tells a message under the phone and under the linked id, with one id",
    async (channel) => {
      await switched({ both_forms: true, lid_alt: false });
      await inbound({ channel, text: "oi" });
      const events = read(channel);
      expect(events.map((event) => ("from" in event ? event.from?.address : ""))).toEqual([
        `${CUSTOMER}@s.whatsapp.net`,
        expect.stringMatching(/^\d{15}@lid$/),
      ]);
      expect(new Set(events.map((event) => event.id)).size).toBe(1);
    },
  );
});

describe("short messages", () => {
  const own = () => `${now.bot.url}/own/progress`;
  const send = (more: object) =>
    now.call("sms.send", { number: CUSTOMER, message: "olá", ...more });
  const progress = () => now.bot.told.filter((one) => one.path === "/own/progress");

  test("tell their progress and their answer at the URL that each one names, and nowhere else", async () => {
    await send({ webhook_url: own(), user_reply: true });
    await until(() => progress().length === 1);
    await inbound({ channel: "sms", text: "SAIR" });
    const words = progress().map((one) => (one.body as unknown as { status: string }[])[0]?.status);
    expect(words).toEqual(["inserted_for_processing", "reply"]);
    expect(now.bot.of("sms")).toEqual([]);
  });

  test("that asked for no answer get none told", async () => {
    await send({ user_reply: false });
    const answer = await inbound({ channel: "sms", text: "oi" });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain("user_reply");
  });

  test("to landlines and unknown numbers are taken, and are told as invalid", async () => {
    for (const number of ["551133334444", "5500912345678"])
      expect((await send({ number, webhook_url: own() })).status).toBe(200);
    await until(() => progress().length === 2);
    for (const { body } of progress())
      expect(body).toMatchObject([{ status: "inserted_for_processing" }, { status: "invalid" }]);
  });

  test("are never told off this machine", async () => {
    expect((await send({ webhook_url: "http://192.0.2.1/x" })).status).toBe(200);
    await now.http("POST", "/sandbox/clock", { advance: "2s" });
    expect((await now.http("GET", "/sandbox/webhooks")).body).toEqual([]);
  });
});

describe("raw", () => {
  test("posts any JSON or any text, signed, past the filter and at the hook asked for", async () => {
    await inbound({
      channel: "engine-a",
      raw: { body: { wook: "CODE", code: "A" }, hook: "qrcode" },
    });
    await now.http("PUT", "/sandbox/subscriptions", {
      channel: "engine-b",
      urls: [`${now.bot.url}/webhooks/engine-b/x`],
      filter: ["messages.upsert"],
    });
    await inbound({ raw: { body: [1, null] } });
    await inbound({ raw: { text: '{"a":1,"a":2}' } });
    expect(now.bot.told.map((one) => one.raw)).toEqual([
      '{"wook":"CODE","code":"A"}',
      "[1,null]",
      '{"a":1,"a":2}',
    ]);
    expect(now.bot.told[0]).toMatchObject({ path: expect.stringMatching(/qrcode$/) as string });
    expect(now.bot.told[0]?.headers["x-signature"]).toMatch(/^[0-9a-f]{64}$/);
    for (const raw of [{}, { body: 1, text: "x" }, { text: 5 }])
      expect((await inbound({ raw })).status).toBe(422);
  });
});
