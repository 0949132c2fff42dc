/** A bot's own effects as they are called: over HTTP against a real server, and as functions in a thread. */
import { afterEach, describe, expect, test } from "vitest";
import { loadBot } from "../../../src/app/bot/load-bot.ts";
import { openEffects } from "../../../src/app/bot/own-effects.ts";
import type { JsonObject } from "../../../src/base/index.ts";
import { effect, z } from "../../../src/index.ts";
import { type OwnCall, publicLookup } from "../../../src/worker/index.ts";
import { isPrivateAddress } from "../../../src/worker/effects/own.ts";
import { FlowsFolder } from "../flows-folder.ts";
import { type Backend, backend, json } from "./pizzeria.ts";

/** What the log was told of effects. */
const told: string[] = [];
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function served(): Promise<Backend> {
  const made = await backend();
  undo.push(() => made.close());
  return made;
}

/** The one effect of a folder, opened. */
async function opened(source: string, secrets: Record<string, string> = {}): Promise<OwnCall> {
  const folder = new FlowsFolder();
  undo.push(() => folder.remove());
  folder.write("effects/it.ts", `import { effect, z } from "prosa";\nexport default ${source};`);
  const bot = await loadBot(folder.path);
  expect(bot.findings).toEqual([]);
  const effects = openEffects(bot, secrets, (message) => told.push(message));
  undo.push(() => effects.close());
  const [one] = effects.effects.values();
  if (!one) throw new Error("no effect");
  return one.call;
}

async function called(call: OwnCall, input: JsonObject = {}, mayLeave = () => true) {
  const account = { id: "demo", zone: "America/Sao_Paulo" };
  const bytes = call.bytes(input);
  return call.call({ id: "c1:2:0", account, attempt: 1, input, bytes, mayLeave });
}

const http = (more: string, shape = "n: z.number()") =>
  `effect("shop.it", { class: "replace", timeoutMs: 400, input: z.object({}).loose(), output: z.object({ ${shape} }), http: ${more} })`;

