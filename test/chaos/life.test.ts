/** A process of a chaos run is given its plan before its scene begins, however busy the machine is. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Life } from "./life.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "prosa-life-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that is ready, and does this with a plan it hears. `starts`: its own number, 1 first. */
function life(heard: string): Life {
  const [program, count] = [path.join(folder, "bot.mjs"), path.join(folder, "count")];
  writeFileSync(count, "");
  writeFileSync(
    program,
    `import { appendFileSync, readFileSync } from "node:fs";
     const starts = appendFileSync(${JSON.stringify(count)}, "x") ?? readFileSync(${JSON.stringify(count)}).length;
     process.stdin.on("data", () => { ${heard} });
     console.log("READY");`,
  );
  return new Life(program, "all", {});
}

test("a plan is in force once it was given, although the process hears it late", async () => {
  const bot = life(`setTimeout(() => console.log("WROTE before\\nARMED"), 300);`);
  await bot.start();
  try {
    await bot.arm({ nth: 3 });
    // What it wrote by the plan before is known, too.
    expect(bot.writes).toEqual(["before"]);
  } finally {
    await bot.end();
  }
});

test("a plan goes to the next process when the present one dies before it heard it", async () => {
  const bot = life(
    `if (starts < 3) process.kill(process.pid, "SIGKILL"); else console.log("ARMED");`,
  );
  await bot.start();
  try {
    await bot.arm({ nth: 3 });
    expect([bot.starts, bot.deaths.length]).toEqual([3, 2]);
  } finally {
    await bot.end();
  }
});
