/** The tests of the flagship notice when an edge or a guard of its machine is gone. All of it: `npx tsx test/flows/mutation.ts`. */
import { expect, test } from "vitest";
import { mutantsOf, tried } from "./mutants.ts";

/** Every so manieth mutant is tried here; all of them by `mutation.ts`. */
const EVERY = 37;

test("chats and generated tests notice each of a few edges and guards that are gone", async () => {
  const mutants = mutantsOf("request-invoice").filter((_one, index) => index % EVERY === 0);
  expect(mutants.length).toBeGreaterThan(3);
  const living: string[] = [];
  for (const mutant of mutants) {
    const { killer } = await tried("request-invoice", mutant);
    if (killer === undefined) living.push(`${mutant.edge} ${mutant.what}`);
  }
  expect(living).toEqual([]);
}, 300_000);