describe("over HTTP", () => {
  test("settings, the input and the effect's id are where the service looks for them", async () => {
    const shop = await served();
    shop.answer = (response) => json(response, 200, { n: 7, more: true });
    const post = await opened(
      `effect("shop.it", { class: "costly", input: z.object({ size: z.string(), id: z.string() }), output: z.object({ n: z.number() }),
        http: { method: "PUT", url: "$SHOP_URL/items/{id}?v=2", headers: { Authorization: "Bearer $SHOP_TOKEN" } } })`,
      { SHOP_URL: `${shop.url}/api`, SHOP_TOKEN: "t0k" },
    );

    expect(await called(post, { size: "P", id: "a/b c" })).toMatchObject({
      kind: "ok",
      data: { n: 7 },
    });
    const [asked] = shop.asked;
    expect(asked).toMatchObject({ method: "PUT", url: "/api/items/a%2Fb%20c?v=2" });
    expect(asked?.headers).toMatchObject({
      authorization: "Bearer t0k",
      "idempotency-key": "c1:2:0",
      "content-type": "application/json",
    });
    expect(asked?.body).toBe('{"size":"P"}');

    const get = await opened(http('{ method: "GET", url: "$SHOP_URL/items" }'), {
      SHOP_URL: shop.url,
    });
    await called(get, { q: "calabresa & queijo", page: 2 });
    expect(shop.asked.at(-1)).toMatchObject({
      url: "/items?q=calabresa+%26+queijo&page=2",
      body: "",
    });
  });

  test("each answer is the outcome that its class is judged by", async () => {
    const shop = await served();
    const it = await opened(
      http(
        '{ method: "POST", url: "$SHOP_URL/x", rejects: [409], rejection: { code: "fault.id", text: "fault.why" } }',
      ),
      {
        SHOP_URL: shop.url,
      },
    );
    const after = async (answer: Backend["answer"]) => {
      shop.answer = answer;
      return called(it);
    };
    expect(await after((r) => json(r, 201, { n: 1 }))).toMatchObject({ kind: "ok" });
    expect(
      await after((r) =>
        json(r, 409, { fault: { id: "sold_out", why: "Acabou, Ana 529.982.247-25" } }),
      ),
    ).toMatchObject({ kind: "business_error", code: "sold_out", message: "Acabou, Ana ***" });
    expect(await after((r) => json(r, 422, { message: "no" }))).toMatchObject({
      kind: "refused",
      status: 422,
    });
    expect(await after((r) => r.writeHead(429, { "retry-after": "7" }).end())).toMatchObject({
      kind: "refused",
      status: 429,
      retryAfterMs: 7_000,
    });
    expect(await after((r) => json(r, 503, {}))).toMatchObject({ reason: "server_error" });
    expect(
      await after((r) => r.writeHead(200, { "content-type": "text/html" }).end("<p>hi</p>")),
    ).toMatchObject({ kind: "unknown", reason: "unreadable" });
    expect(await after((r) => json(r, 200, { n: "seven" }))).toMatchObject({
      reason: "unreadable",
    });
    expect(await after((r) => r.writeHead(302, { location: "/y" }).end())).toMatchObject({
      kind: "refused",
      status: 302,
    });
    expect(await after(() => undefined)).toMatchObject({ kind: "unknown", reason: "timeout" });
    expect(await after((r) => r.destroy())).toMatchObject({ kind: "unknown", reason: "reset" });
    expect(await after((r) => r.writeHead(200).end(Buffer.alloc(2 * 1_048_576)))).toMatchObject({
      kind: "unknown",
      reason: "too_large",
    });
    await shop.close();
    expect(await after(() => undefined)).toMatchObject({ kind: "not_sent" });
  });

  test("what may not leave any more does not", async () => {
    const shop = await served();
    const it = await opened(http('{ method: "POST", url: "$SHOP_URL/x" }'), { SHOP_URL: shop.url });
    expect(await called(it, {}, () => false)).toMatchObject({ kind: "not_sent" });
    expect(shop.asked).toEqual([]);
  });

  test("an address that a flow's author wrote reaches the public network alone", async () => {
    for (const url of [
      "http://127.0.0.1:1/x",
      "http://[::1]/",
      "http://localhost./a",
      "https://169.254.169.254/latest",
    ])
      expect(
        (await opened(http(`{ method: "GET", url: ${JSON.stringify(url)} }`))).problem,
        url,
      ).toContain("not public");
    const resolved = new Promise((resolve) => {
      publicLookup("localhost", {}, (error) => resolve(error?.code));
    });
    expect(await resolved).toBe("ENOTFOUND");

    for (const address of [
      "10.1.2.3",
      "::ffff:192.168.0.1",
      "100.64.0.1",
      "fd00::1",
      "fe80::1",
      "224.0.0.1",
    ])
      expect(isPrivateAddress(address), address).toBe(true);
    for (const address of ["200.160.2.3", "2001:12ff::10", "172.32.0.1"])
      expect(isPrivateAddress(address), address).toBe(false);
  });

  test("a setting that is missing is told by its name", async () => {
    const it = await opened(http('{ method: "GET", url: "$SHOP_URL/x", headers: { a: "$KEY" } }'));
    expect(it.problem).toContain("PROSA_SECRET_SHOP_URL and PROSA_SECRET_KEY");
  });
});

