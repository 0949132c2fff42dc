import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "undici";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../../src/base/index.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { submit } from "./notes.ts";
import { CUSTOMER, fakeBot, stage, until, type Stage, rowsOf, textOf } from "./stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
  now.bot.told.length = 0;
  now.bot.statuses.length = 0;
});

const say = (text: string, from = CUSTOMER) => now.http("POST", "/sandbox/inbound", { from, text });
const webhooks = async () => rowsOf((await now.http("GET", "/sandbox/webhooks")).body);
const texts = () =>
  now.bot.of("engine-b").map((one) => one.body["data"]?.["message"]?.["conversation"]);

describe("attempts", () => {
  test("are written down with their status", async () => {
    await say("oi");
    expect(await webhooks()).toMatchObject(
      [{ channel: "engine-b", event_id: /^3A/, attempts: [{ status: 200 }] }].map((row) => ({
        ...row,
        event_id: expect.stringMatching(row.event_id) as string,
      })),
    );
  });

  test("follow a 5xx after one second and stop at the first answer", async () => {
    now.bot.statuses.push(503);
    const first = await say("oi");
    expect(first.body).toMatchObject({ delivered: false, status: 503 });
    const begun = Date.now();
    await until(() => now.bot.of("engine-b").length === 2);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(800);
    await until(async () => rowsOf((await webhooks())[0]?.["attempts"]).length === 2);
    expect((await webhooks())[0]?.["attempts"]).toMatchObject([{ status: 503 }, { status: 200 }]);
  });

  test("do not follow a 4xx", async () => {
    now.bot.statuses.push(404);
    await say("oi");
    await new Promise((wake) => setTimeout(wake, 1_300));
    expect(now.bot.of("engine-b")).toHaveLength(1);
  });

  test("follow a refused connection", async () => {
    const bot = await fakeBot();
    const dead = await stage({ bot });
    await bot.close();
    const answer = await dead.http("POST", "/sandbox/inbound", { from: CUSTOMER, text: "oi" });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ delivered: false, status: null });
    await until(async () => {
      const rows = (await dead.http("GET", "/sandbox/webhooks")).body;
      return rowsOf(rowsOf(rows)[0]?.["attempts"]).length === 2;
    });
    await dead.close();
  });

  test("can be asked for again, many at once, with the same bytes", async () => {
    await say("oi");
    const [row] = await webhooks();
    const again = await now.http("POST", `/sandbox/webhooks/${textOf(row?.["id"])}/redeliver`, {
      times: 19,
    });
    expect(again.status).toBe(202);
    expect(again.body["attempts"]).toHaveLength(20);
    expect(new Set(now.bot.of("engine-b").map((one) => one.raw)).size).toBe(1);
    expect((await now.http("POST", "/sandbox/webhooks/none/redeliver", {})).status).toBe(404);
  });
});

