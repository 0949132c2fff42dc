/** The shipped bot without the plugin line of its config.ts: what does not need the plugin goes on, the rest is told. */
import { cpSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { FlowsFolder } from "../app/flows-folder.ts";
import { type Prosa, startProsa } from "../support/prosa.ts";
import { customer } from "./note.ts";

// A whole process starts here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const folder = new FlowsFolder();
let prosa: Prosa;
beforeAll(async () => {
  cpSync(path.resolve(import.meta.dirname, "../../flows"), folder.path, { recursive: true });
  folder.write(
    "config.ts",
    'import { defineBot } from "prosa";\nexport default defineBot({ languages: ["pt-BR", "en"] });\n',
  );
  prosa = await startProsa({ env: { PROSA_FLOWS_DIR: folder.path } });
});
afterAll(async () => {
  folder.remove();
  await prosa.close();
});

test("starts, and has one line for each flow that needs the plugin", () => {
  const lines = prosa
    .log()
    .split("\n")
    .filter((line) => line.includes("is left out"))
    .map((line) => JSON.parse(line) as { flow: string; msg: string; where: string });
  const flows = lines.map(({ flow }) => flow);
  expect(new Set(flows).size).toBe(flows.length);
  expect(flows).toContain("request-invoice");
  expect(flows).not.toContain("menu");
  expect(lines.find(({ flow }) => flow === "cancel-note")?.msg).toMatch(/prosa flows check/);
});

test("greets, shows its menu, calls a person, and goes on after a row whose flow is left out", async () => {
  const ana = customer(prosa);
  await ana.asks("oi", /Como posso ajudar\?[^]*4\. Falar com uma pessoa/);
  await ana.asks("1", /algo deu errado/i);
  await ana.asks("menu", /Como posso ajudar/);
  await ana.asks("4", /pessoa/i);
  expect((await prosa.http("GET", "/health/ready")).status).toBe(200);
});
