/**
 * The flagship conversation with a death in each of its scenes, at a place between two durable writes that the seed
 * chooses; `npm run chaos` takes all places. `CHAOS_SEED` throws the same dice again.
 */
import { beforeAll, expect, test } from "vitest";
import { sharedBundle } from "../support/bundle.ts";
import { Dice } from "../support/dice.ts";
import { shake } from "./shake.ts";
import type { StoreKind } from "./stage.ts";

const seed = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000);
const TIMEOUT_MS = 300_000;
/** Places that every scene has. */
const COMMON = 5;
/** Scenes that must have had a death. */
const LEAST = 4;

let program: string;
beforeAll(async () => {
  program = await sharedBundle("test/chaos/process.ts");
});

test(
  "dies between two writes of every scene, and people read the same and get one note",
  { timeout: TIMEOUT_MS },
  async () => {
    const dice = new Dice(seed);
    const shaken = await Promise.all(
      (["redis", "embedded"] as StoreKind[]).map((store) => {
        const place = dice.between(1, COMMON);
        process.stdout.write(`CHAOS_SEED=${seed}: ${store}, place ${place}\n`);
        return shake(program, store, { stages: 1, only: place });
      }),
    );
    for (const { wrong, deaths } of shaken) {
      expect(wrong).toEqual([]);
      expect(deaths.length).toBeGreaterThanOrEqual(LEAST);
    }
  },
);
