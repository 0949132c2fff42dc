/** The short form has bars for its time, and what is slow is no finding of an oracle. */
import { expect, test } from "vitest";
import { late, verdictOf } from "./whole.ts";

test("a kill run of three minutes and a form of five are in time", () => {
  expect(late({ kills: 180, all: 300 }, false)).toEqual([]);
});

test("a second more of either is told by its figure and its bar", () => {
  expect(late({ kills: 181, all: 300 }, false)).toEqual([
    "too slow, whatever the oracles say: the kill run took 181 s of 180",
  ]);
  expect(late({ kills: 136, all: 301 }, false)).toEqual([
    "too slow, whatever the oracles say: the whole took 301 s of 300",
  ]);
});

test("with every place there is more to do: only the kill run has its bar", () => {
  expect(late({ kills: 136, all: 900 }, true)).toEqual([]);
  expect(late({ kills: 200, all: 900 }, true)).toHaveLength(1);
});

test("a row says which of the two it is, and what is wrong goes before what is slow", () => {
  expect(verdictOf(false, false)).toBe("yes");
  expect(verdictOf(false, true)).toBe("no: too slow");
  expect(verdictOf(true, true)).toBe("no");
});
