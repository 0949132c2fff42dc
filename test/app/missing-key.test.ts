/** An entry of `PROSA_KEYS` that was taken out too early: whose data waits for it is refused, and an operator is told. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { createServer as createHttp } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { examine } from "../../src/app/operator/doctor.ts";
import { startProsa } from "../../src/app/index.ts";
import { readSettings } from "../../src/app/settings.ts";
import { aliases } from "../../src/channels/index.ts";
import { openStore } from "../../src/store/index.ts";
import { until } from "../sandbox/stage.ts";

const key = (kid: string, byte: number) => `${kid}:${Buffer.alloc(32, byte).toString("base64")}`;
const [OLD, NEW] = [key("old", 7), key("new", 9)];
const PHONE = "5511987650001";
const TOKEN = "demo0000000000000000000000000000";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function freePort(): Promise<string> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, "127.0.0.1", done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return String(port);
}

/** Whoever is told of alarms by the process. */
async function receiver(): Promise<{ url: string; told: Record<string, unknown>[] }> {
  const told: Record<string, unknown>[] = [];
  const server = createHttp((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      told.push(JSON.parse(text) as Record<string, unknown>);
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  undo.push(() => new Promise((done) => server.close(done)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, told };
}

test("a contact under an entry that is not given is an alarm without anybody's data, and doctor names the entry", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "prosa-missing-"));
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
  // Somebody wrote while the old entry was in use, and was not wrapped anew when it went.
  const before = await openStore({ dataDir, keys: OLD });
  const contact = await before.contacts.identify(
    "demo",
    aliases({ phone: PHONE, address: PHONE }, "sms"),
  );
  await before.mail.accept([{ account: "demo", contact, event: "first", mail: { kind: "none" } }]);
  const [claimed] = await before.mail.claim({ owner: "o", contacts: 1, events: 1, leaseMs: 5_000 });
  if (!claimed) throw new Error("the contact was expected to be ready");
  const { account, epoch, rev } = claimed;
  const commit = { account, contact, epoch, rev, applied: 1, session: { said: "oi" } };
  await before.mail.commit([{ ...commit, effects: [], due: null, journal: [] }]);
  await before.close();
  await (await openStore({ dataDir, keys: `${NEW},${OLD}` })).close();

  const alerts = await receiver();
  const settings = readSettings({
    ...{ PROSA_DATA_DIR: dataDir, PROSA_KEYS: NEW, LOG_LEVEL: "silent", ALERT_URL: alerts.url },
    ...{ PORT: await freePort(), SANDBOX_PORT: "0" },
  });
  const prosa = await startProsa(settings, { role: "all" });
  undo.push(() => prosa.stop());
  const says = async (from: string) => {
    const answer = await fetch(`${prosa.url}/webhooks/sms/${TOKEN}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify([{ id: `of-${from}`, reply: "oi", from }]),
    });
    return answer.status;
  };

  expect(await says("5511987650002")).toBe(200);
  expect(await says(PHONE)).toBe(503);
  const alarm = await until(async () => alerts.told.find(({ code }) => code === "keys.missing"));
  expect(alarm).toMatchObject({
    subject: "old",
    message: expect.stringContaining("PROSA_KEYS") as string,
  });
  const words = JSON.stringify(alarm);
  expect(words).not.toContain(PHONE.slice(2));
  expect(words).not.toContain(contact);
  expect(await says(PHONE)).toBe(503);
  expect(alerts.told.filter(({ code }) => code === "keys.missing")).toHaveLength(1);

  const keys = (await examine(() => settings)).find(({ what }) => what === "keys");
  expect(keys).toMatchObject({ ok: false, found: expect.stringContaining("1 by old") as string });
});
