/** Forms of one call that all deployments differ in: where a filter travels, and what a call without a body looks like. */
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGateway, pathOf, routes, type GatewayProfile } from "../../src/gateway/index.ts";
import { CUSTOMER, stage, type Stage } from "./stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());

const gatewayOf = (profile: GatewayProfile) =>
  createGateway({
    baseUrl: now.sandbox.gatewayUrl(),
    token: "sandbox-token",
    deviceToken: "sandbox-device",
    profile,
  });

describe("the sandbox takes a call in every form a deployment may want", () => {
  test.each<[string, GatewayProfile]>([
    ["the query", {}],
    ["the body of the GET", { filters: "body" }],
  ])("the filter of findMessages works in %s", async (_, profile) => {
    await now.http("POST", "/sandbox/reset", {});
    const gateway = gatewayOf(profile);
    const sent = await gateway.message.sendText({ number: CUSTOMER, text: "um" });
    await gateway.message.sendText({ number: CUSTOMER, text: "dois" });
    await gateway.message.sendText({ number: "5511900000077", text: "três" });
    const id = sent.kind === "ok" ? (sent.data.key?.id ?? "") : "";
    const remoteJid = `${CUSTOMER}@s.whatsapp.net`;
    const count = async (where: object, page?: number) => {
      const found = await gateway.chat.findMessages({
        where,
        offset: 1,
        ...(page ? { page } : {}),
      });
      return found.kind === "ok" ? found.data.messages.total : found;
    };
    expect(await count({ key: { id } })).toBe(1);
    expect(await count({ key: { remoteJid } }, 2)).toBe(2);
    expect(await count({ key: { remoteJid, fromMe: false } })).toBe(0);
    expect(await count({ key: { remoteJid, fromMe: true } })).toBe(2);
    await gateway.close();
  });

  test.each(routes.filter((route) => route.bodiless).map((route) => [route.id, route] as const))(
    "%s is taken with the JSON content type and no byte of body",
    async (_, route) => {
      await now.http("POST", "/sandbox/reset", {});
      const query = route.group
        ? "?groupJid=120363000000000001%40g.us"
        : route.id === "group.fetchAllGroups"
          ? "?getParticipants=false"
          : "";
      const answer = await request(`${now.sandbox.gatewayUrl()}${pathOf(route)}${query}`, {
        method: route.method,
        headers: {
          "content-type": "application/json",
          authorization: "Bearer sandbox-token",
          DeviceToken: "sandbox-device",
        },
      });
      const body = (await answer.body.json()) as { errors?: unknown };
      expect(body.errors).toBeUndefined();
      expect([401, 413, 415, 422, 500]).not.toContain(answer.statusCode);
      expect(JSON.stringify(body)).not.toMatch(/JSON|corpo/i);
    },
  );
});
