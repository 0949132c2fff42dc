import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pathOf, queuePaths, routes, type AnyRoute } from "../../src/gateway/index.ts";
import { playable, queryOf, rehearse } from "../support/rehearsal.ts";
import { FIRST, stage, type Headers, type Stage, rowsOf } from "./stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());

function bodyOf(route: AnyRoute, example: unknown): unknown {
  if (route.method === "GET") return undefined;
  const body = playable(example, now.sandbox.url());
  return route.tipo === null ? body : { ...(body as object), tipo: route.tipo };
}

function targetOf(path: string, route: AnyRoute): string {
  const query = new URLSearchParams(queryOf(route)).toString();
  return `/api/v2${path}${query === "" ? "" : `?${query}`}`;
}

function hit(route: AnyRoute, as: Headers, body: unknown) {
  return now.http(route.method, targetOf(pathOf(route), route), body, { ...as });
}

/** Their answer has one form, or is the example's by chance: what they did is looked up in their own tests. */
const FIXED = new Set([
  ...["chat.updateProfileName", "chat.updateProfileStatus", "chat.updateProfilePicture"],
  ...["chat.removeProfilePicture", "chat.updatePrivacySettings", "group.updateGroupPicture"],
  ...["group.updateGroupSubject", "group.updateGroupDescription", "group.updateSetting"],
  ...["instance.logout", "instance.delete", "label.handleLabel", "call.offer"],
  "chat.fetchProfilePictureUrl",
]);

describe("every declared route", () => {
  test.each(routes.map((route) => [route.id, route] as const))(
    "%s refuses a missing and a wrong bearer with 401",
    async (_id, route) => {
      const body = bodyOf(route, route.example.body);
      expect((await hit(route, {}, body)).status).toBe(401);
      const wrong = { ...FIRST, authorization: "Bearer nobody" };
      expect((await hit(route, wrong, body)).status).toBe(401);
    },
  );

  test.each(routes.map((route) => [route.id, route] as const))(
    "%s wants the device token exactly when the contract says so",
    async (_id, route) => {
      const body = bodyOf(route, route.example.body);
      const bare = await hit(route, { authorization: FIRST.authorization ?? "" }, body);
      if (route.auth === "bearer+device") expect(bare.status).toBe(401);
      else expect([200, 422]).toContain(bare.status);
      if (route.auth === "bearer") return;
      const other = { ...FIRST, devicetoken: "sandbox-device-2" };
      expect((await hit(route, other, body)).status).toBe(403);
    },
  );

  test.each(
    routes.flatMap((route) =>
      Object.entries(route.variants).map(
        ([variant, { example }]) => [`${route.id} ${variant}`, route, example] as const,
      ),
    ),
  )("%s takes its documented body and answers in its envelope", async (_name, route, example) => {
    await rehearse(now.sandbox.url());
    const answer = await hit(route, FIRST, bodyOf(route, example));
    if (route.id === "jobs.find") {
      expect(answer.status).toBe(422);
      return;
    }
    expect(answer.status).toBe(200);
    if (route.queue === "only") {
      expect(answer.body["id"]).toMatch(/^[0-9a-f-]{36}$/);
      return;
    }
    if (route.area === "jobs") {
      expect(answer.body["data"]).toEqual([]);
      return;
    }
    expect(typeof answer.body["error"]).toBe("boolean");
    if (route.billing === "credits") {
      expect(answer.body["balance"]).toMatch(/^\d+[.,]\d{2,3}$/);
      expect(answer.body["api_limit_for"]).toBe("credit");
    } else {
      expect(answer.body["error"]).toBe(false);
      expect(answer.body["response"]).toBeDefined();
      expect(answer.body["api_limit_used"]).toBe(1);
      expect(route.response.safeParse(answer.body["response"]).success).toBe(true);
    }
  });

  test.each(
    routes.filter(({ area }) => area === "messaging").map((route) => [route.id, route] as const),
  )("%s answers by the state of things, not by its example", async (_id, route) => {
    await rehearse(now.sandbox.url());
    const answer = await hit(route, FIRST, bodyOf(route, route.example.body));
    const { response } = route.example.response as { response?: unknown };
    if (FIXED.has(route.id)) return;
    expect(answer.body["response"] ?? answer.body).not.toEqual(response ?? route.example.response);
  });

  test("a body that breaks the contract is answered 422 with errors by field, and is charged", async () => {
    await now.http("POST", "/sandbox/reset", {});
    const answer = await now.call("message.sendText", { number: "5511900000002" });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body["errors"] as object)).toEqual(["text"]);
    expect((await now.http("GET", "/sandbox/ledger")).body).toHaveLength(1);
  });

  test("keys that nobody knows are let through", async () => {
    const answer = await now.call("message.sendText", {
      number: "5511900000002",
      text: "oi",
      somethingNew: 1,
    });
    expect(answer.status).toBe(200);
  });

  test("a group route without its group is refused", async () => {
    expect((await now.call("group.inviteCode")).status).toBe(422);
  });
});

