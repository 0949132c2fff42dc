/** The comparison that closes the overload run is able to be red: at each way in which a webhook can be lost, or doubled. */
import { expect, test } from "vitest";
import { LIMITS } from "../../src/store/limits.ts";
import { type Kept, unaccounted } from "./conserved.ts";

const numbers = (many: number): number[] => Array.from({ length: many }, (_, at) => at + 1);
const full = (number: number) => ({ number, reason: "mailbox_full", handed: 0 });
const kept = (over: Partial<Kept>): Kept => ({
  ...{ phone: "one", taken: [1, 2, 3], heard: [1, 2, 3], letters: [] },
  ...over,
});

test("nothing is wrong when each is heard, in whatever order, or stands among the letters for a reason", () => {
  expect(unaccounted([kept({ heard: [3, 1, 2] })])).toEqual([]);
  const taken = numbers(LIMITS.mailbox + 1);
  const heard = taken.slice(0, -1);
  expect(unaccounted([kept({ taken, heard, letters: [full(taken.length)] })])).toEqual([]);
});

test("what was refused and is heard all the same is nothing wrong: its answer may have been ours about an unknown end", () => {
  expect(unaccounted([kept({ heard: [1, 2, 3, 4] })])).toEqual([]);
});

test("one of all that were taken is missed, whoever else was heard more often than was answered for", () => {
  const others = kept({ phone: "other", taken: [4], heard: [4, 5, 6, 7] });
  expect(unaccounted([kept({ heard: [1, 3] }), others])).toEqual(["one: 2 taken and nowhere"]);
});

test("a third of all lost is told by its first numbers", () => {
  const taken = numbers(21);
  const heard = taken.filter((number) => number % 3 > 0);
  expect(unaccounted([kept({ taken, heard })])).toEqual([
    "one: 3, 6, 9, 12, 15 and 2 more taken and nowhere",
  ]);
});

test("a conversation that is not there has lost all of it", () => {
  expect(unaccounted([kept({ heard: [] })])).toEqual(["one: 1, 2, 3 taken and nowhere"]);
});

test("what is heard twice, or heard and put aside, is told", () => {
  expect(unaccounted([kept({ heard: [1, 2, 3, 2] })])).toEqual(["one: 2 heard again"]);
  const taken = numbers(LIMITS.mailbox + 1);
  expect(unaccounted([kept({ taken, heard: taken, letters: [full(7)] })])).toEqual([
    "one: 7 heard and put aside",
  ]);
});

test("a letter excuses nothing by being there: its mailbox had room", () => {
  expect(unaccounted([kept({ heard: [1, 2], letters: [full(3)] })])).toEqual([
    "one: 3 put aside for no reason",
  ]);
});
