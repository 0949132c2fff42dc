import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inbound, openHouse, post, SECRET, TOKEN, type House } from "../house.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse({ deps: () => ({ limits: { headMs: 300, requestMs: 600 } }) });
});
afterAll(() => house.close());

/** Says the lines over a connection of its own; what comes back until it ends. */
function say(lines: string | Buffer, thenEnd = false): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(Number(new URL(house.url).port), "127.0.0.1", () => {
      socket.write(lines);
      if (thenEnd) setTimeout(() => socket.destroy(), 50);
    });
    socket.on("data", (data) => (heard += data.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(heard));
  });
}

/** Posts the bytes with exactly these header lines. */
const raw = (path: string, body: string | Buffer, headers: readonly string[] = []) => {
  const bytes = Buffer.from(body);
  const length = `Content-Length: ${bytes.length}`;
  const head = [`POST ${path} HTTP/1.1`, "Host: x", "Connection: close", length, ...headers];
  return say(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), bytes]));
};

const BODIES: Readonly<Record<string, (id: string) => string>> = {
  "engine-a": (id) =>
    JSON.stringify({
      ...{ wook: "RECEIVE_MESSAGE", id, from: "5511987650001@c.us", type: "text" },
      content: "é isso",
    }),
  "engine-b": (id) => JSON.stringify(inbound("é isso", id)),
  "engine-c": (id) =>
    JSON.stringify({
      event: "Message",
      data: {
        Info: {
          ID: id,
          Chat: "5511987650001@s.whatsapp.net",
          Sender: "5511987650001@s.whatsapp.net",
        },
        Message: { conversation: "é isso" },
      },
    }),
  sms: (id) => JSON.stringify([{ id, status: "reply", reply: "é isso", from: "5511987650001" }]),
};
const signed = (bytes: string | Buffer) =>
  `x-signature: ${createHmac("sha256", SECRET).update(bytes).digest("hex")}`;

const refusedCount = async (channel: string, reason: string, of = house): Promise<number> => {
  const { values } = await of.metrics.refused.get();
  const one = values.find(({ labels }) => labels.channel === channel && labels.reason === reason);
  return one?.value ?? 0;
};

