/**
 * What a gateway or a stranger may send although nobody documented it. Kept bodies lie in `corpus/`: each answer's file
 * name begins with what a send must make of it. Huge ones are made here.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { Fault } from "../../src/base/index.ts";
import { createGateway, routes, type AnyRoute } from "../../src/gateway/index.ts";
import { readAnswer } from "../../src/gateway/answers/envelope.ts";
import { parseJson } from "../../src/gateway/answers/json-text.ts";
import { check } from "../../src/gateway/body-check.ts";

/** Fixed, so that a failure comes back; printed by the tests' titles. */
const SEED = 20_261_121;

const route = (id: string) => routes.find((entry) => entry.id === id) as AnyRoute;
const SEND = route("message.sendText");
const JOBS = route("jobs.find");

function read(body: Buffer | string, entry = SEND, type: string | null = "application/json") {
  return readAnswer(
    {
      status: 200,
      headers: type === null ? {} : { "content-type": type },
      body: Buffer.from(body as string),
    },
    {
      schema: entry.response,
      envelope: entry.envelope,
      places: entry.payload,
      redact: (text) => text,
      ms: 1,
      now: 0,
    },
  );
}

/** `ok`, `failed`, or `unreadable`: everything else would be a surprise. */
function endOf(outcome: ReturnType<typeof read>): string {
  if (outcome.kind === "business_error") return "failed";
  return outcome.kind === "unknown" ? outcome.reason : outcome.kind;
}

const prototypeKeys = Object.getOwnPropertyNames(Object.prototype).sort().join();
function expectClean(): void {
  expect(Object.getOwnPropertyNames(Object.prototype).sort().join()).toBe(prototypeKeys);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(({} as Record<string, unknown>)["error"]).toBeUndefined();
}
afterEach(expectClean);

/** No object in it was given another prototype, nor an own `__proto__`. */
function expectOrdinary(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  expect(Object.hasOwn(value, "__proto__")).toBe(false);
  expect([Object.prototype, Array.prototype]).toContain(Object.getPrototypeOf(value));
  for (const entry of Object.values(value)) expectOrdinary(entry);
}

const corpus = (folder: string) => {
  const dir = path.join(import.meta.dirname, "corpus", folder);
  return readdirSync(dir).map((file) => [file, readFileSync(path.join(dir, file))] as const);
};

describe("kept answers", () => {
  test.each(corpus("answers"))("%s", (file, body) => {
    const outcome = read(body);
    expect(endOf(outcome)).toBe(file.split("--")[0]);
    expectOrdinary(outcome);
    expect(JSON.stringify(outcome)).not.toMatch(/polluted":1,"__proto|\\ud[89a-f]/i);
  });

  test("a job list, which needs no envelope, takes none of the broken ones for one", () => {
    for (const [file, body] of corpus("answers"))
      expect(read(body, JOBS).kind, file).not.toBe("ok");
  });

  test.each([
    ["text/html"],
    ["text/plain; charset=utf-8"],
    ["application/jsonp"],
    ["application/octet-stream"],
    [""],
    [null],
  ])("a good body declared as %j is unreadable", (type) => {
    expect(endOf(read('{"error":false,"response":{}}', SEND, type))).toBe("unreadable");
  });
});

