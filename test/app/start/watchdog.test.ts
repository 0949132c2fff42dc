/** An event loop that stands still ends its process; a process that was only stopped goes on. */
import { spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../../..");

function run(then: string): ReturnType<typeof spawn> {
  const program = `
    import { watchLoop } from "./src/app/start/process-limits.ts";
    const end = watchLoop(1000);
    console.log("watching");
    ${then}
  `;
  const line = ["--import", "tsx", "--input-type=module", "--eval", program];
  return spawn(process.execPath, line, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
}

test("an event loop blocked by an endless loop is ended by another thread, and says why", async () => {
  const child = run("setTimeout(() => { for (;;); }, 100);");
  let said = "";
  child.stderr?.on("data", (data: Buffer) => (said += data.toString()));
  const signal = await new Promise((done) => child.once("close", (_code, by) => done(by)));
  expect(signal).toBe("SIGKILL");
  expect(said).toContain("the event loop has stood still for 1000 ms");
});

test("a process stopped for longer than that and let go on is left alone", async () => {
  const child = run("setTimeout(async () => { await end(); process.exit(7); }, 2500);");
  const code = new Promise((done) => child.once("close", done));
  await new Promise((done) => child.stdout?.once("data", done));
  child.kill("SIGSTOP");
  await pause(1_500);
  child.kill("SIGCONT");
  expect(await code).toBe(7);
});
