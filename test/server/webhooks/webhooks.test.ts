import { createHmac } from "node:crypto";
import { request } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Fault } from "../../../src/base/index.ts";
import { HmacSettings } from "../../../src/engine/index.ts";
import type { Store } from "../../../src/store/index.ts";
import { demo, inbound, openHouse, post, SECRET, TOKEN, type House } from "../house.ts";
import { invoicingOf } from "../../../src/plugins/invoicing/account.ts";
import { type Steps, withSteps } from "../../../src/store/port/with-steps.ts";

let house: House;
const at = (path: string) => `${house.url}/webhooks/${path}`;
const sign = (body: string, secret = SECRET) =>
  createHmac("sha256", secret).update(body).digest("hex");
const status = async (path: string, body: unknown, headers?: Record<string, string>) =>
  (await post(at(path), body, headers)).status;

beforeAll(async () => {
  // Sixteen megabytes stop the loop of a busy machine for longer than a server allows itself.
  house = await openHouse({ deps: () => ({ limits: { eventLoopDelayMs: 30_000 } }) });
});
afterAll(() => house.close());

describe("a webhook is answered 200 only when its events are in a mailbox", () => {
  test("a message lands once, whatever the hurry: 20 deliveries at once, one mail", async () => {
    const body = inbound("oi", "SAME-ID");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => status(`engine-b/${TOKEN}`, body)),
    );

    expect(answers).toEqual(Array(20).fill(200));
    const { counters } = await house.store.views.backlog();
    expect(counters).toMatchObject({ accepted: 1, duplicate: 19, queued: 1 });
    expect(await house.mail()).toMatchObject([
      { kind: "inbound", channel: "engine-b", event: { content: { type: "text", text: "oi" } } },
    ]);
  });

  test("the same message under the linked id and under the phone is one, once both names are known", async () => {
    const both = inbound("primeira", "LID-1");
    const known = {
      ...both,
      data: { ...both.data, key: { ...both.data.key, remoteJidAlt: "98765432101234@lid" } },
    };
    await post(at(`engine-b/${TOKEN}`), known);
    const before = (await house.store.views.backlog()).counters;
    const phone = inbound("segunda", "LID-2");
    const lid = inbound("segunda", "LID-2");
    lid.data.key.remoteJid = "98765432101234@lid";

    await post(at(`engine-b/${TOKEN}`), phone);
    await post(at(`engine-b/${TOKEN}`), lid);

    const after = (await house.store.views.backlog()).counters;
    expect(after.accepted - before.accepted).toBe(1);
    expect(after.duplicate - before.duplicate).toBe(1);
  });

  test("both forms of a Brazilian mobile are one contact", async () => {
    const one = await house.store.contacts.identify("demo", ["phone:5511987650001"]);
    await post(at(`engine-b/${TOKEN}`), inbound("sem nono", "NINTH", "551187650001"));
    expect(await house.store.contacts.lookup("demo", "phone:551187650001")).toBe(one);
  });

  test("news that are no mail go to the signals, and are counted", async () => {
    const ack = {
      keyId: "3EB0",
      remoteJid: "5511987650001@s.whatsapp.net",
      fromMe: true,
      status: "READ",
    };
    expect(await status(`engine-b/${TOKEN}`, { data: ack })).toBe(200);
    expect(house.signals.at(-1)).toMatchObject({
      account: "demo",
      channel: "engine-b",
      event: { kind: "ack", status: "read" },
    });
    expect(await status(`sms/${TOKEN}`, [{ id: "1", status: "sent_to_carrier" }])).toBe(200);
    expect(await status(`engine-c/${TOKEN}`, { event: "Presence", data: {} })).toBe(200);
    const page = await house.metrics.registry.metrics();
    expect(page).toContain('prosa_events_ignored_total{channel="engine-c",reason="presence"} 1');
  });

  test("a form nobody knows is counted by its name, as far as a name is one", async () => {
    const said = (form: string, id: string) => {
      const one = inbound("oi", id);
      return { data: { ...one.data, message: { [form]: { x: 1 } }, messageType: form } };
    };
    await post(at(`engine-b/${TOKEN}`), said("messageOfNextYear", "FORM-1"));
    await post(at(`engine-b/${TOKEN}`), said("messageOfNextYear", "FORM-1"));
    await post(at(`engine-b/${TOKEN}`), said("5511987650001\n", "FORM-2"));
    for (let number = 0; number < 200; number++)
      house.metrics.form("engine-c", `form${number % 150}`);
    const lines = (await house.metrics.registry.metrics()).split("\n");
    const forms = lines.filter((line) => line.startsWith("prosa_unknown_forms_total"));
    expect(forms).toContain(
      'prosa_unknown_forms_total{channel="engine-b",form="messageOfNextYear"} 1',
    );
    expect(forms).toContain('prosa_unknown_forms_total{channel="engine-b",form="other"} 1');
    expect(forms.length).toBeLessThanOrEqual(104);
  });

  test.each([
    ["twice", "application/json,application/json"],
    ["by half", "json"],
    ["empty", ""],
    ["as text", "text/plain;charset=utf-8"],
    ["as a form", "application/x-www-form-urlencoded"],
    ["not at all like one", "%%%;;"],
  ])("a good body is taken whose type is told %s", async (_how, type) => {
    const body = JSON.stringify(inbound("oi", `TYPE-${type}`));
    for (const path of [`engine-b/${TOKEN}`, `engine-a/${TOKEN}/message`, `invoicing/${TOKEN}`]) {
      const signed = path.startsWith("engine-a") ? { "x-signature": sign(body) } : {};
      const answer = await new Promise<number | undefined>((resolve, reject) => {
        const headers = { "content-type": type, ...signed };
        const sent = request(at(path), { method: "POST", headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on("error", reject).end(body);
      });
      expect(answer, path).toBe(200);
    }
  });

  test("a body that begins with a byte order mark is read", async () => {
    const body = `\uFEFF${JSON.stringify(inbound("oi", "MARKED"))}`;
    expect(await status(`engine-b/${TOKEN}`, body)).toBe(200);
  });

  test("whatever is refused is counted with its reason, also where the framework refuses", async () => {
    await status(`engine-b/${TOKEN}`, "{");
    await status(`engine-b/${TOKEN}`, "[".repeat(100));
    await status(`engine-b/${TOKEN}`, "7");
    await status("engine-b/nobody0000000000000000000000000", "{}");
    await status(`sms/${TOKEN}`, `[${" ".repeat(1_100_000)}]`);
    await status(`engine-a/${TOKEN}/message`, "{}", { "x-signature": "00" });

    const page = await house.metrics.registry.metrics();
    for (const line of [
      'channel="engine-b",reason="not-json"',
      'channel="engine-b",reason="too-deep"',
      'channel="engine-b",reason="shape"',
      'channel="engine-b",reason="unknown-token"',
      'channel="sms",reason="too-large"',
      'channel="engine-a",reason="signature"',
    ])
      expect(page).toContain(`prosa_webhooks_refused_total{${line}}`);
  });

  test("the issuer's webhook is handed over as a claim", async () => {
    expect(await status(`invoicing/${TOKEN}`, { chave: "1" })).toBe(200);
    expect(house.claims.at(-1)).toEqual({ chave: "1" });
    expect(await status(`invoicing/${TOKEN}`, "7")).toBe(400);
  });
});