describe("huge answers", () => {
  const wrapped = (inner: string) => `{"error":false,"response":${inner}}`;
  test.each<[string, string, string]>([
    ["100,000 lists", wrapped("[".repeat(100_000) + "]".repeat(100_000)), "unreadable"],
    ["100,000 objects", wrapped('{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)), "unreadable"],
    ["50,000 open braces", "{".repeat(50_000), "unreadable"],
    ["50,000 braces in a text", wrapped(JSON.stringify({ paramsJson: "{".repeat(50_000) })), "ok"],
    ["a text of 10 MB", wrapped(`"${"x".repeat(10 * 1024 * 1024)}"`), "ok"],
    ["a million back-slashes", wrapped(`"${"\\\\".repeat(1_000_000)}"`), "ok"],
    ["a million escaped quotes", wrapped(`"${'\\"'.repeat(1_000_000)}"`), "ok"],
    ["100,000 names", wrapped(`{${names(100_000)}}`), "ok"],
    [
      "a failure that echoes 100,000 levels",
      `{"error":true,"response":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      "unreadable",
    ],
    ["a message of 1 MB", `{"error":true,"message":"${"a ".repeat(500_000)}"}`, "failed"],
  ])("%s", (_, body, end) => {
    const outcome = read(body);
    expect(endOf(outcome)).toBe(end);
    if (outcome.kind === "business_error") expect(outcome.message.length).toBeLessThanOrEqual(500);
  });

  test("a refusal of 100,000 levels is a refusal all the same", () => {
    const body = Buffer.from(`{"message":"x","errors":${"[".repeat(30_000)}${"]".repeat(30_000)}}`);
    const outcome = readAnswer(
      { status: 422, headers: { "content-type": "application/json" }, body },
      {
        schema: SEND.response,
        envelope: "due",
        places: SEND.payload,
        redact: (t) => t,
        ms: 1,
        now: 0,
      },
    );
    expect(outcome).toEqual({ kind: "refused", status: 422, garbled: true, ms: 1 });
  });
});

function names(count: number): string {
  return Array.from({ length: count }, (_, index) => `"n${index}":${index}`).join();
}

const ids = routes.map(({ id }) => id);
const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    ...["false", "true", "", "null", "0", "1e999", "\ud800", "\udfff", "__proto__", "NaN"],
    ...[0, -0, -1, 1e308, 2 ** 53, null, true, false],
    ...[[], {}, [[]], [null], { length: 1 }, { error: false }, { toString: 1 }, { then: 1 }],
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
/** Names that mean something to us or to the language. */
const anyName = fc.oneof(
  fc.constantFrom(
    ...["error", "message", "response", "data", "status", "key", "id", "code", "errors"],
    ...["balance", "tax", "extra_charges", "total", "api_limit", "api_limit_used", "homolog"],
    ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "length", "then"],
  ),
  fc.string({ maxLength: 6 }),
);
/** Written by hand, since objects cannot hold a name twice: the text of an object of any pairs. */
const anyText = fc
  .array(fc.tuple(anyName, nasty), { maxLength: 8 })
  .map(
    (pairs) =>
      `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
  );

describe(`any answer (seed ${SEED})`, () => {
  test("ends in one of the three ways, and well only where the flag says so, once and as a boolean", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const end = endOf(read(text));
        expect(["ok", "failed", "unreadable"]).toContain(end);
        if (end !== "ok") return;
        expect((JSON.parse(text) as Record<string, unknown>)["error"]).toBe(false);
        expect(topNames(text).filter((name) => name === "error")).toHaveLength(1);
      }),
      { seed: SEED, numRuns: 2_000 },
    );
    expectClean();
  });

  test("that is a job list's or an enqueue's is believed without a flag only when there is none", () => {
    fc.assert(
      fc.property(
        anyText,
        fc.constantFrom("jobs.find", "jobs.list", "message.sendTextQueue"),
        (text, id) => {
          const end = endOf(read(text, route(id)));
          expect(["ok", "failed", "unreadable"]).toContain(end);
          const flag = (JSON.parse(text) as Record<string, unknown>)["error"];
          if (end === "ok") expect([undefined, false]).toContain(flag);
        },
      ),
      { seed: SEED, numRuns: 1_000 },
    );
    expectClean();
  });

  test("made of any bytes, or cut anywhere, or changed in one byte, ends the same few ways", () => {
    const good = Buffer.from(JSON.stringify(SEND.example.response));
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.nat(good.length),
        fc.nat(good.length - 1),
        fc.nat(255),
        (bytes, cut, at, byte) => {
          expect(endOf(read(Buffer.from(bytes)))).toBe("unreadable");
          expect(endOf(read(good.subarray(0, cut)))).toBe(
            cut === good.length ? "ok" : "unreadable",
          );
          const changed = Buffer.from(good);
          changed[at] = byte;
          expect(["ok", "failed", "unreadable"]).toContain(endOf(read(changed)));
        },
      ),
      { seed: SEED, numRuns: 500 },
    );
  });

  test("is read as JSON.parse reads it, where it holds nothing odd", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        if (/__proto__|\\ud[89a-f]/i.test(text)) return;
        const asText = (_: string, one: unknown) =>
          typeof one === "number" && Math.abs(one) > Number.MAX_SAFE_INTEGER ? String(one) : one;
        expect(parseJson(text)).toEqual(JSON.parse(text, asText));
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test("goes through the response schema of every route without harm", () => {
    fc.assert(
      fc.property(nasty, fc.constantFrom(...ids), (payload, id) => {
        const body = JSON.stringify({ error: false, response: payload, data: payload });
        const outcome = read(body, route(id));
        expect(["ok", "failed", "unreadable"]).toContain(endOf(outcome));
        if (outcome.kind === "ok") expectOrdinary(outcome.data);
      }),
      { seed: SEED, numRuns: 1_500 },
    );
    expectClean();
  });
});

function topNames(text: string): string[] {
  const found: string[] = [];
  JSON.parse(text.replace(/^\{/, '{"":0,'), function (this: unknown, key: string, value: unknown) {
    if (typeof this === "object" && this !== null && Object.hasOwn(this, "")) found.push(key);
    return value;
  });
  return found;
}

const gateway = createGateway({ baseUrl: "http://127.0.0.1:1/api/v2", token: "t" });

/** The body is taken (then its bytes are good JSON without a prototype), or refused in one sentence that names the row. */
function expectTakenOrRefused(entry: AnyRoute, body: unknown, query?: unknown): boolean {
  try {
    const bytes = gateway.exactBytes(entry.id, body);
    const text = Buffer.from(bytes).toString("utf8");
    if (text !== "") {
      expectOrdinary(JSON.parse(text));
      expect(text).not.toMatch(/\\ud[89a-f]/i);
    }
    if (entry.query && query !== undefined) check(entry.query, query);
    return true;
  } catch (error) {
    if (!Fault.is(error, "GATEWAY_BODY")) throw error;
    expect(error.message).toMatch(/^GATEWAY_BODY: [\w.]+: [^\n]{5,600}\. The request body breaks/);
    expect(error.message).toContain(`${entry.id}: `);
    expect(error.message).not.toMatch(/undefined|\[object|Invalid input|__proto__/);
    return false;
  }
}

describe("kept requests", () => {
  test.each(corpus("requests"))("%s is refused or harmless on every row", (_, bytes) => {
    const body = JSON.parse(bytes.toString("utf8")) as unknown;
    for (const entry of routes) expectTakenOrRefused(entry, body);
    expectClean();
  });

  test("huge ones are refused before a schema is asked", () => {
    const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000)) as unknown;
    for (const entry of routes) {
      expect(expectTakenOrRefused(entry, { where: deep, text: deep, dados: deep })).toBe(false);
      expect(expectTakenOrRefused(entry, deep)).toBe(false);
    }
  });
});

/** Where values stand in an example: every path of it. */
function pathsOf(value: unknown, at: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [[...at]];
  const inside = Array.isArray(value)
    ? value.flatMap((entry, index) => pathsOf(entry, [...at, index]))
    : Object.entries(value).flatMap(([key, entry]) => pathsOf(entry, [...at, key]));
  return [[...at], ...inside];
}

/** The example with one value replaced. */
function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return by;
  if (Array.isArray(value))
    return value.map((entry: unknown, index) =>
      index === head ? replaced(entry, rest, by) : entry,
    );
  return Object.fromEntries(
    Object.entries(value as object).map(([key, entry]) => [
      key,
      key === head ? replaced(entry, rest, by) : (entry as unknown),
    ]),
  );
}

describe(`any request (seed ${SEED})`, () => {
  const forms = routes.flatMap((entry) =>
    Object.keys(entry.variants).map((variant) => [entry.id, variant] as const),
  );

  test("that is an example with one value gone wild is taken or refused in one sentence", () => {
    fc.assert(
      fc.property(fc.constantFrom(...forms), fc.nat(), nasty, ([id, variant], which, value) => {
        const entry = route(id);
        const example: unknown = entry.variants[variant]?.example;
        const paths = pathsOf(example);
        const path = paths[which % paths.length] ?? [];
        expectTakenOrRefused(entry, replaced(example, path, value));
      }),
      { seed: SEED, numRuns: 2_500 },
    );
    expectClean();
  });

  test("made of any names and values is taken or refused in one sentence, and so is any query", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ids), anyText, anyText, (id, text, query) => {
        expectTakenOrRefused(route(id), JSON.parse(text), JSON.parse(query));
      }),
      { seed: SEED, numRuns: 1_500 },
    );
    expectClean();
  });
});
