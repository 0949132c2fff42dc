/** Which alarms become a bubble, without clock and store. */
import { expect, test } from "vitest";
import { heard, type Means, next, Pages } from "../../../src/worker/alarms/paging.ts";

const MEANS: Means = { now: 10, day: "2026-01-05", perDay: 3, muted: [], reserved: false };
const heaps = (...codes: string[]) => codes.map((code) => ({ code, count: 1, vars: {} }));
const keysOf = (pages: Pages | null) => pages?.telling?.lines.map(({ key }) => key);
const both = heard(Pages.parse({}), heaps("send.failed", "invoice.stuck"), 5);

test("what an account does not want to hear is not told, now or with the next bubble", () => {
  expect(next(both, { ...MEANS, muted: ["send.failed", "invoice.stuck"] })).toBeNull();
  expect(keysOf(next(both, { ...MEANS, muted: ["send.failed"] }))).toEqual(["alarm-invoice-stuck"]);
});

test("of the plan's reserve only a note's fate is told", () => {
  const told = next(both, { ...MEANS, reserved: true });
  expect(keysOf(told)).toEqual(["alarm-invoice-stuck"]);
  expect(told?.telling?.fiscal).toBe(true);
  expect(next(both, MEANS)?.telling?.fiscal).toBe(false);
});
