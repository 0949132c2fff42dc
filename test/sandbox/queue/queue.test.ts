import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { queuePaths } from "../../../src/gateway/index.ts";
import { CUSTOMER, FIRST, rowsOf, SECOND, stage, textOf, until, type Stage } from "../stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
  now.bot.told.length = 0;
});

const text = { number: CUSTOMER, text: "oi" };
const put = (settings: object) => now.http("PUT", "/sandbox/queue", settings);
const advance = (by: string) => now.http("POST", "/sandbox/clock", { advance: by });
const enqueue = async (body: object = text) =>
  textOf((await now.call("message.sendTextQueue", body)).body["id"]);
const job = async (id: string) => (await now.call("jobs.find", { id: [id] })).body[0];
const ledger = async () => rowsOf((await now.http("GET", "/sandbox/ledger")).body);

describe("the delay", () => {
  test("is virtual time: queued until it is over, processing while at work, then done with its minutes", async () => {
    await put({ delay_ms: 600_000, work_ms: 600_000 });
    const id = await enqueue();
    await advance("9m");
    expect(await job(id)).toMatchObject({ status: "queued", processed_at: "" });
    await advance("1m");
    expect(await job(id)).toMatchObject({ status: "processing", diff_in_minutes: "" });
    await advance("10m");
    expect(await job(id)).toMatchObject({ status: "done", diff_in_minutes: 20 });
  });

  test("is over in one move of the clock, however far", async () => {
    await put({ delay_ms: 600_000 });
    const id = await enqueue();
    await advance("1h");
    expect(await job(id)).toMatchObject({ status: "done" });
    expect((await now.http("GET", "/sandbox/messages")).body).toHaveLength(1);
  });

  test("keeps the order in which calls came", async () => {
    for (const word of ["um", "dois", "três"]) await enqueue({ ...text, text: word });
    await advance("1s");
    const rows = rowsOf((await now.http("GET", "/sandbox/messages")).body);
    expect(rows.map((row) => row["text"])).toEqual(["um", "dois", "três"]);
  });
});

describe("the result", () => {
  test("comes as device events with the message's id, which the enqueue call did not tell", async () => {
    const answer = await now.http("POST", "/api/v2/engine-a/sendText/queue", text, { ...FIRST });
    const { id, message: words } = answer.body;
    const job = { id, message: words };
    expect(answer.body).toEqual({ error: false, ...job, response: job, data: job });
    await until(() => now.bot.of("engine-a").length === 3);
    const events = now.bot.of("engine-a").map((one) => one.body);
    expect(events.map((event) => event["wook"])).toEqual([
      "SEND_MESSAGE",
      "MESSAGE_STATUS",
      "MESSAGE_STATUS",
    ]);
    const [message] = rowsOf((await now.http("GET", "/sandbox/messages")).body);
    for (const event of events) expect(textOf(event["id"])).toContain(textOf(message?.["id"]));
    expect(textOf(answer.body["id"])).not.toContain(textOf(message?.["id"]));
  });

  test("of a send that is refused is a failed job, debited all the same", async () => {
    const id = await enqueue({ ...text, number: "5500999990000" });
    await advance("1s");
    expect(await job(id)).toMatchObject({ status: "failed" });
    expect((await job(id))?.["processed_at"]).not.toBe("");
    expect(await ledger()).toHaveLength(1);
  });

  test("of a phone that closed in between is a failed job", async () => {
    const id = await enqueue();
    await now.call("instance.logout");
    await advance("1s");
    expect(await job(id)).toMatchObject({ status: "failed" });
  });

  test("is the same for a call whose answer was lost: it was taken and debited", async () => {
    await now.http("POST", "/sandbox/faults", { effect: { kind: "accepted_then_lost" }, times: 1 });
    await expect(enqueue()).rejects.toThrow();
    await advance("1s");
    expect(rowsOf((await now.http("GET", "/sandbox/jobs")).body)).toMatchObject([
      { status: "done" },
    ]);
    expect(await ledger()).toHaveLength(1);
  });
});

describe("a queue that is not there", () => {
  test.each(["sendText", "template/send", "anything"])(
    "refuses the official engines' %s, costs nothing and says which way is open",
    async (action) => {
      const answer = await now.http("POST", `/api/v2/official/${action}/queue`, text, { ...FIRST });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ error: true, code: "queue_not_available" });
      expect(answer.body["message"]).toMatch(/síncrona/);
      expect(await ledger()).toHaveLength(0);
    },
  );

  test("is no way around the tokens", async () => {
    expect((await now.http("POST", "/api/v2/official/x/queue", text)).status).toBe(401);
  });

  test("can be switched off for every engine, and on again", async () => {
    await put({ available: false });
    const closed = queuePaths().slice(0, 8);
    for (const { path, route } of closed) {
      const body = route.example.body;
      const answer = await now.http("POST", `/api/v2${path}`, body, { ...FIRST });
      expect(answer.body["code"]).toBe("queue_not_available");
    }
    expect((await now.call("message.sendText", text)).status).toBe(200);
    await put({ available: true });
    expect((await now.call("message.sendTextQueue", text)).status).toBe(200);
  });
});

