import { describe, expect, test } from "vitest";
import { PLACES, recorded, said } from "../../corpus/requests/said.ts";

const FEWEST_SENTENCES = 60;
const rows = recorded();

describe("the recorded requests", () => {
  test("are enough, in each situation, and none is recorded twice", () => {
    expect(new Set(rows.map(({ text }) => text)).size).toBeGreaterThanOrEqual(FEWEST_SENTENCES);
    expect(new Set(rows.map(({ at }) => at))).toEqual(new Set(PLACES));
    expect(new Set(rows.map(({ at, text }) => `${at} ${text}`)).size).toBe(rows.length);
  });

  test.each(PLACES)("are met as recorded: %s", (place) => {
    const here = rows.filter(({ at }) => at === place);
    expect(here.map(({ at, text }) => ({ at, text, done: said(at, text) }))).toEqual(here);
  });
});
