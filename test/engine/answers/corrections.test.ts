import { describe, expect, test } from "vitest";
import { corrections, PLACES, said } from "../../corpus/corrections/said.ts";

const FEWEST_SENTENCES = 150;
const labelled = corrections();

describe("the labelled corrections", () => {
  test("are enough, of each step, and none is labelled twice", () => {
    expect(new Set(labelled.map(({ text }) => text)).size).toBeGreaterThanOrEqual(FEWEST_SENTENCES);
    expect(new Set(labelled.map(({ at }) => at)).size).toBe(PLACES.length);
    const keys = labelled.map(({ at, text, plain }) => `${at} ${text} ${plain ?? ""}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each(PLACES)("mean at %s what they are labelled with", (place) => {
    const rows = labelled.filter(({ at }) => at === place);
    expect(rows.map((row) => ({ ...row, meant: said(row) }))).toEqual(rows);
  });

  // Each of these was once read in as many ways as two to the power of its length.
  test.each(["ta certo", "na verdade", "nao e", "errei de novo", "so que so"])(
    "are read at once, however often %s opens them",
    (lead) => {
      const text = `${lead} `.repeat(40).slice(0, 380);
      for (const at of PLACES)
        expect(said({ at, text: `${text} valo valor x`, plain: true }).kind).toBeTruthy();
    },
  );
});