describe("switches", () => {
  test("nothing is late, lost, doubled or swapped unless switched on", async () => {
    const said = Array.from({ length: 30 }, (_, index) => `m${index}`);
    await Promise.all(said.map((text) => say(text)));
    expect(texts().length).toBe(30);
    const order = (await webhooks()).map(
      (row) => row["body"]?.["data"]?.["message"]?.["conversation"],
    );
    expect(texts()).toEqual(order);
  });

  test("duplicate posts the same bytes twice", async () => {
    await now.http("PUT", "/sandbox/delivery", { duplicate: 1 });
    await say("oi");
    expect(texts()).toEqual(["oi", "oi"]);
  });

  test("drop posts nothing and says so", async () => {
    await now.http("PUT", "/sandbox/delivery", { drop: 1 });
    expect((await say("oi")).body).toMatchObject({ delivered: false, status: null });
    expect(texts()).toEqual([]);
    expect((await webhooks())[0]?.["attempts"]).toEqual([]);
  });

  test("reorder lets a younger event pass", async () => {
    await now.http("PUT", "/sandbox/delivery", { reorder: 1 });
    const both = [say("primeira"), say("segunda")];
    await Promise.all(both);
    expect([...texts()].sort()).toEqual(["primeira", "segunda"]);
    await now.http("PUT", "/sandbox/delivery", { reorder: 0 });
    await say("terceira");
    expect(texts().at(-1)).toBe("terceira");
    const sent = (await webhooks()).map(
      (row) => row["body"]?.["data"]?.["message"]?.["conversation"],
    );
    expect(texts()).not.toEqual(sent);
  });

  test("delay_ms delays", async () => {
    await now.http("PUT", "/sandbox/delivery", { delay_ms: 200 });
    const begun = Date.now();
    await say("oi");
    expect(Date.now() - begun).toBeGreaterThanOrEqual(190);
  });

  test("chances are rolled by the seed: two sandboxes of one epoch lose the same events", async () => {
    const run = async () => {
      const one = await stage({ seed: "dice" });
      await one.http("PUT", "/sandbox/delivery", { drop: 0.5 });
      const seen: unknown[] = [];
      for (let index = 0; index < 16; index += 1)
        seen.push(
          (await one.http("POST", "/sandbox/inbound", { from: CUSTOMER, text: "x" })).body[
            "delivered"
          ],
        );
      await one.close();
      return seen;
    };
    const first = await run();
    expect(await run()).toEqual(first);
    expect(new Set(first).size).toBe(2);
  });

  test.each([
    ["/sandbox/delivery", { drop: 2 }],
    ["/sandbox/delivery", { lid: "yes" }],
    ["/sandbox/delivery", { speed: 1 }],
    ["/sandbox/subscriptions", { channel: "engine-b", urls: ["http://example.org/x"] }],
    ["/sandbox/subscriptions", { channel: "engine-z", urls: [] }],
    ["/sandbox/billing", { quota: -1 }],
    ["/sandbox/invoicing", { mode: "later" }],
  ])("%s refuses %j with 422", async (target, body) => {
    expect((await now.http("PUT", target, body)).status).toBe(422);
  });
});

describe("the clock", () => {
  test("goes forward, tells the bot and waits for its answer", async () => {
    const before = await now.now();
    const moved = await now.http("POST", "/sandbox/clock", { advance: "15m" });
    expect(Number(moved.body["now_ms"]) - before).toBeGreaterThanOrEqual(900_000);
    const news = now.bot.told.filter((one) => one.path === "/api/clock");
    expect(news).toHaveLength(1);
    const told = Date.parse(textOf(news[0]?.body["now"]));
    expect(told - before).toBeGreaterThanOrEqual(900_000);
    expect(told).toBeLessThanOrEqual(Number(moved.body["now_ms"]));
  });

  test.each(["0s", "-5m", "soon", "", 5])("refuses %j", async (advance) => {
    expect((await now.http("POST", "/sandbox/clock", { advance })).status).toBe(422);
  });

  test("goes to a time, be it past: the bot is told that it was set back, and no restart keeps it", async () => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), "prosa-back-"));
    const one = await stage({ dataDir });
    const to = "2020-02-29T13:00:00Z";
    const moved = await one.http("POST", "/sandbox/clock", { to });
    expect(Number(moved.body["now_ms"]) - Date.parse(to)).toBeLessThan(5_000);
    expect(
      one.bot.told.filter((told) => told.path === "/api/clock").map(({ body }) => body),
    ).toEqual([
      expect.objectContaining({
        back: true,
        now: expect.stringMatching(/^2020-02-29T13:00/) as string,
      }),
    ]);
    expect((await one.http("POST", "/sandbox/clock", { to: "soon" })).status).toBe(422);
    await one.close();
    const again = await stage({ dataDir });
    expect((await again.http("GET", "/sandbox/clock")).body).toMatchObject({ offset_ms: 0 });
    await again.close();
    rmSync(dataDir, { recursive: true });
  });

  test("carries the bot's token where its interface is closed", async () => {
    const one = await stage({ botToken: "abc" });
    await one.http("POST", "/sandbox/clock", { advance: "1s" });
    expect(one.bot.told.find((told) => told.path === "/api/clock")?.headers.authorization).toBe(
      "Bearer abc",
    );
    await one.close();
  });

  test("keeps its offset over reset and restart, and the epoch rises with both", async () => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), "prosa-epoch-"));
    const first = await stage({ dataDir });
    await first.http("POST", "/sandbox/clock", { advance: "3d" });
    const reset = (await first.http("POST", "/sandbox/reset", {})).body;
    expect(reset).toMatchObject({ epoch: 2, offset_ms: 3 * 86_400_000 });
    const before = await first.now();
    await first.close();
    const second = await stage({ dataDir });
    const clock = (await second.http("GET", "/sandbox/clock")).body;
    expect(clock).toMatchObject({ epoch: 3, offset_ms: 3 * 86_400_000 });
    expect(Number(clock["now_ms"])).toBeGreaterThanOrEqual(before);
    await second.close();
    rmSync(dataDir, { recursive: true });
  });
});

