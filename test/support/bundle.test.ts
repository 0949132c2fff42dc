/** That a process started again takes the code an earlier one compiled: without it, it costs twice as much, and nobody is told. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Dice } from "./dice.ts";
import { Stage } from "../chaos/stage.ts";
import { REFUSED, bundle } from "./bundle.ts";

const SEED = 1;

test("takes the code that an earlier process compiled", { timeout: 60_000 }, async () => {
  const { file, folder } = await bundle("test/chaos/process.ts");
  const stage = await Stage.open({
    ...{ store: "embedded", program: file, roles: ["all"], brief: true },
    dice: new Dice(SEED),
  });
  try {
    const isKept = (role: string): boolean =>
      readdirSync(folder).some((name) => name.startsWith("code.") && name.includes(`.${role}.`));
    await expect.poll(() => isKept("all") && isKept("sandbox"), { timeout: 30_000 }).toBe(true);
    const [life] = stage.lives;
    await life?.end();
    await life?.start();
    expect(existsSync(path.join(folder, REFUSED))).toBe(false);
  } finally {
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
