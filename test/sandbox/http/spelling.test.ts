import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/index.ts";
import { createGateway, routes } from "../../../src/gateway/index.ts";
import { shapeBody } from "../../../src/gateway/profile.ts";
import { todaysSpelling, fieldErrors } from "../../../src/sandbox/http/validation.ts";
import { CUSTOMER, rowsOf, stage, type Stage } from "../stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());

const variants = routes
  .filter((route) => route.area === "messaging")
  .flatMap((route) =>
    Object.entries(route.variants).map(
      ([variant, { example }]) => [`${route.id} ${variant}`, route, example as JsonObject] as const,
    ),
  );
const QUERY = { groupJid: "120363000000000001@g.us", getParticipants: "false" };

describe("a body of the engine's first generation", () => {
  test.each(variants)("of %s passes as today's would", (_name, route, example) => {
    const old = shapeBody(route, example, { bodies: "v1" });
    const errors = fieldErrors(route, todaysSpelling(old), QUERY);
    expect(errors).toEqual(fieldErrors(route, example, QUERY));
  });

  test("is sent, quote and all, and is remembered as it came", async () => {
    const gateway = createGateway({
      baseUrl: now.sandbox.gatewayUrl(),
      token: "sandbox-token",
      deviceToken: "sandbox-device",
      profile: { bodies: "v1" },
    });
    const first = await gateway.message.sendText({ number: CUSTOMER, text: "um" });
    const id = first.kind === "ok" ? (first.data.key?.id ?? "") : "";
    const reply = await gateway.message.sendText({
      number: CUSTOMER,
      text: "dois",
      quoted: { key: { id } },
    });
    expect(reply).toMatchObject({ kind: "ok", raw: { contextInfo: { stanzaId: id } } });
    const rows = rowsOf((await now.http("GET", "/sandbox/messages")).body);
    expect(rows.map((row) => row["text"])).toEqual(["um", "dois"]);
    expect(rows[0]?.["body"]).toMatchObject({ textMessage: { text: "um" } });
    await gateway.close();
  });

  test("does not speak against today's fields beside it", () => {
    const body = { number: CUSTOMER, text: "hoje", textMessage: { text: "ontem" } };
    expect(todaysSpelling(body)).toMatchObject({ text: "hoje" });
  });

  test("of today is left as it is", () => {
    const body = { number: CUSTOMER, text: "oi", options: { delay: 1, presence: "composing" } };
    expect(todaysSpelling(body)).toBe(body);
  });
});
