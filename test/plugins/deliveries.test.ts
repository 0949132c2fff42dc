/** A second plugin beside invoicing, in one process and one account: each of its hooks is at work, and notes are issued as ever. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { FLOWS_FOLDER } from "../../src/app/places.ts";
import { testFlows } from "../../src/app/index.ts";
import { type Phone } from "../support/phone.ts";
import { programFile, type Prosa, prosa as command, startProsa } from "../support/prosa.ts";
import { CPF, ISSUED, notesOf, OPERATOR } from "../e2e/note.ts";

// A whole process starts here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const TOKEN = "deliveries-token-of-24-characters";
const folder = mkdtempSync(path.join(tmpdir(), "prosa-deliveries-"));
let prosa: Prosa;
let ana: Phone;

beforeAll(async () => {
  cpSync(FLOWS_FOLDER, folder, { recursive: true });
  cpSync(path.join(import.meta.dirname, "deliveries"), folder, { recursive: true });
  prosa = await startProsa({ env: { PROSA_FLOWS_DIR: folder } });
  ana = prosa.phone("5511987650001");
});
afterAll(async () => {
  await prosa.close();
  rmSync(folder, { recursive: true, force: true });
});

const told = (code: string, state: string) =>
  prosa.http("POST", `/webhooks/deliveries/${TOKEN}`, { code, state });

test("its settings stand in the account beside those of invoicing", async () => {
  const changed = await prosa.http("PUT", "/api/accounts/demo", {
    carrier: "Ligeiro",
    deliveriesToken: TOKEN,
  });
  expect(changed.status).toBe(200);
  const { account } = (await prosa.http("GET", "/api/accounts/demo")).body;
  expect(account).toMatchObject({
    carrier: "Ligeiro",
    policy: { lateDays: 3, ceiling: 5_000_000 },
  });
  expect(JSON.stringify(account)).not.toContain(TOKEN);
});

test("its webhook keeps a parcel, and its route and page tell of it", async () => {
  expect((await told("PX123456", "out")).status).toBe(200);
  expect((await prosa.http("GET", "/api/parcels/demo")).body).toEqual({
    items: [{ code: "PX123456", state: "out", isAsked: false }],
  });
  expect((await prosa.http("GET", "/parcels/demo/PX123456")).text).toBe("out");
  expect((await prosa.http("GET", "/parcels/demo/PX999999")).status).toBe(404);
});

test("its reader begins the flow; its kind, rule, pipe and effect answer", async () => {
  await ana.asks("cadê meu pacote px123456?", /PX123 456 está a caminho, com Ligeiro/);
  await ana.asks("rastrear pacote", /Qual o código/);
  await ana.asks("não sei", /PX123456/);
  await ana.asks("PX000001", /Não conheço o pacote PX000001/);
});

test("its count stands among the metrics", async () => {
  const { text } = await prosa.http("GET", "/metrics");
  expect(text).toMatch(/deliveries_asked_total\{state="out"\} 1/);
});

test("its tab stands in the console, and its command on the command line", async () => {
  const page = await prosa.http("GET", "/");
  const script = /src="([^"]+\.js)"/.exec(page.text)?.[1] ?? "";
  expect((await prosa.http("GET", script)).text).toContain("Nenhuma entrega");
  const run = command(["parcels", "list"], prosa.env, await programFile());
  expect(await run.ended, run.output()).toBe(0);
  expect(JSON.parse(run.told())).toMatchObject({ items: [{ code: "PX123456" }] });
});

test("its chat file plays with its header, its effect done in memory", async () => {
  const { results } = await testFlows("track", { folder });
  expect(results.map(({ ok, failure }) => failure ?? ok)).toEqual([true]);
});

test("a note is issued as without it", async () => {
  const operator = prosa.phone(OPERATOR);
  await operator.asks(
    "nota de 150 pra Ana Souza cpf 529.982.247-25, corte de cabelo, hoje",
    /Confere/,
  );
  await operator.asks("EMITIR", ISSUED, 30_000);
  expect(await notesOf(prosa, CPF)).toHaveLength(1);
});

test("its chore raises an alarm that a phone is told of", async () => {
  await prosa.advance("4d");
  await prosa.phone(OPERATOR).waitFor(/O pacote PX123456 está atrasado/, 30_000);
});

test("a person's own copy holds the parcels she asked about, and erasing her takes her off them", async () => {
  const { items } = (await prosa.http("GET", "/api/sessions?account=demo")).body as unknown as {
    items: readonly { contact: string; address?: string }[];
  };
  const contacts = items.map(({ contact }) => contact);
  const copies = await Promise.all(
    contacts.map((one) => prosa.http("GET", `/api/sessions/demo/${one}/export`)),
  );
  const at = copies.findIndex(({ body }) => JSON.stringify(body["documents"]).includes("PX123456"));
  expect(copies[at]?.body["documents"]?.["parcels"]).toEqual(["PX123456"]);

  expect((await prosa.http("DELETE", `/api/sessions/demo/${contacts[at]}`)).status).toBe(200);
  expect((await prosa.http("GET", "/api/parcels/demo")).body).toEqual({
    items: [{ code: "PX123456", state: "out", isAsked: false }],
  });
});
