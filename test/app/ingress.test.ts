/** `--role ingress`: what it heard of and paid for when it ends, is in the store for the processes that work. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { startProsa } from "../../src/app/index.ts";
import { DEMO_TOKEN } from "../../src/app/start/demo.ts";
import { readSettings } from "../../src/app/settings.ts";
import { openConfiguredStore } from "../../src/app/start/storage.ts";
import { until } from "../sandbox/stage.ts";

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

test("its alarms and its calls are written down before it is gone, and it makes no turn", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "prosa-ingress-"));
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const settings = readSettings({
    ...{ PROSA_DATA_DIR: dataDir, PORT: await freePort(), SANDBOX_PORT: await freePort() },
    LOG_LEVEL: "silent",
  });
  const prosa = await startProsa(settings, { role: "ingress" });
  undo.push(() => prosa.stop());
  const post = async (url: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.status).toBeLessThan(300);
  };
  const sandbox = `http://127.0.0.1:${settings.sandbox.port}/sandbox`;
  const effect = { kind: "status", status: 500 };
  await post(`${sandbox}/faults`, { route: "engineC.connect", effect });
  const from = "5511987650001";
  await post(`${prosa.url}/webhooks/sms/${DEMO_TOKEN}`, [{ id: "a", reply: "oi", from }]);
  const event = { event: "Connected", instanceName: "c", data: { status: "open" } };
  await post(`${prosa.url}/webhooks/engine-c/${DEMO_TOKEN}`, event);
  const asked = async () => {
    const rows = (await (await fetch(`${sandbox}/requests`)).json()) as { route: string }[];
    return rows.filter(({ route }) => route === "engineC.connect").length;
  };
  await until(async () => (await asked()) === 2);
  await prosa.stop();

  const store = await openConfiguredStore(settings);
  undo.push(() => store.close());
  const pages = await store.documents.get("pages", "demo");
  expect(pages?.value["codes"]).toMatchObject({ "channel.filter": { untold: 1 } });
  const month = new Date().toISOString().slice(0, 7);
  expect((await store.documents.get("budget", `demo.${month}`))?.value).toMatchObject({ calls: 2 });
  expect((await store.views.backlog()).counters).toMatchObject({ accepted: 1, applied: 0 });
});
