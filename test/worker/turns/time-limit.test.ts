/** What a suspect's turn needs of the process, tried in one that has nothing left. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { limited, Starved } from "../../../src/worker/turns/time-limit.ts";

const SOURCE = path.resolve(import.meta.dirname, "../../../src/worker/turns/time-limit.ts");

/** Until a moment comes in which this process has a processor. */
const PATIENCE_MS = 60_000;
const ENDLESS = "Error: the turn did not end within 20 ms";

const PROGRAM = `
  import { closeSync, openSync } from "node:fs";
  import { limited, NoRoom } from ${JSON.stringify(SOURCE)};
  const all = [];
  const say = (work) => {
    try { console.log(work()); } catch (error) { console.log(error instanceof NoRoom ? "no room" : String(error)); }
  };
  say(() => limited(() => "before", 10_000));
  try { for (;;) all.push(openSync("/dev/null", "r")); } catch { /* none are left */ }
  say(() => limited(() => "meanwhile", 10_000));
  for (const one of all) closeSync(one);
  say(() => limited(() => "after", 10_000));
`;

test("a suspect is not run while no file descriptors are left, and the process lives", () => {
  const command = `ulimit -n 64; exec "$0" --import tsx --input-type=module -e "$1"`;
  const said = execFileSync("sh", ["-c", command, process.execPath, PROGRAM], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  expect(said.trim().split("\n")).toEqual(["before", "no room", "after"]);
});

test("what is cut off without having had a processor is told apart from what does not end", () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const waiting = (): never => {
    for (;;) Atomics.wait(cell, 0, 0, 5);
  };
  expect(() => limited(waiting, 200)).toThrow(Starved);
  const endless = (): never => {
    for (;;);
  };
  // A busy machine may say the same of it; who has just slept is given a processor sooner.
  const why: string[] = [];
  for (const end = Date.now() + PATIENCE_MS; !why.includes(ENDLESS) && Date.now() < end;) {
    Atomics.wait(cell, 0, 0, 50);
    try {
      limited(endless, 20);
    } catch (error) {
      why.push(error instanceof Starved ? "starved" : String(error));
    }
  }
  expect(why).toContain(ENDLESS);
});
