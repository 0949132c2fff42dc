import { describe, expect, test } from "vitest";
import {
  type NetFile,
  opinionOf,
  readNet,
} from "../../../../src/plugins/invoicing/sentence/learned/model/net.ts";
import { writeNet } from "../../../corpus/tagger/writing.ts";
import {
  fitNet,
  type Lesson,
  netOf,
  Pupil,
  type School,
  SCHOOL,
} from "../../../corpus/tagger/fit-net.ts";
import { Dice } from "../../../support/dice.ts";

const SMALL: School = {
  ...SCHOOL,
  width: 5,
  hidden: 3,
  fewest: 1,
  hides: { feature: 0, input: 0, out: 0 },
};
const NEAR = 1e-6;

/** Tokens of which each is its own feature; the first says what the last one is. */
function lessons(count: number): Lesson[] {
  const dice = new Dice(7);
  return Array.from({ length: count }, () => {
    const asks = dice.chance(0.7);
    const middle = Array.from({ length: dice.between(2, 5) }, () => [dice.between(10, 14)]);
    const isName = dice.chance(0.5);
    const keys = [[isName ? 1 : 2], ...middle, [3, asks ? 4 : 5], [6]];
    const tags = keys.map((_, at) => (at < keys.length - 1 ? 0 : isName ? 1 : 3));
    const days = asks ? [{ token: keys.length - 1, right: isName }] : [];
    return { keys, isNumber: keys.map((_, at) => at === 1), asks, ways: asks ? [tags] : [], days };
  });
}

describe("the net", () => {
  test("goes down the slope that there is, number by number", () => {
    const two: Lesson[] = [
      {
        keys: [[1, 2], [3], [2], [4]],
        isNumber: [false, true, false, false],
        asks: true,
        ways: [
          [1, 5, 3, 4],
          [0, 0, 3, 4],
        ],
        days: [
          { token: 1, right: true },
          { token: 2, right: false },
        ],
      },
      { keys: [[2], [4, 1]], isNumber: [false, false], asks: false, ways: [], days: [] },
    ];
    const pupil = new Pupil(two, SMALL, new Dice(3));
    for (const at of [0, 1]) pupil.look(at, 1);
    const slopes = { dense: pupil.dense.slope.slice(), features: pupil.features.slope.slice() };
    const loss = (): number => pupil.look(0, 1) + pupil.look(1, 1);
    for (const kind of ["dense", "features"] as const) {
      const { values } = pupil[kind];
      expect(values.length).toBeGreaterThan(15);
      for (const [at, value] of values.entries()) {
        values[at] = value + NEAR;
        const above = loss();
        values[at] = value - NEAR;
        const below = loss();
        values[at] = value;
        expect(slopes[kind][at]).toBeCloseTo((above - below) / (2 * NEAR), 5);
      }
    }
  });

  test("learns what the first token says of the last, and what says that a note is asked for", () => {
    const net = netOf(
      fitNet(lessons(300), { ...SMALL, hidden: 8, epochs: 30, batch: 8, pace: 0.01 }),
    );
    for (const { keys, asks, ways, days } of lessons(360).slice(300)) {
      const { scores, asked, days: odds } = opinionOf(net, keys);
      expect(asked > 0).toBe(asks);
      for (const { token, right } of days) expect((odds[token] ?? 0) > 0).toBe(right);
      const last = [...scores.subarray(-6)];
      if (asks) expect(last.indexOf(Math.max(...last))).toBe(ways[0]?.at(-1));
    }
  });

  test("says when it was written down what it said before, but for the smallest steps", () => {
    const loose = fitNet(lessons(100), { ...SMALL, epochs: 4, batch: 8 });
    const written = writeNet(loose);
    const [before, after] = [netOf(loose), readNet(written)];
    expect(readNet(JSON.parse(JSON.stringify(written)) as NetFile).steps).toEqual(after.steps);
    for (const { keys } of lessons(130).slice(100)) {
      const [one, other] = [opinionOf(before, keys), opinionOf(after, keys)];
      expect(other.asked).toBeCloseTo(one.asked, 0);
      for (const [at, score] of one.scores.entries())
        expect(other.scores[at]).toBeCloseTo(score, 0);
    }
    // Nothing is known of a word that nobody taught.
    expect(after.feature(999_999)).toBeUndefined();
    expect(opinionOf(after, []).scores.length).toBe(0);
  });

  test("is the same whenever it is learnt from the same lessons", () => {
    const by = { ...SMALL, epochs: 2, hides: SCHOOL.hides };
    expect(fitNet(lessons(40), by)).toEqual(fitNet(lessons(40), by));
  });
});