describe("who is let in", () => {
  test.each([
    ["a wrong token", "engine-b/demo0000000000000000000000000001"],
    ["a short token", "engine-b/x"],
    ["an unknown channel", `engine-z/${TOKEN}`],
    ["a hook of a channel that has none", `engine-b/${TOKEN}/message`],
    ["an unknown hook", `engine-a/${TOKEN}/other`],
    ["an escaped name", "engine-b/%2e%2e%2fapi"],
    ["a name that is no text", "engine-b/%ff"],
    ["a name longer than any token", `engine-b/${"x".repeat(5_000)}`],
  ])("%s is 404 with the one and same body", async (_what, path) => {
    const answer = await post(at(path), inbound("oi"));
    expect(answer.status).toBe(404);
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    expect(error).toMatchObject({ code: "NOT_FOUND", message: "There is nothing here." });
  });

  test("a switched-off channel is 404, too", async () => {
    const token = "closed00000000000000000000000000";
    const { invoicingToken: _, ...rest } = invoicingOf(demo);
    await house.deps.accounts.put({
      ...rest,
      id: "closed",
      channels: [{ channel: "engine-b", enabled: false, filter: [], token }],
    });
    expect(await status(`engine-b/${token}`, inbound("oi"))).toBe(404);
  });

  test("a well signed body posted again later is refused where the account asks for its age", async () => {
    const token = "timed000000000000000000000000000";
    const { invoicingToken: _, ...rest } = invoicingOf(demo);
    const timestamp = { header: "x-sent-at", toleranceSeconds: 300, joinedBy: "." };
    const hmac = { ...HmacSettings.parse({ secrets: [SECRET] }), timestamp };
    await house.deps.accounts.put({
      ...rest,
      id: "timed",
      channels: [{ channel: "engine-a", enabled: true, filter: [], token, hmac }],
    });
    const body = '{"wook":"RECEIVE_MESSAGE","id":"false_5511987650009@c.us_T1","content":"oi"}';
    const sent = async (seconds: number, signed = seconds) =>
      status(`engine-a/${token}`, body, {
        "x-signature": sign(`${signed}.${body}`),
        "x-sent-at": String(seconds),
      });
    const now = Math.floor(house.deps.clock.now() / 1_000);
    expect(await sent(now - 301)).toBe(401);
    expect(await sent(now, now - 301)).toBe(401);
    expect(await sent(now)).toBe(200);
    expect(await status(`engine-a/${token}`, body, { "x-signature": sign(body) })).toBe(401);
  });

  test("engine A is let in by its signature over the raw bytes, on each of its URLs", async () => {
    const body = '{"wook":"RECEIVE_MESSAGE",  "id":"false_5511987650009@c.us_A9","content":"oi"}';
    for (const path of [`engine-a/${TOKEN}`, `engine-a/${TOKEN}/message`])
      expect(await status(path, body, { "x-signature": sign(body) })).toBe(200);
    expect(await status(`engine-a/${TOKEN}`, body)).toBe(401);
    expect(await status(`engine-a/${TOKEN}`, body, { "x-signature": sign(body, "other") })).toBe(
      401,
    );
    const altered = body.replace(",  ", ", ");
    expect(await status(`engine-a/${TOKEN}`, altered, { "x-signature": sign(body) })).toBe(401);
  });
});

