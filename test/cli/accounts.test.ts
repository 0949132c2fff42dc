/** `prosa accounts add` against a real HTTP side, under an id that was removed. */
import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHouse, type House } from "../server/house.ts";
import { programFile } from "../support/prosa.ts";

let program: string;
let house: House;
beforeAll(async () => {
  [program, house] = await Promise.all([programFile(), openHouse()]);
});
afterAll(() => house.close());

/** Not in one breath: the server answers in this process. */
function prosa(input: string, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const env = { ...process.env, PORT: new URL(house.url).port, HOST: "127.0.0.1" };
  const child = spawn(process.execPath, [program, ...args], { env });
  let said = "";
  child.stderr.on("data", (part: Buffer) => (said += part.toString()));
  child.stdin.end(input);
  return new Promise((done) => child.on("close", (code) => done({ code, said })));
}

test("a removed account's id is refused with what to do, and --restore puts the same business back", async () => {
  const account = JSON.stringify({ id: "padaria", name: "Padaria" });
  expect((await prosa(account, "accounts", "add")).code).toBe(0);
  expect((await prosa("", "accounts", "remove", "padaria")).code).toBe(0);

  const refused = await prosa(account, "accounts", "add");
  expect(refused.code).not.toBe(0);
  expect(refused.said).toContain("Choose another id");
  expect(refused.said).toContain("--restore");

  expect((await prosa(account, "accounts", "add", "--restore")).code).toBe(0);
  expect((await house.deps.accounts.get("padaria"))?.account.name).toBe("Padaria");
});