describe("as a function", () => {
  const run = (body: string, more = "") =>
    `effect("shop.it", { class: "read", timeoutMs: 300, input: z.object({ a: z.string() }), output: z.object({ n: z.number() }), ${more} run: ${body} })`;

  test("it has its input, its settings and the effect's id, and gives an output or a no", async () => {
    const it = await opened(
      run(
        'async ({ a }, { id, account, secret, reject }) => a === "no" ? reject("full", "Cheio") : { n: a.length + id.length + account.zone.length + secret("KEY").length }',
      ),
      { KEY: "1234" },
    );
    expect(await called(it, { a: "abc" })).toMatchObject({
      kind: "ok",
      data: { n: 3 + 6 + 17 + 4 },
    });
    expect(await called(it, { a: "no" })).toMatchObject({
      ...{ kind: "business_error", code: "full", message: "Cheio" },
    });
  });

  test.each([
    ["throws", 'async () => { throw new Error("x") }', "unreadable"],
    [
      "asks for a setting that is not set",
      'async (_, { secret }) => ({ n: secret("NONE").length })',
      "unreadable",
    ],
    ["gives what its schema refuses", 'async () => ({ n: "seven" })', "unreadable"],
    ["hangs", "() => new Promise(() => undefined)", "timeout"],
    ["goes round for ever", "async () => { for (;;); }", "timeout"],
    [
      "eats memory",
      "async () => { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); }",
      "timeout",
    ],
    ["ends its process", "async () => process.exit(3)", "timeout"],
  ])("one that %s costs that call alone", async (_what, body, reason) => {
    const it = await opened(
      `effect("shop.it", { class: "read", timeoutMs: 300, input: z.object({ a: z.string() }), output: z.object({ n: z.number() }),
        run: async (input, work) => { if (input.a === "well") return { n: 1 }; return (${body})(input, work); } })`,
    );
    expect(await called(it, { a: "ill" })).toMatchObject({ kind: "unknown", reason });
    expect(await called(it, { a: "well" })).toMatchObject({ kind: "ok", data: { n: 1 } });
  });

  test("the log is told why one failed, without a word of what was thrown or given", async () => {
    told.length = 0;
    const it = await opened(
      run(
        'async ({ a }) => { if (a === "throw") throw new TypeError("529.982.247-25"); return { n: "seven" }; }',
      ),
    );
    await called(it, { a: "throw" });
    await called(it, { a: "b" });
    expect(told).toEqual([
      "The run of shop.it failed: it threw a TypeError.",
      "The run of shop.it failed: its output does not fit: n (invalid_type).",
    ]);
  });

  test("what is thrown outside of a call is told without its words", async () => {
    told.length = 0;
    const it = await opened(
      run(
        '() => { setTimeout(() => { throw new Error("529.982.247-25"); }, 10); return new Promise(() => undefined); }',
      ),
    );
    await called(it, { a: "b" });
    expect(told[0]).toBe(
      "The thread of shop.it was ended by what its run threw outside of a call.",
    );
    expect(told.join()).not.toContain("529");
  });

  test("a file that throws in its thread is told", async () => {
    told.length = 0;
    const it = await opened(
      `(() => { if (!process.env["HOME"] && !process.env["PATH"]) throw new Error("HOME must be set"); return ${run("async () => ({ n: 1 })")}; })()`,
    );
    expect(await called(it, { a: "b" })).toMatchObject({ kind: "not_sent" });
    expect(told[0]).toContain(
      "The file of shop.it threw in its thread, which has no environment: HOME must be set",
    );
  });

  test("one that hangs takes no other call along", async () => {
    const it = await opened(
      run(
        'async ({ a }) => { if (a === "hang") await new Promise(() => undefined); await new Promise((done) => setTimeout(done, 500)); return { n: 1 }; }',
      ).replace("timeoutMs: 300", "timeoutMs: 600"),
    );
    await called(it, { a: "warm" });
    const hanging = called(it, { a: "hang" });
    await new Promise((done) => setTimeout(done, 800));
    const beside = called(it, { a: "b" });
    expect(await hanging).toMatchObject({ kind: "unknown", reason: "timeout" });
    expect(await beside).toMatchObject({ kind: "ok", data: { n: 1 } });
  });

  test("what it prints is dropped, and nothing of the process' settings is there", async () => {
    const it = await opened(
      run(
        'async () => { for (let i = 0; i < 1e4; i++) { console.log("x".repeat(1e3)); process.stderr.write("y"); } return { n: Object.keys(process.env).length }; }',
      ),
    );
    expect(await called(it, { a: "b" })).toMatchObject({ kind: "ok", data: { n: 0 } });
  });
});

describe("a definition", () => {
  const of = (more: object) => () =>
    effect("shop.it", {
      ...{ class: "read", input: z.object({ id: z.string() }), output: z.object({}) },
      ...{ http: { method: "GET", url: "$URL/{id}" } },
      ...more,
    } as never);

  test.each([
    ["a name of one part", () => effect("order" as "a.b", of({}) as never), "two parts or more"],
    ["a class that is none", of({ class: "fiscal" }), "its class must be one of"],
    ["no schema", of({ input: {} }), "z.object"],
    ["both ways", of({ run: async () => ({}) }), "either `http` or `run`"],
    ["too much time", of({ timeoutMs: 600_000 }), "100 to 60000 ms"],
    ["no address", of({ http: { method: "GET", url: "orders" } }), "its url begins with"],
    [
      "a host out of the input",
      of({ http: { method: "GET", url: "https://{id}.example/" } }),
      "the host of its url is fixed",
    ],
    [
      "a field that is none",
      of({ http: { method: "GET", url: "$URL/{idd}" } }),
      "{idd}, which is no field",
    ],
    ["a run that is none", of({ http: undefined, run: "it" }), "its run is a function"],
    [
      "a header that is no text",
      of({ http: { method: "GET", url: "$URL", headers: { a: 5 } } }),
      "its header a is a text",
    ],
    ["a 5xx as a no", of({ http: { method: "GET", url: "$URL", rejects: [500] } }), "400 to 499"],
  ])("with %s is refused in a sentence", (_what, make, message) => {
    expect(make).toThrow(message);
  });
});
