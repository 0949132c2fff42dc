/** The sandbox's second registration, lent to a business that is there for a while. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { CUSTOMER, FIRST, SECOND, rowsOf, stage, type Stage } from "./stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());

const TOKEN = "t".repeat(32);
const text = { number: CUSTOMER, text: "oi" };
const companies = async (caller: string) =>
  rowsOf((await now.http("GET", `/sandbox/issuers?caller=${caller}`)).body);

test("a guest has a phone and an issuer of its own, and leaves neither companies nor faults behind", async () => {
  const home = await companies("sandbox");
  const guest = (await now.http("PUT", "/sandbox/guest", { token: TOKEN })).body;
  expect(guest).toMatchObject({ caller: "sandbox-2", device: "sandbox-device-2" });
  expect(await companies("sandbox-2")).toMatchObject([{ emitente_id: guest["issuer"] }]);
  const subscriptions = rowsOf((await now.http("GET", "/sandbox/subscriptions")).body);
  const urls = JSON.stringify(subscriptions);
  expect(urls).toContain(`/webhooks/engine-b/${TOKEN}`);

  // Its faults strike its own calls alone, and a fault of somebody else stays when it goes.
  const effect = { kind: "status", status: 500 };
  await now.http("POST", "/sandbox/faults", { caller: "sandbox-2", effect });
  expect((await now.call("message.sendText", text, { as: FIRST })).status).toBe(200);
  expect((await now.call("message.sendText", text, { as: SECOND })).status).toBe(500);
  await now.http("POST", "/sandbox/faults", { route: "jobs.list", effect });
  expect((await now.http("DELETE", "/sandbox/guest")).status).toBe(200);
  expect((await now.call("message.sendText", text, { as: SECOND })).status).toBe(200);
  expect(rowsOf((await now.http("GET", "/sandbox/faults")).body)).toMatchObject([
    { route: "jobs.list" },
  ]);
  expect(await companies("sandbox-2")).toEqual([]);
  expect(await companies("sandbox")).toEqual(home);
});

test("a fault is of somebody who may call, and a guest of a webhook token", async () => {
  const effect = { kind: "reset" };
  const fault = await now.http("POST", "/sandbox/faults", { caller: "nobody", effect });
  expect(fault.status).toBe(422);
  expect((await now.http("PUT", "/sandbox/guest", { token: "../x" })).status).toBe(422);
});
