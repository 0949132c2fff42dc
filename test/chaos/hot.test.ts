/** What a hot contact does to others is held against what these have alone, each round against its own. */
import { expect, test } from "vitest";
import { added } from "./hot.ts";

test("a contact that is felt in most rounds is told, however slow the machine is without it", () => {
  expect(added([30, 28, 33, 31, 30], [2_400, 2_816, 33, 1_857, 31])).toBe(1_826);
  expect(added([800, 820, 790, 810, 805], [1_000, 1_030, 985, 1_012, 1_006])).toBe(201);
});

test("a machine that is slow for a while, for all of them, is none of its doing", () => {
  expect(added([30, 820, 28, 31, 700], [33, 700, 31, 30, 650])).toBe(-1);
});

test("two rounds of five in which something else was slow do not decide", () => {
  expect(added([30, 30, 30, 30, 30], [34, 900, 29, 33, 1_200])).toBe(4);
});
