/**
 * The flagship conversation with a death in every second of its scenes, at a place between two durable writes. The seed chooses
 * place and store; `npm run chaos -- --every` takes all of both. `CHAOS_SEED` throws the same dice again.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { sharedBundle } from "../support/bundle.ts";
import { Dice } from "../support/dice.ts";
import { compare, type Played } from "./flagship.ts";
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

describe("the judgement", () => {
  const calm: Played = {
    ...{ customer: ["Qual serviço", "Nota N emitida ✅"], operator: ["Pedido C", "aprovado"] },
    ...{ notes: 1, calls: 1, held: false, deaths: 0, passed: [], died: [] },
  };
  const wrong = (changes: Partial<Played>): number => compare(calm, { ...calm, ...changes }).length;
  const twice = ["Pedido C", "Pedido C", "aprovado"];

  test("lets a death have one bubble said again, and what is only said while a note is open", () => {
    expect(wrong({})).toBe(0);
    expect(wrong({ deaths: 1, operator: twice })).toBe(0);
    const open = ["Qual serviço", "em processamento", "Nota N emitida ✅"];
    expect(wrong({ held: true, customer: open })).toBe(0);
    expect(wrong({ deaths: 1, customer: open })).toBe(0);
  });

  test.each<[string, Partial<Played>]>([
    ["a bubble said twice where nobody died", { operator: twice }],
    ["more bubbles again than deaths", { deaths: 1, operator: ["Pedido C", ...twice] }],
    ["a word of doubt where nothing was open", { operator: [...calm.operator, "confirma"] }],
    ["a bubble nobody read", { customer: ["Nota N emitida ✅"] }],
    ["a note issued twice", { notes: 2 }],
    ["a note asked for twice", { calls: 2 }],
  ])("tells of %s", (_, changes) => {
    expect(wrong(changes)).toBeGreaterThan(0);
  });
});

test(
  "dies between two writes of every second scene, and people read the same and get one note",
  { timeout: TIMEOUT_MS },
  async () => {
    const place = new Dice(seed).between(1, COMMON);
    const store: StoreKind = seed % 2 === 0 ? "redis" : "embedded";
    process.stdout.write(`CHAOS_SEED=${seed}: ${store}, place ${place}\n`);
    const { wrong, deaths } = await shake(program, store, { stages: 1, only: place });
    expect(wrong).toEqual([]);
    expect(deaths.length).toBeGreaterThanOrEqual(LEAST);
  },
);