describe("queue forms", () => {
  test.each(queuePaths().map(({ path, route }) => [path, route] as const))(
    "%s answers a job id at once, or says that there is no queue",
    async (path, route) => {
      const answer = await now.http(
        route.method,
        targetOf(path, route),
        route.method === "GET" ? undefined : route.example.body,
        { ...FIRST },
      );
      if (route.queue === "refused") {
        expect(answer.status).toBe(400);
        expect(answer.body["code"]).toBe("queue_not_available");
      } else {
        expect(answer.status).toBe(200);
        expect(answer.body["id"]).toMatch(/^[0-9a-f-]{36}$/);
        expect(typeof answer.body["message"]).toBe("string");
      }
    },
  );
});

describe("callers", () => {
  test("a registration by CPF is refused by invoicing and served by messaging", async () => {
    const as = { authorization: "Bearer sandbox-token-cpf", devicetoken: "sandbox-device-cpf" };
    expect((await now.call("invoicing.emitentesLista", {}, { as })).status).toBe(403);
    const sent = await now.call(
      "message.sendText",
      { number: "5511900000002", text: "oi" },
      { as },
    );
    expect(sent.status).toBe(200);
  });

  test("an unknown tipo is refused with 422", async () => {
    const answer = await now.http(
      "POST",
      "/api/v2/consulta/emissao-notas/credits",
      { tipo: "nfe-envio" },
      { ...FIRST },
    );
    expect(answer.status).toBe(422);
  });
});

describe("bad input", () => {
  test.each([
    ["broken JSON", '{"number":', 400],
    ["an array", "[1]", 400],
    ["nesting without end", `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, 400],
    ["wrong types", '{"number":5,"text":{}}', 422],
  ])("%s is refused and the process stays healthy", async (_what, body, status) => {
    const target = "/api/v2/msgengine/message/sendText";
    expect((await now.http("POST", target, body, { ...FIRST })).status).toBe(status);
    expect((await now.http("GET", "/sandbox/clock")).status).toBe(200);
  });

  test("a body beyond the limit is refused with 413", async () => {
    const body = JSON.stringify({ number: "5511900000002", text: "x".repeat(25 * 1_024 * 1_024) });
    const target = "/api/v2/msgengine/message/sendText";
    const status = await now.http("POST", target, body, { ...FIRST }).then(
      (answer) => answer.status,
      () => 413, // The connection may be closed before the whole body was taken.
    );
    expect(status).toBe(413);
    expect((await now.http("GET", "/sandbox/clock")).status).toBe(200);
  });

  test("an address that is no route is answered 404 and written down", async () => {
    expect((await now.http("POST", "/api/v2/nothing", {}, { ...FIRST })).status).toBe(404);
    const rows = rowsOf((await now.http("GET", "/sandbox/requests")).body);
    expect(rows.at(-1)).toMatchObject({ path: "/api/v2/nothing", route: null, status: 404 });
  });

  test("names and pages of other machines are refused", async () => {
    expect(
      (await now.http("GET", "/sandbox/clock", undefined, { host: "evil.example" })).status,
    ).toBe(403);
    const origin = "http://evil.example";
    expect((await now.http("GET", "/sandbox/clock", undefined, { origin })).status).toBe(403);
    const local = { origin: "http://localhost:3000" };
    expect((await now.http("GET", "/sandbox/clock", undefined, local)).status).toBe(200);
  });
});