describe.each(Object.keys(BODIES))("a good body on %s is taken", (channel) => {
  const path = `/webhooks/${channel}/${TOKEN}`;
  const make = BODIES[channel] ?? String;
  const TYPES: readonly (readonly string[])[] = [
    ["Content-Type: application/json,application/json"],
    ["Content-Type: application/json", "Content-Type: application/json"],
    ["Content-Type: json"],
    ["Content-Type: "],
    [],
    ["Content-Type: text/plain;charset=UTF-8"],
    ["Content-Type: application/x-www-form-urlencoded"],
    ["Content-Type: multipart/form-data"],
    ["Content-Type: application/json; charset=utf8; charset"],
    ["Content-Type: application/json; charset=iso-8859-1"],
    ["Content-Type: ;;;"],
    ["Content-Type: \xa0/json"],
    ["Content-Encoding: "],
    ["Content-Encoding: identity"],
    ["Content-Encoding: utf-8"],
    ["Content-Encoding: gzip"],
  ];
  test.each(TYPES.map((lines, at) => [lines, at] as const))("with %j", async (lines, at) => {
    const body = make(`TYPE-${channel}-${at}`);
    expect(await raw(path, body, [...lines, signed(body)])).toMatch(/^HTTP\/1\.1 200 /);
    expect((await house.mail()).at(-1)).toMatchObject({
      event: { content: { type: "text", text: "é isso" } },
    });
  });

  test("behind a byte order mark", async () => {
    const body = Buffer.from(`\ufeff${make(`MARK-${channel}`)}`);
    expect(await raw(path, body, [signed(body)])).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    ["iso-8859-1", (text: string) => Buffer.from(text, "latin1")],
    ["windows-1252", (text: string) => Buffer.from(text, "latin1")],
    ["utf-16le", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")],
  ])("in %s, where it says so", async (charset, encode) => {
    const body = encode(make(`CHARSET-${channel}-${charset}`));
    const type = `Content-Type: application/json; charset="${charset}"`;
    expect(await raw(path, body, [type, signed(body)])).toMatch(/^HTTP\/1\.1 200 /);
    expect((await house.mail()).at(-1)).toMatchObject({ event: { content: { text: "é isso" } } });
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
  ])("compressed by %s, signed before or after", async (encoding, compress) => {
    for (const when of ["before", "after"]) {
      const body = make(`${encoding}-${channel}-${when}`);
      const bytes = compress(body);
      const lines = [`Content-Encoding: ${encoding}`, signed(when === "before" ? body : bytes)];
      expect(await raw(path, bytes, lines)).toMatch(/^HTTP\/1\.1 200 /);
    }
  });
});

describe("what is refused is counted and logged with its reason", () => {
  const body = JSON.stringify(inbound("segredo", "REFUSED"));
  const huge = Buffer.alloc(50 * 1024 * 1024);
  const b = `/webhooks/engine-b/${TOKEN}`;
  const gzip = ["Content-Encoding: gzip"];
  test.each<[string, string, number, () => Promise<string>]>([
    ["engine-b", "empty", 400, () => raw(b, "")],
    ["engine-b", "not-json", 400, () => raw(b, "{")],
    ["engine-b", "not-utf8", 400, () => raw(b, Buffer.from([0x22, 0xff, 0x22]))],
    ["engine-b", "too-deep", 400, () => raw(b, "[".repeat(1_000))],
    ["engine-b", "too-many-values", 400, () => raw(b, `[${"1,".repeat(500_000)}1]`)],
    ["engine-b", "prototype-key", 400, () => raw(b, '{"__proto__":1}')],
    ["engine-b", "shape", 400, () => raw(b, "7")],
    ["invoicing", "shape", 400, () => raw(`/webhooks/invoicing/${TOKEN}`, "7")],
    ["invoicing", "not-json", 400, () => raw(`/webhooks/invoicing/${TOKEN}`, "<a/>")],
    ["sms", "too-large", 413, () => raw(`/webhooks/sms/${TOKEN}`, Buffer.alloc(1024 * 1024 + 1))],
    ["engine-b", "too-large", 413, () => raw(b, gzipSync(huge), gzip)],
    [
      "sms",
      "compressed",
      415,
      () => raw(`/webhooks/sms/${TOKEN}`, gzipSync(body).subarray(0, 40), gzip),
    ],
    [
      "engine-b",
      "compressed",
      415,
      () => raw(b, brotliCompressSync(body), ["Content-Encoding: br"]),
    ],
    ["engine-a", "signature", 401, () => raw(`/webhooks/engine-a/${TOKEN}`, body)],
    ["engine-c", "unknown-token", 404, () => raw("/webhooks/engine-c/guess-of-somebody", body)],
    ["invoicing", "unknown-token", 404, () => raw("/webhooks/invoicing/guess-of-somebody", body)],
    ["engine-b", "unknown-path", 404, () => raw(`${b}/messages-upsert`, body)],
    [
      "unknown",
      "unknown-path",
      404,
      () => raw(`/webhooks/engine-z/${TOKEN}`, body, ["Content-Type: json"]),
    ],
    ["engine-b", "bad-url", 404, () => raw(`/webhooks/engine-b/%ff${TOKEN}`, body)],
    ["engine-b", "bad-url", 404, () => raw(`/webhooks/engine-b/${"x".repeat(600)}`, body)],
    [
      "sms",
      "method",
      404,
      () => say(`GET /webhooks/sms/${TOKEN} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    ],
    ["unknown", "http", 400, () => say(`PSOT ${b} HTTP/1.1\r\n\r\n`)],
    ["unknown", "headers-too-large", 431, () => raw(b, body, [`X-Long: ${"x".repeat(20_000)}`])],
    ["unknown", "timeout", 408, () => say(`POST ${b} HTTP/1.1\r\nHost: x\r\n`)],
  ])("%s: %s, %i", async (channel, reason, status, ask) => {
    const before = await refusedCount(channel, reason);
    house.log.length = 0;
    expect(await ask()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(await refusedCount(channel, reason)).toBe(before + 1);
    const lines = house.log.filter(({ message }) => message === "webhook: refused");
    // A stranger's second of a kind within ten seconds is only counted.
    if (before === 0)
      expect(lines).toMatchObject([{ level: "warn", data: { channel, reason, status } }]);
    const told = JSON.stringify(house.log);
    for (const secret of [TOKEN, "of-somebody", "segredo", "5511987650001"])
      expect(told).not.toContain(secret);
  });

  test("an endless body, and one that breaks off", async () => {
    const chunked = `POST /webhooks/sms/${TOKEN} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const before = await refusedCount("sms", "too-large");
    await say(`${chunked}200000\r\n${"x".repeat(0x200000)}\r\n`);
    expect(await refusedCount("sms", "too-large")).toBe(before + 1);
    await say(`${chunked}5\r\n[{"id`, true);
    await expect.poll(() => refusedCount("sms", "incomplete")).toBe(1);
    expect(house.log.at(-1)).toMatchObject({ data: { account: "demo", reason: "incomplete" } });
  });

  test("our own refusals: stopping, no room, a store that is away", async () => {
    let stopping = false;
    const small = await openHouse({
      deps: () => ({ limits: { gate: { bodies: 0, bytes: 0 } }, isStopping: () => stopping }),
    });
    const url = `${small.url}/webhooks/engine-b/${TOKEN}`;
    expect((await post(url, inbound("oi"))).status).toBe(503);
    stopping = true;
    expect((await post(url, inbound("oi"))).status).toBe(503);
    expect(await refusedCount("engine-b", "overloaded", small)).toBe(1);
    expect(await refusedCount("engine-b", "stopping", small)).toBe(1);
    await small.close();
    const away = await openHouse({
      deps: () => ({ ingest: () => Promise.reject(new Error("x")) }),
    });
    expect((await post(`${away.url}/webhooks/engine-b/${TOKEN}`, inbound("oi"))).status).toBe(503);
    expect(await refusedCount("engine-b", "failed", away)).toBe(1);
    await away.close();
  });

  test("strangers' refusals of one kind are all counted, and logged once in ten seconds", async () => {
    const before = await refusedCount("sms", "unknown-token");
    house.log.length = 0;
    for (let guess = 0; guess < 50; guess++) await raw(`/webhooks/sms/guess-${guess}`, body);
    expect(await refusedCount("sms", "unknown-token")).toBe(before + 50);
    expect(house.log.filter(({ message }) => message === "webhook: refused").length).toBe(1);
  });

  test("the process is well after all of it", async () => {
    await pause(20);
    expect((await fetch(`${house.url}/health/ready`)).status).toBe(200);
    expect(house.log.filter(({ level }) => level === "error")).toEqual([]);
  });
});