describe("what is let in", () => {
  const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  test.each<[string, string | Uint8Array, number]>([
    ["nothing", "", 400],
    ["no JSON", "{", 400],
    ["a text", '"oi"', 400],
    ["HTML", "<html></html>", 400],
    ["invalid UTF-8", new Uint8Array([0x22, 0xff, 0x22]), 400],
    ["a string without an end", '{"a":"b', 400],
    ["100,000 brackets", deep(100_000), 400],
    ["half a million values", `[${"1,".repeat(500_000)}1]`, 400],
    ["a prototype key", '{"__proto__":{"isAdmin":true}}', 400],
    ["an escaped prototype key", '{"data":{"\\u005f_proto__":{"x":1}}}', 400],
    ["a constructor key", '{"constructor":{"prototype":{"x":1}}}', 200],
    ["an empty object", "{}", 200],
    ["an unknown event", '{"data":{"something":"new"}}', 200],
  ])("%s", async (_what, body, expected) => {
    expect(await status(`engine-b/${TOKEN}`, body)).toBe(expected);
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
  });

  test("bodies over the limit are 413 at each channel's own limit, and 16 MiB of media pass", async () => {
    expect(await status(`sms/${TOKEN}`, `[${" ".repeat(1024 * 1024)}]`)).toBe(413);
    expect(await status(`engine-b/${TOKEN}`, `{"a":"${"x".repeat(16 * 1024 * 1024)}"}`)).toBe(413);
    const media = inbound("", "BIG");
    const big = {
      ...media,
      data: { ...media.data, message: { imageMessage: {}, base64: "A".repeat(15 * 1024 * 1024) } },
    };
    expect(await status(`engine-b/${TOKEN}`, big)).toBe(200);
  });

  test("a compressed bomb is cut at the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    expect(await status(`engine-b/${TOKEN}`, bomb, { "content-encoding": "gzip" })).toBe(413);
  });

  test("a body is read whatever its content type says", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect(await status(`engine-b/${TOKEN}`, inbound("oi", "TYPE"), headers)).toBe(200);
  });

  test("an endless chunked body is cut at the limit", async () => {
    const { port } = new URL(house.url);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), "127.0.0.1");
      let heard = "";
      const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
      const pump = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on("connect", () => {
        socket.write(
          `POST /webhooks/sms/${TOKEN} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`,
        );
        pump();
      });
      socket.on("drain", pump);
      socket.on("data", (data) => {
        heard += data.toString();
        socket.destroy();
      });
      socket.on("error", () => resolve(heard));
      socket.on("close", () => resolve(heard));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("after all of it the process is healthy", async () => {
    const ready = await fetch(`${house.url}/health/ready`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      ...{ ready: true, store: { kind: "embedded" }, held: [] },
    });
    await house.store.scopes.pause("hold:fiscal", "failover");
    const held = await fetch(`${house.url}/health/ready`);
    expect(held.status).toBe(200);
    expect(await held.json()).toMatchObject({ ready: true, held: ["fiscal"] });
  });
});

