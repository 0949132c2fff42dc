/** A process of a chaos run is given its plan before its scene begins, however busy the machine is. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Life } from "./life.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "prosa-life-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * A process that is ready, and does this with a plan it hears, once it is ready, and before. `starts`: its own number, 1 first.
 */
function life(heard: string, then = "", before = ""): Life {
  const [program, count] = [path.join(folder, "bot.mjs"), path.join(folder, "count")];
  writeFileSync(count, "");
  writeFileSync(
    program,
    `import { appendFileSync, readFileSync } from "node:fs";
     const starts = appendFileSync(${JSON.stringify(count)}, "x") ?? readFileSync(${JSON.stringify(count)}).length;
     process.stdin.on("data", () => { ${heard} });
     ${before}
     console.log("READY");
     ${then}`,
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

describe("an end nobody asked for", () => {
  /** A process whose first start does this once it is ready. */
  const once = (what: string): Life => life("", `if (starts === 1) { ${what} }`);
  const second = async (bot: Life): Promise<void> => {
    while (bot.starts < 2) await pause(20);
    await bot.ready();
  };

  test.each<[string, string, object]>([
    ["a crash", `throw new Error("boom");`, { code: 1, signal: null, words: "Error: boom" }],
    ["an end with code 0", `setTimeout(() => process.exit(0), 50);`, { code: 0, signal: null }],
    ["a blow without a name", `process.kill(process.pid, "SIGKILL");`, { signal: "SIGKILL" }],
  ])("is told: %s, although it is started again", async (_, what, told) => {
    const bot = once(what);
    await bot.start();
    try {
      await second(bot);
      expect(bot.ended).toMatchObject([{ role: "all", ready: true, ...told }]);
    } finally {
      await bot.end();
    }
  });

  test("is one before it was ready, and is told as that", async () => {
    const bot = life("", "", `if (starts === 1) throw new Error("no store");`);
    await bot.start();
    try {
      await second(bot);
      expect(bot.ended).toMatchObject([{ code: 1, ready: false, words: "Error: no store" }]);
    } finally {
      await bot.end();
    }
  });

  test.each([0, 3])("is SIGTERM answered by another code than 0: %i", async (code) => {
    const bot = life("", "", `process.on("SIGTERM", () => process.exit(${code}));`);
    await bot.start();
    expect(await bot.end("SIGTERM")).toBe(code);
    expect(bot.ended.map((one) => one.code)).toEqual(code === 0 ? [] : [code]);
  });

  test("is none that was asked for or has a name: a planned death, a blow from outside, a stop cut short", async () => {
    const named = `console.log("DIED mail.commit:after 1"); process.kill(process.pid, "SIGKILL");`;
    const bot = life("", `if (starts === 1) { ${named} }`, `process.on("SIGTERM", () => {});`);
    await bot.start();
    try {
      await second(bot);
      bot.strike();
      while (bot.starts < 3) await pause(20);
      await bot.ready();
      await bot.cutShort(10);
      expect(bot.deaths[0]?.point).toBe("mail.commit:after");
      expect(bot.starts).toBe(4);
    } finally {
      await bot.end();
    }
    expect(bot.ended).toEqual([]);
  });
});
