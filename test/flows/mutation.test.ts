/** The tests of the flagship notice when an edge or a guard of its machine is gone. All of it: `npx tsx test/flows/mutation.ts`. */
import { expect, test } from "vitest";
import type { FlowConfig } from "../../src/flow/index.ts";
import { mutantsOf, tried } from "./mutants.ts";

/** Every so manieth mutant is tried here; a prime, so that all sorts come by. */
const EVERY = 13;

test("chats and generated tests notice nine of ten edges and guards that are gone", async () => {
  const mutants = mutantsOf("request-invoice").filter((_one, index) => index % EVERY === 0);
  expect(mutants.length).toBeGreaterThan(10);
  // What fails without any change notices nothing.
  const whole = { edge: "", what: "edge dropped", shape: (config: FlowConfig) => config } as const;
  expect((await tried("request-invoice", whole)).killer).toBeUndefined();
  const living: string[] = [];
  for (const mutant of mutants) {
    const { killer } = await tried("request-invoice", mutant);
    if (killer === undefined) living.push(`${mutant.edge} ${mutant.what}`);
  }
  expect(living.length / mutants.length, living.join(", ")).toBeLessThanOrEqual(0.1);
}, 300_000);