describe("our own trouble is 503 with Retry-After, never 4xx", () => {
  const broken = (over: Steps) => (store: Store) => withSteps(store, over);
  const down = () => Promise.reject(new Fault("STORE_UNAVAILABLE", "The store is gone."));

  test.each<[string, Steps]>([
    ["the store does not take the mail", { "mail.accept": down }],
    [
      "the store is full",
      { "mail.accept": () => Promise.reject(new Fault("STORE_FULL", "Full.")) },
    ],
    ["the account cannot be looked up", { "documents.get": down }],
    [
      "anything else breaks",
      { "contacts.identify": () => Promise.reject<never>(new TypeError("bug")) },
    ],
  ])("%s", async (_what, over) => {
    const trouble = await openHouse({ store: broken(over) });
    try {
      const answer = await post(`${trouble.url}/webhooks/engine-b/${TOKEN}`, inbound("oi"));
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await answer.text()).not.toMatch(/bug|gone|stack/);
    } finally {
      await trouble.close();
    }
  });

  test("too many bodies at once, or a stop under way", async () => {
    let stopping = false;
    const small = await openHouse({
      deps: () => ({ limits: { gate: { bodies: 0, bytes: 0 } }, isStopping: () => stopping }),
    });
    const url = `${small.url}/webhooks/engine-b/${TOKEN}`;
    expect((await post(url, inbound("oi"))).status).toBe(503);
    stopping = true;
    expect((await post(url, inbound("oi"))).status).toBe(503);
    expect((await fetch(`${small.url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${small.url}/health/live`)).status).toBe(200);
    await small.close();
  });

  test("a blocked event loop refuses webhooks and nothing else, and whose they were is noted", async () => {
    const noted: unknown[] = [];
    const slow = await openHouse({
      deps: () => ({
        limits: { eventLoopDelayMs: 100 },
        refusals: { add: (channel, token) => void noted.push([channel, token]) },
      }),
    });
    const refused = async () => {
      // Sampled each second: the loop is blocked until one sample has seen it.
      for (let round = 0; round < 40; round++) {
        const until = performance.now() + 300;
        while (performance.now() < until);
        const answer = await post(`${slow.url}/webhooks/engine-b/${TOKEN}`, inbound("oi"));
        if (answer.status === 503) return answer;
      }
      return null;
    };
    const answer = await refused();
    expect(answer?.headers.get("retry-after")).toBe("5");
    expect(noted).toEqual([["engine-b", TOKEN]]);
    expect((await fetch(`${slow.url}/health/live`)).status).toBe(200);
    await slow.close();
  });
});

describe("what leaves this process", () => {
  test("no log line holds a path token, a phone or a message", async () => {
    const trouble = await openHouse({
      deps: () => ({ ingest: () => Promise.reject(new Error("lost")) }),
    });
    await post(`${trouble.url}/webhooks/engine-b/${TOKEN}`, inbound("segredo"));
    await post(`${trouble.url}/webhooks/engine-b/wrong-token-of-somebody`, inbound("segredo"));
    await fetch(`${trouble.url}/login?token=guess-of-somebody`);

    const told = JSON.stringify(trouble.log);
    expect(trouble.log.some((line) => line.level === "error")).toBe(true);
    for (const secret of [TOKEN, "of-somebody", "5511987650001", "segredo"])
      expect(told).not.toContain(secret);
    await trouble.close();
  });

  test("every answer has the security headers", async () => {
    for (const path of ["/health/live", "/nowhere", "/api/meta"]) {
      const { headers } = await fetch(house.url + path);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("content-security-policy")).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cache-control")).toBe("no-store");
    }
    // Senders are no browsers: what could be taken for another type of content is all that matters to them.
    const { headers } = await fetch(`${house.url}/webhooks/engine-b/${TOKEN}`, { method: "POST" });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
  });
});