describe("ids", () => {
  const some = async (one: Stage) => {
    const sent = await one.call("message.sendText", { number: CUSTOMER, text: "a" });
    const inbound = await one.http("POST", "/sandbox/inbound", { from: CUSTOMER, text: "b" });
    const note = await submit(one);
    return [
      sent.body["response"]?.["key"]?.["id"],
      inbound.body["event_id"],
      textOf(note.body["data"]?.["chave"]).slice(23),
      note.body["data"]?.["numero"],
    ];
  };

  test("are the same for the same seed, epoch and calls, and never come twice over epochs", async () => {
    const [first, second] = [await stage(), await stage()];
    const [a, b] = [await some(first), await some(second)];
    expect(b).toEqual(a);
    await first.http("POST", "/sandbox/reset", {});
    const c = await some(first);
    for (const [index, id] of c.entries()) expect(id).not.toBe(a[index]);
    await first.close();
    await second.close();
  });
});

describe("reset", () => {
  test("makes everything as new", async () => {
    await now.call("message.sendText", { number: CUSTOMER, text: "a" });
    await submit(now);
    await now.call("instance.logout");
    await now.http("POST", "/sandbox/faults", { effect: { kind: "reset" } });
    await now.http("PUT", "/sandbox/delivery", { drop: 1, lid: true });
    await now.http("PUT", "/sandbox/billing", { enforce: true, quota: 0, balance: 0 });
    await now.http("PUT", "/sandbox/invoicing", { mode: "async" });
    await now.http("PUT", "/sandbox/subscriptions", { channel: "engine-b", urls: [] });
    await now.http("POST", "/sandbox/reset", {});
    for (const list of ["messages", "invoices", "jobs", "ledger", "requests", "webhooks", "faults"])
      expect((await now.http("GET", `/sandbox/${list}`)).body).toEqual([]);
    expect((await now.http("GET", "/sandbox/issuers")).body).toHaveLength(1);
    expect((await now.http("GET", "/sandbox/billing")).body).toEqual({
      enforce: false,
      quota: 1_000,
      balance: 250.7,
      extra: [],
      money: "by_operation",
    });
    expect((await now.http("GET", "/sandbox/invoicing")).body).toMatchObject({ mode: "sync" });
    expect((await now.http("GET", "/sandbox/subscriptions")).body).toHaveLength(4);
    const state = await now.call("instance.connectionState");
    expect(state.body["response"]?.["instance"]?.["state"]).toBe("open");
    expect((await say("oi")).body["delivered"]).toBe(true);
  });
});

describe("the live feed", () => {
  test("tells requests, messages, webhooks and invoices as they happen", async () => {
    const feed = await request(`${now.sandbox.url()}/sandbox/events`);
    const kinds = new Set<string>();
    let text = "";
    feed.body.on("data", (part: Buffer) => {
      text += part.toString("utf8");
      for (const match of text.matchAll(/^data: (.*)$/gm))
        kinds.add((JSON.parse(match[1] ?? "{}") as { kind: string }).kind);
    });
    feed.body.on("error", () => undefined);
    await now.call("message.sendText", { number: CUSTOMER, text: "a" });
    await submit(now);
    await until(() => kinds.size === 4);
    expect([...kinds].sort()).toEqual(["invoice", "message", "request", "webhook"]);
    feed.body.destroy();
  });
});

describe("where it may stand", () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "prosa-where-"));
  afterAll(() => rmSync(dataDir, { recursive: true }));
  const botUrl = "http://127.0.0.1:3000";

  test.each([
    { host: "0.0.0.0", botUrl },
    { host: "192.168.0.1", botUrl },
    { host: "127.0.0.1", botUrl: "https://bot.example.org" },
  ])("%j is refused: loopback only", (options) => {
    expect(() => createSandbox({ port: 0, dataDir, ...options })).toThrow(Fault);
  });

  test("a state file that cannot be read stops the start with a sentence naming it", () => {
    const file = path.join(dataDir, "sandbox.json");
    writeFileSync(file, "{");
    expect(() => createSandbox({ port: 0, dataDir, botUrl })).toThrow(/sandbox\.json/);
    expect(readFileSync(file, "utf8")).toBe("{");
  });
});
