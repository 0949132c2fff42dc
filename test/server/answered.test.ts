/** `POST /outbox/:account/:contact/:id/answer`: a chat file tells a sandbox what the house would have done. Nobody else is told anything. */
import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { createActions } from "../../src/app/actions.ts";
import type { JsonObject } from "../../src/base/index.ts";
import { CUSTOMER, issue, rig, WAITER, type Asked, type Rig } from "../worker/rig.ts";
import { type House, openHouse } from "./house.ts";
import { noteActions } from "../../src/plugins/invoicing/http/actions.ts";

const TOKEN = "admin-token-of-this-test";
const SANDBOX = { sandboxUrl: "http://127.0.0.1:1" };
const PATH = `/api/outbox/demo/${"0".repeat(32)}/e1/answer`;
const RESULT = { outcome: "done", out: { name: "Ana" } };

let house: House | undefined;
let it: Rig | undefined;
afterEach(async () => {
  await house?.close();
  await it?.close();
  house = it = undefined;
});

/** Status of the answer, and whether anything was done about it. */
async function told(
  on: House,
  how: { readonly from?: string; readonly headers?: Record<string, string> } = {},
) {
  const answer = await on.app.inject({
    ...{ method: "POST", url: PATH, payload: RESULT },
    remoteAddress: how.from ?? "127.0.0.1",
    headers: { host: "localhost:3000", ...how.headers },
  });
  return [answer.statusCode, on.done.filter(({ what }) => what === "answerEffect").length];
}

describe("an answer told in the world's place", () => {
  test("is taken by a sandbox's server on this machine, and written down as a deed", async () => {
    house = await openHouse({ deps: () => SANDBOX });
    expect(await told(house)).toEqual([200, 1]);
    const audit = await house.app.inject({ url: "/api/audit", headers: { host: "localhost" } });
    expect(audit.body).toContain("outbox.answer");
  });

  test("is unknown to a server of a real gateway, also with the operator's token", async () => {
    house = await openHouse({ deps: () => ({ adminToken: TOKEN }) });
    expect(await told(house, { headers: { authorization: `Bearer ${TOKEN}` } })).toEqual([404, 0]);
  });

  test("is refused from elsewhere: another machine, another name, another page", async () => {
    house = await openHouse({ deps: () => SANDBOX });
    expect(await told(house, { from: "192.0.2.7" })).toEqual([403, 0]);
    expect(await told(house, { headers: { host: "evil.example.org" } })).toEqual([403, 0]);
    const origin = "https://evil.example.org";
    expect(await told(house, { headers: { origin } })).toEqual([403, 0]);
  });

  test("needs the operator's token where there is one, on this machine too", async () => {
    house = await openHouse({ deps: () => ({ ...SANDBOX, adminToken: TOKEN }) });
    expect(await told(house)).toEqual([401, 0]);
    expect(await told(house, { headers: { authorization: "Bearer wrong" } })).toEqual([401, 0]);
    expect(await told(house, { headers: { authorization: `Bearer ${TOKEN}` } })).toEqual([200, 1]);
  });

  test("has one of the four outcomes and fields", async () => {
    house = await openHouse({ deps: () => SANDBOX });
    for (const payload of [{ outcome: "issued", out: {} }, { outcome: "done" }, {}]) {
      const headers = { host: "localhost" };
      const answer = await house.app.inject({ method: "POST", url: PATH, payload, headers });
      expect(answer.statusCode).toBe(400);
    }
    expect(house.done).toEqual([]);
  });
});

describe("an effect is answered in the world's place", () => {
  async function held(asked: Asked, scope: string) {
    it = await rig();
    await it.store.pause(scope, "held back by this test");
    const [id = ""] = await it.asks(CUSTOMER, asked);
    const { store, worker, clock } = it;
    const none = {} as never;
    const parts = { store, worker, clock, library: none, layouter: none, works: true };
    const ref = { account: "demo", contact: await it.contact(CUSTOMER), id };
    const mails = async () =>
      (await store.claim({ owner: randomUUID(), contacts: 10, events: 100, leaseMs: 1 })).flatMap(
        ({ mail }) => mail,
      ).length;
    return { ref, actions: createActions(parts), mails };
  }

  const call = (name: string, of: Asked["class"], input: JsonObject) =>
    ({ type: "call", class: of, name, waiter: WAITER, input }) as Asked;

  test.each([
    ["a note", issue(), "credits:demo"],
    ["a note by its bare route", call("invoicing.nfseEnvio", "fiscal", {}), "credits:demo"],
    ["a lookup that costs", call("invoicing.cnpjConsulta", "costly", {}), "credits:demo"],
    [
      "what calls itself the house's own, but files taxes",
      call("notes.find", "fiscal", {}),
      "local:notes.find",
    ],
    [
      "what calls itself the house's own, but costs",
      call("notes.find", "costly", {}),
      "local:notes.find",
    ],
  ])("never when it is %s", async (_what, asked, scope) => {
    const { ref, actions, mails } = await held(asked, scope);
    expect(await actions.answerEffect(ref, RESULT)).toMatchObject({ reason: "refused" });
    expect(await mails()).toBe(0);
  });

  test("only while it is held back, and once", async () => {
    const { ref, actions, mails } = await held(call("notes.find", "read", {}), "local:other");
    expect(await actions.answerEffect(ref, RESULT)).toMatchObject({ reason: "refused" });
    await it?.store.pause("local:notes.find", "held back by this test");
    expect(await actions.answerEffect(ref, RESULT)).toEqual({ ok: true });
    expect(await actions.answerEffect(ref, RESULT)).toEqual({ ok: true });
    expect(await mails()).toBe(1);
    expect(await actions.answerEffect({ ...ref, id: "none" }, RESULT)).toMatchObject({
      reason: "absent",
    });
  });
});

describe("books are written from outside", () => {
  const NOTE = { number: "7", by: "5511988880001", fields: { value: "9000" } };

  test("only of a business made for a chat file: nobody else's are touched", async () => {
    it = await rig();
    const { worker, account } = it;
    const actions = noteActions(worker.context);
    expect(await actions.setNotes(account, [NOTE])).toMatchObject({ reason: "refused" });
    expect(await actions.invoices(account.id)).toEqual([]);
    const guest = { ...account, id: "replay-0a1b" };
    expect(await actions.setNotes(guest, [NOTE, { ...NOTE, number: "8" }])).toEqual({ ok: true });
    const numbers = (await actions.invoices(guest.id)).map(({ number }) => number);
    expect(numbers.sort()).toEqual(["7", "8"]);
    // Again is not twice, and nothing is nothing.
    expect(await actions.setNotes(guest, [NOTE])).toEqual({ ok: true });
    expect(await actions.invoices(guest.id)).toMatchObject([{ number: "7", cents: 9_000 }]);
    expect(await actions.setNotes(guest, [])).toEqual({ ok: true });
    expect(await actions.invoices(guest.id)).toEqual([]);
  });

  test("by a request to a sandbox's server, written down as a deed, and unknown to others", async () => {
    for (const [deps, status] of [
      [SANDBOX, 200],
      [{}, 404],
    ] as const) {
      house = await openHouse({ deps: () => deps });
      const put = { method: "PUT", url: "/api/accounts/demo/notes" } as const;
      const headers = { host: "localhost" };
      const payload = { notes: [NOTE] };
      const answer = await house.app.inject({ ...put, headers, payload });
      expect(answer.statusCode).toBe(status);
      expect(house.done).toHaveLength(status === 200 ? 1 : 0);
      await house.close();
    }
  });
});
