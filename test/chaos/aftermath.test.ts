/**
 * What may come after the flagship conversation, judged: a person decides about a note, the business cancels it, and the process
 * that writes it dies at a place the seed chooses. `CHAOS_SEED` throws the same dice again.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { sharedBundle } from "../support/bundle.ts";
import { Dice } from "../support/dice.ts";
import { type After, differ } from "./aftermath.ts";
import { shakeAfter } from "./shake-after.ts";

const seed = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000);
const TIMEOUT_MS = 300_000;
/** Places that both scenes have on both stores. */
const COMMON = 18;

const calm: After = {
  ...{ told: ["Nota N emitida", "Nota N cancelada ✅"], customer: ["Nota N emitida ✅"] },
  ...{ calls: 1, cancels: 1, failed: 0, state: "cancelada", held: false, passed: [], died: [] },
};

describe("the judgement", () => {
  const wrong = (changes: Partial<After>): number => differ(calm, { ...calm, ...changes }).length;

  test("is content with a calm one, and with what is said while nobody knows", () => {
    expect(wrong({})).toBe(0);
    const told = [...calm.told, "não veio a confirmação", "Nota N cancelada ✅"];
    expect(wrong({ told })).toBe(0);
    expect(wrong({ cancels: 2, failed: 1 })).toBe(0);
  });

  test.each<[string, Partial<After>]>([
    ["a note that stands although it was said to be cancelled", { state: "autorizada" }],
    ["a cancellation asked for twice", { cancels: 2 }],
    ["a cancellation nobody asked for", { cancels: 0 }],
    ["a note issued twice", { calls: 2 }],
    ["an operator who was never told", { told: ["Nota N emitida"] }],
    ["a customer who was told something else", { customer: ["Nota N emitida ✅", "recusada"] }],
  ])("tells of %s", (_, changes) => {
    expect(wrong(changes)).toBeGreaterThan(0);
  });
});

describe("on one store", () => {
  let program: string;
  beforeAll(async () => {
    program = await sharedBundle("test/chaos/process.ts");
  });

  test(
    "the decider dies, and who cancels: people read the same, one note, one cancellation",
    { timeout: TIMEOUT_MS },
    async () => {
      const place = new Dice(seed).between(1, COMMON);
      const store = seed % 2 === 0 ? "redis" : "embedded";
      process.stdout.write(`CHAOS_SEED=${seed}: ${store}, place ${place}\n`);
      const { wrong, deaths } = await shakeAfter(program, store, { stages: 1, only: place });
      expect(wrong).toEqual([]);
      expect(deaths.length).toBeGreaterThan(0);
    },
  );
});
