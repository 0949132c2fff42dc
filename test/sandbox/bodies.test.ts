import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pathOf, routes } from "../../src/gateway/index.ts";
import { readBody } from "../../src/sandbox/http/request-body.ts";
import { CUSTOMER, FIRST, rowsOf, stage, textOf, type Stage } from "./stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());

const TARGET = "/api/v2/msgengine/message/sendText";
const post = (body: string, headers: Record<string, string> = {}) =>
  now.http("POST", TARGET, body, { ...FIRST, ...headers });
const GOOD = JSON.stringify({ number: CUSTOMER, text: "oi" });

/** Bytes on a bare connection; the beginning of what comes back. */
async function raw(bytes: string): Promise<string> {
  const { port } = new URL(now.sandbox.url());
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
    socket.once("data", (data) => {
      socket.destroy();
      resolve(data.toString("latin1"));
    });
    socket.once("error", reject);
  });
}

const HEAD = `POST ${TARGET} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer sandbox-token\r\nDeviceToken: sandbox-device\r\nContent-Type: application/json\r\n`;

describe("bodies that no honest client sends are refused with 400, charged, and leave nothing", () => {
  test.each([
    ["a key twice", `{"number":"${CUSTOMER}","text":"a","text":"b"}`],
    ["a key twice by an escape", `{"number":"${CUSTOMER}","text":"a","t\\u0065xt":"b"}`],
    [
      "a key twice deep inside",
      `{"number":"${CUSTOMER}","text":"a","options":{"delay":1,"delay":2}}`,
    ],
    ["__proto__", `{"number":"${CUSTOMER}","text":"a","__proto__":{"polluted":true}}`],
    [
      "__proto__ by an escape",
      `{"number":"${CUSTOMER}","text":"a","\\u005f_proto__":{"polluted":true}}`,
    ],
    ["half a character", `{"number":"${CUSTOMER}","text":"a\\ud83d"}`],
    ["half a character in a key", `{"number":"${CUSTOMER}","text":"a","\\udc00":1}`],
    ["100,000 arrays", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["100,000 objects", '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)],
    ["a string without end", '{"number":"'],
    ["a list", "[1]"],
    ["null", "null"],
    ["a text", '"oi"'],
  ])("%s", async (_what, body) => {
    await now.http("POST", "/sandbox/reset", {});
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body["error"]).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((await now.http("GET", "/sandbox/messages")).body).toEqual([]);
    expect((await now.http("GET", "/sandbox/ledger")).body).toHaveLength(1);
  });

  test("text that is not UTF-8", async () => {
    const bytes = `${HEAD}Content-Length: 3\r\nConnection: close\r\n\r\n"\xff"`;
    const answer = await new Promise<string>((resolve) => {
      const { port } = new URL(now.sandbox.url());
      const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes, "latin1"));
      socket.once("data", (data) => resolve(data.toString("latin1")));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("escapes that make whole characters are text like any other", async () => {
    expect((await post(`{"number":"${CUSTOMER}","text":"\\ud83d\\ude42 \\\\"}`)).status).toBe(200);
  });
});

describe("content types", () => {
  test.each([
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain;charset=UTF-8",
    "application/jsonp",
  ])("%s is refused with 415", async (type) => {
    const answer = await post(GOOD, { "content-type": type });
    expect(answer.status).toBe(415);
    expect(answer.body["message"]).toMatch(/application\/json/);
  });

  test.each(["application/json", "Application/JSON; charset=utf-8", "application/vnd.api+json"])(
    "%s is taken",
    async (type) => {
      expect((await post(GOOD, { "content-type": type })).status).toBe(200);
    },
  );

  test("the controls take a line typed by hand, whatever its type", async () => {
    const type = { "content-type": "application/x-www-form-urlencoded" };
    expect((await now.http("PUT", "/sandbox/queue", "{}", type)).status).toBe(200);
  });
});

test("a control refuses on one line, with every path and its reason", async () => {
  const wrong = { delay_ms: -1, available: "no", futuro: 1 };
  const { status, body } = await now.http("PUT", "/sandbox/queue", wrong);
  expect(status).toBe(422);
  const message = textOf(body["message"]);
  expect(message).not.toContain("\n");
  for (const part of ["available: ", "delay_ms: ", "futuro"]) expect(message).toContain(part);
  const proto = await now.http("PUT", "/sandbox/queue", '{"__proto__":{"available":false}}');
  expect(proto.status).toBe(400);
  expect(proto.body["message"]).toContain("__proto__");
});

describe("rows without a body", () => {
  const bodiless = routes.filter(
    (route) =>
      route.method !== "GET" &&
      route.area === "messaging" &&
      JSON.stringify(route.example.body) === "{}",
  );

  test.each(bodiless.map((route) => [`${route.method} ${route.id}`, route] as const))(
    "%s takes no bytes, an empty object and blanks alike",
    async (_name, route) => {
      const query = route.group ? "?groupJid=120363000000000001%40g.us" : "";
      for (const body of [undefined, "{}", " \n"]) {
        const path = `/api/v2${pathOf(route)}${query}`;
        const answer = await now.http(route.method, path, body, { ...FIRST });
        expect([415, 422, 500]).not.toContain(answer.status);
      }
    },
  );
});

describe("a body beyond the limit", () => {
  test("is refused by its declared length, before it is sent, and written down", async () => {
    await now.http("POST", "/sandbox/reset", {});
    const answer = await raw(`${HEAD}Content-Length: ${64 * 1_024 * 1_024}\r\n\r\n{"number":"`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    const rows = rowsOf((await now.http("GET", "/sandbox/requests")).body);
    expect(rows).toMatchObject([{ status: 413, route: null, body: {} }]);
  });
});

describe("reading bodies", () => {
  test("any JSON object comes out as it went in, and its kept form holds no secret", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (object) => {
        const text = JSON.stringify({ ...object, senha: "não guardar" });
        const read = readBody(Buffer.from(text), "application/json");
        const proto = /"__proto__":/.test(text);
        expect(read.ok).toBe(!proto);
        if (!read.ok) return;
        expect(read.value).toEqual(JSON.parse(text));
        expect(JSON.stringify(read.kept)).not.toContain("não guardar");
      }),
    );
  });

  test("any bytes are read or refused, never thrown at", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(typeof readBody(Buffer.from(bytes), "application/json").ok).toBe("boolean");
      }),
    );
  });
});
