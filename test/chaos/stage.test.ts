/** The installation of a chaos run: what a bot that was away did not take reaches it as soon as it listens again. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { sharedBundle } from "../support/bundle.ts";
import { openStage } from "./flagship.ts";

const TIMEOUT_MS = 120_000;
/** The first four tries are over 8 s after the first one; the next comes 15 s later. */
const TRIES = 4;

test(
  "what a dead bot did not take is posted again once it is back, long before the gateway's own next try",
  { timeout: TIMEOUT_MS },
  async () => {
    const stage = await openStage(await sharedBundle("test/chaos/process.ts"), "embedded");
    try {
      const [bot] = stage.lives;
      const customer = stage.phone("5511987719999");
      await bot?.end();
      await customer.says("oi");
      const own = (await stage.rows("webhooks")).at(-1)?.["id"];
      const triesOf = async () => {
        const row = (await stage.rows("webhooks")).find(({ id }) => id === own);
        return (row?.["attempts"] ?? []) as unknown as { status: number | null }[];
      };
      while ((await triesOf()).length < TRIES) await pause(100);
      await bot?.start();
      expect(await stage.redeliver()).toBe(1);
      expect((await triesOf()).map(({ status }) => status)).toEqual([null, null, null, null, 200]);
      // Taken, it is none any more.
      expect(await stage.redeliver()).toBe(0);
      await customer.waitFor(/./);
    } finally {
      await stage.close();
    }
  },
);
