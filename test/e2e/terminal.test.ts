/** The command line as people and scripts use it: a conversation by pipe, and settings that are wrong. */
import { createInterface } from "node:readline";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  prosa as command,
  type Prosa,
  type Run,
  startProsa,
  programFile,
  until,
} from "../support/prosa.ts";
import { freePort } from "../support/ports.ts";
import { CPF, notesOf, OPERATOR } from "./note.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const LINES = [
  "oi",
  "nota",
  "1",
  "529.982.247-24",
  "529.982.247-25",
  "Maria da Silva",
  "150",
  "Corte e escova",
  "hoje",
  "o valor é 200",
  "EMITIR",
];
const APPROVED = /aprovado/;

interface Line {
  readonly dir: "in" | "out";
  readonly text: string;
  readonly state: string;
  readonly at: string;
}

describe("prosa chat with piped lines", () => {
  let prosa: Prosa;
  beforeAll(async () => {
    prosa = await startProsa();
  });
  afterAll(async () => prosa.close());

  async function approve(): Promise<void> {
    const run = command(["chat", "--as", OPERATOR], prosa.env, await programFile());
    run.child.stdin?.end("aprovar\n");
    expect(await run.ended).toBe(0);
    expect(run.told()).toMatch(APPROVED);
  }

  test("goes through the whole conversation; --json tells each event as one object", async () => {
    const run = command(
      ["chat", "--as", "5511987660001", "--json"],
      prosa.env,
      await programFile(),
    );
    const lines: Line[] = [];
    createInterface({ input: run.child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      lines.push(JSON.parse(line) as Line);
    });
    run.child.stdin?.write(`${LINES.join("\n")}\n`);
    await until("the request", () => said(lines).includes("enviado para a empresa"), 30_000);
    await approve();
    run.child.stdin?.end("obrigada\n");
    expect(await run.ended).toBe(0);

    expect(lines.filter((line) => line.dir === "in").map((line) => line.text)).toEqual([
      ...LINES,
      "obrigada",
    ]);
    for (const line of lines) {
      expect(Object.keys(line).sort()).toEqual(["at", "dir", "state", "text"]);
      expect(new Date(line.at).toISOString()).toBe(line.at);
    }
    expect(answersTo(lines, "529.982.247-24")).toMatch(/não confere/);
    expect(answersTo(lines, "Corte e escova")).toMatch(/Quando foi o serviço/);
    expect(answersTo(lines, "o valor é 200")).toMatch(/200,00/);
    expect(said(lines)).toMatch(/emitida ✅/);
    expect(lines.find((line) => line.text === "1")?.state).toBe("request-invoice.document");
    expect(await notesOf(prosa, CPF)).toHaveLength(1);
  });

  test("prints plain text without colours, the words of both sides", async () => {
    const run = command(["chat", "--as", "5511987660002"], prosa.env, await programFile());
    run.child.stdin?.end(`${LINES.slice(0, 5).join("\n")}\n`);
    expect(await run.ended).toBe(0);
    const text = run.told();
    for (const line of LINES.slice(0, 5)) expect(text).toContain(line);
    expect(text).toMatch(/Qual serviço[\s\S]*não confere[\s\S]*nome de quem vai receber/);
    expect(text).not.toContain("\u001b");
  });
});

describe("prosa chat where no server runs", () => {
  test("starts one of its own and leaves nothing behind", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "prosa-chat-e2e-"));
    const env = {
      PORT: String(await freePort()),
      SANDBOX_PORT: String(await freePort()),
      PROSA_DATA_DIR: folder,
    };
    const run = command(["chat", "--json"], env, await programFile());
    run.child.stdin?.end("oi\nnota\n");
    expect(await run.ended).toBe(0);
    expect(run.told()).toMatch(/"dir":"out".*assistente[\s\S]*Qual serviço/);
    rmSync(folder, { recursive: true, force: true });
  });
});

describe("prosa start with settings that do not parse", () => {
  let program: string;
  beforeAll(async () => {
    program = await programFile();
  });

  test.each([
    ["PORT", { PORT: "eighty" }],
    ["PROSA_KEYS", { REDIS_URL: "redis://127.0.0.1:1", PROSA_KEYS: "" }],
    ["REDIS_URL", { GATEWAY_URL: "https://gateway.example/api/v2" }],
    ["PROSA_DATA_DIR", { PROSA_DATA_DIR: "/proc/nowhere" }],
    ["ADMIN_TOKEN", { HOST: "0.0.0.0", ADMIN_HOST: "0.0.0.0", ADMIN_TOKEN: "short" }],
  ])("stops with one sentence about %s", async (name, settings) => {
    const run: Run = command(["start"], { PROSA_DATA_DIR: tmpdir(), ...settings }, program);
    expect(await run.ended).not.toBe(0);
    const told = run.output().trim();
    expect(told.split("\n")).toHaveLength(1);
    expect(told).toContain(name);
    expect(told).not.toContain("gateway.example");
  });
});

function said(lines: readonly Line[]): string {
  return lines
    .filter((line) => line.dir === "out")
    .map((line) => line.text)
    .join("\n");
}

/** What the bot said between this line and the next one. */
function answersTo(lines: readonly Line[], text: string): string {
  const from = lines.findIndex((line) => line.dir === "in" && line.text === text);
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => line.dir === "in");
  return said(to < 0 ? rest : rest.slice(0, to));
}
