/** `prosa notes export` and its route: a month as the accountant's table, whole or not at all. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Call, commandOf } from "../../../src/cli/command.ts";
import { commands } from "../../../src/plugins/invoicing/commands.ts";
import { openHouse, type House } from "../../server/house.ts";

const TOKEN = "a-token-of-the-operator-0123456789";
const TABLE = "\ufeffNumero;Valor\r\n1;150,00\r\n2;150,00\r\n3;150,00\r\n";

let house: House;
const folder = mkdtempSync(path.join(os.tmpdir(), "prosa-table-"));
beforeAll(async () => {
  house = await openHouse({ deps: () => ({ adminToken: TOKEN }) });
});
afterAll(async () => {
  await house.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command as its program does; answers what it wrote where. */
async function run(...args: string[]): Promise<{ out: string; said: string }> {
  const [out, said]: [Buffer[], string[]] = [[], []];
  const stdout = new Writable({
    write: (part: Buffer, _encoding, done) => {
      out.push(part);
      done();
    },
  });
  const { hostname: host, port } = new URL(house.url);
  const settings = { host, port: Number(port), adminToken: TOKEN };
  const notes = commands.find(({ name }) => name === "notes");
  if (!notes) throw new Error("no command notes");
  await commandOf(notes).run({
    args,
    settings: () => settings,
    terminal: { stdout, say: (line: string) => void said.push(line) },
    signal: new AbortController().signal,
  } as unknown as Call);
  return { out: Buffer.concat(out).toString("utf8"), said: said.join("\n") };
}

const at = (query: string, token = TOKEN) =>
  fetch(`${house.url}/api/invoices/${query}`, { headers: { authorization: `Bearer ${token}` } });

test("on standard output as it came, and into a file for its owner alone", async () => {
  expect((await run("export", "--month", "2026-10")).out).toBe(TABLE);

  const file = path.join(folder, "notas.csv");
  const { out, said } = await run("export", "--month", "2026-10", "--out", file);
  expect([out, said]).toEqual(["", `Written: ${file}`]);
  expect(readFileSync(file, "utf8")).toBe(TABLE);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["notas.csv"]);
  rmSync(file);
});

test("a table that breaks off is an error, and leaves no file", async () => {
  const file = path.join(folder, "half.csv");
  await expect(run("export", "--month", "2026-02", "--out", file)).rejects.toThrow();
  await expect(run("export", "--month", "2026-02")).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

test("a month that is none, another account and too many notes are each a sentence", async () => {
  await expect(run("export", "--month", "2026-13")).rejects.toThrow("--month 2026-10");
  await expect(run("export")).rejects.toThrow("--month");
  await expect(run("list")).rejects.toThrow("Usage: prosa notes export");
  await expect(run("export", "--month", "2026-01")).rejects.toThrow("more notes than one table");
  await expect(run("export", "--month", "2026-10", "--account", "nobody")).rejects.toThrow("404");
});

test("the route wants the operator's token, says what it gives and keeps that it was asked for", async () => {
  expect((await at("demo/export?month=2026-10", "x".repeat(32))).status).toBe(401);
  expect((await at("demo/export?month=outubro")).status).toBe(400);

  const answer = await at("demo/export?month=2026-10");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe(
    'attachment; filename="notas-2026-10.csv"',
  );
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(Buffer.from(await answer.arrayBuffer()).toString("utf8")).toBe(TABLE);

  const audit = await fetch(`${house.url}/api/audit?limit=5`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  expect(((await audit.json()) as { items: object[] }).items[0]).toMatchObject({
    ...{ action: "invoices.export", target: "demo", outcome: "done" },
  });
});