describe("an action that the contract does not declare", () => {
  const ACTIONS = ["engine-a/sendLink", "engine-c/send/event", "engine-c/message/pin"];
  const call = (path: string, body: object = { number: CUSTOMER, anything: [1] }, as = FIRST) =>
    now.http("POST", `/api/v2/${path}`, body, { ...as });

  test.each(ACTIONS)("%s has a job, is debited and sends nothing", async (path) => {
    const { body, status } = await call(`${path}/queue`);
    expect(status).toBe(200);
    const id = textOf(body["id"]);
    expect(body).toMatchObject({ error: false, data: { id } });
    expect(await job(id)).toMatchObject({ status: "queued", processed_at: "" });
    await advance("1s");
    expect(await job(id)).toMatchObject({ status: "done" });
    expect((await now.http("GET", "/sandbox/messages")).body).toEqual([]);
    expect(await ledger()).toHaveLength(1);
  });

  test.each([...ACTIONS, "official/template/send"])("%s is answered at once", async (path) => {
    const { body, status } = await call(path);
    expect([status, body["error"], body["data"]]).toEqual([200, false, {}]);
    const [, action = ""] = /^[^/]+\/(.*)$/.exec(path) ?? [];
    const [row] = rowsOf((await now.http("GET", "/sandbox/requests")).body);
    expect(textOf(row?.["route"])).toMatch(new RegExp(`^(engine[AC]|official)\\.${action}$`));
  });

  test("is refused as any other: tokens, body, phone, queue, test mode", async () => {
    const path = "engine-a/sendLink/queue";
    expect((await now.http("POST", `/api/v2/${path}`, {})).status).toBe(401);
    expect((await now.http("POST", `/api/v2/${path}`, [], { ...FIRST })).status).toBe(400);
    await put({ available: false });
    expect((await call(path)).body["code"]).toBe("queue_not_available");
    await put({ available: true });
    await now.call("instance.logout");
    expect((await call("engine-a/sendLink")).status).toBe(400);
    const id = textOf((await call(path)).body["id"]);
    const tried = textOf((await call(path, { homolog: true })).body["id"]);
    await advance("1s");
    expect([await job(id), await job(tried)]).toMatchObject([
      { status: "failed" },
      { status: "failed" },
    ]);
  });

  test.each(["engine-a", "engine-a/", "engine-a/sendLink//x", "engine-a//queue", "engine-d/send"])(
    "%s is no address of one",
    async (path) => {
      expect((await call(path)).status).toBe(404);
    },
  );

  test("of another letter case than a declared one is not that one", async () => {
    expect((await call("engine-a/sendtext", text)).status).toBe(200);
    expect((await now.http("GET", "/sandbox/messages")).body).toEqual([]);
  });
});

describe("the list", () => {
  test("is a paginator of the caller's own jobs; a page beyond the end is empty", async () => {
    for (let count = 0; count < 16; count += 1) await enqueue();
    await now.call("message.sendTextQueue", text, { as: SECOND });
    const page = async (query: string, as = FIRST) =>
      (await now.call("jobs.list", undefined, { query, as })).body;
    expect(await page("?page=2")).toMatchObject({
      current_page: 2,
      from: 16,
      to: 16,
      last_page: 2,
      total: 16,
      next_page_url: null,
      prev_page_url: expect.stringMatching(/\/api\/v2\/jobs\?page=1$/) as string,
    });
    expect(await page("?page=9")).toMatchObject({ data: [], from: null, to: null, total: 16 });
    expect((await page("?page=zero"))["current_page"]).toBe(1);
    expect((await page("", SECOND))["total"]).toBe(1);
    expect(rowsOf((await now.http("GET", "/sandbox/jobs?caller=sandbox-2")).body)).toHaveLength(1);
  });
});

describe("asking for jobs", () => {
  test.each([[{}], [{ id: [] }], [{ id: "x" }], [{ id: ["x"] }], [{ id: [5] }]])(
    "with %j is refused by field",
    async (body) => {
      const answer = await now.call("jobs.find", body);
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body["errors"] as object)[0]).toMatch(/^id/);
    },
  );

  test("needs the bearer only, and costs nothing", async () => {
    const id = await enqueue();
    const as = { authorization: "Bearer sandbox-token" };
    expect((await now.call("jobs.find", { id: [id.toUpperCase()] }, { as })).status).toBe(200);
    expect(await ledger()).toHaveLength(1);
  });
});
