import { describe, expect, test } from "vitest";
import { type Place, PLACES, recorded, said } from "../../corpus/requests/said.ts";

/** Sentences of a situation at least. */
const FEWEST = 60;
const FEWEST_OF: Partial<Record<Place, number>> = { pressed: 9, "pressed approved": 9, asker: 18 };
const rows = recorded();

describe("the recorded requests", () => {
  test("are enough, in each situation, and none is recorded twice", () => {
    for (const place of PLACES)
      expect(rows.filter(({ at }) => at === place).length, place).toBeGreaterThanOrEqual(
        FEWEST_OF[place] ?? FEWEST,
      );
    expect(new Set(rows.map(({ at }) => at))).toEqual(new Set(PLACES));
    expect(new Set(rows.map(({ at, text }) => `${at} ${text}`)).size).toBe(rows.length);
  });

  test.each(PLACES)("are met as recorded: %s", (place) => {
    const here = rows.filter(({ at }) => at === place);
    expect(here.map(({ at, text }) => ({ at, text, done: said(at, text) }))).toEqual(here);
  });
});
