/** What `npm test` stands on: nothing that went wrong is passed over, and nothing goes on behind it. */
import { expect, test } from "vitest";
import { beside, type Job } from "./beside.ts";

const node = (name: string, script: string, behind = true): Job => ({
  ...{ name, behind, command: process.execPath, args: ["-e", script] },
});
const FOR_EVER = "setInterval(() => {}, 1000);";
/** Starts another that goes on for ever, as the tests' runner does. It speaks by the same pipe: until it is gone, that is open. */
const WITH_CHILD = `
  require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(FOR_EVER)}], { stdio: "inherit" });
  ${FOR_EVER}`;

async function run(jobs: readonly Job[]): Promise<{ good: boolean; said: string }> {
  let said = "";
  const out = (words: string): void => void (said += words);
  const good = await beside(jobs, { cwd: import.meta.dirname, out, graceMs: 3_000 });
  return { good, said };
}

test("all that end well are good, and what each said stays together", async () => {
  const { good, said } = await run([
    node("one", "console.log('a'); setTimeout(() => console.log('b'), 60)"),
    node("two", "console.error('c'); setTimeout(() => console.log('d'), 60)"),
  ]);
  expect(good).toBe(true);
  expect(said).toBe("a\nb\nc\nd\n");
});

test("either that ends badly is told last and ends the other, with what that had started", async () => {
  const wrong = node(
    "wrong",
    "setTimeout(() => { console.log('a finding'); process.exit(3); }, 400)",
  );
  for (const jobs of [
    [node("other", WITH_CHILD), wrong],
    [wrong, node("other", WITH_CHILD)],
  ]) {
    const { good, said } = await run(jobs);
    expect(good).toBe(false);
    expect(said).toContain("a finding\n");
    expect(said.endsWith("wrong ended with 3.\n")).toBe(true);
  }
});

test("one that cannot be started, or is killed, is not good", async () => {
  const lost = { name: "lost", command: "/nowhere/at/all", args: [], behind: true };
  expect((await run([lost])).said).toMatch(/^lost ended with .*ENOENT/);
  const killed = await run([node("killed", "process.kill(process.pid, 'SIGKILL')")]);
  expect(killed).toEqual({ good: false, said: "killed ended with SIGKILL.\n" });
});
