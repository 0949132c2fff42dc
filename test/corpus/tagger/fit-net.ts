/**
 * The net's weights from examples: down the slope of how unlikely the right tags are, and the right answer to whether a note is
 * asked for. Shares of what is known are hidden by chance while it learns, so that it leans on none of them. The same examples
 * and the same seed give the same weights.
 */
import {
  AMOUNT_TAG,
  COUNT,
  lattice,
  likelihood,
} from "../../../src/plugins/invoicing/sentence/learned/model/chain.ts";
import { sigmoid, walk } from "../../../src/plugins/invoicing/sentence/learned/layer.ts";
import {
  add,
  both,
  type Dense,
  denseOf,
  denseSize,
  mostOf,
  type Net,
  type Opinion,
  type Shape,
  told,
} from "../../../src/plugins/invoicing/sentence/learned/model/net.ts";
import type { Loose } from "./writing.ts";
import { Dice } from "../../support/dice.ts";
import { Descent } from "./descent.ts";
import { idsOf, sharesOf, stepsOff, waySums } from "./fit.ts";
import { walkBack } from "./walk-back.ts";

/** A sentence as the net learns from it. */
export interface Lesson {
  /** Keys of the features of each token. */
  readonly keys: readonly (readonly number[])[];
  readonly isNumber: readonly boolean[];
  readonly asks: boolean;
  /** Every way to tag it that is right; of one that asks for nothing none is learnt. */
  readonly ways: readonly (readonly number[])[];
  /** Days of one that asks for a note, and whether each is that of the work. */
  readonly days: readonly { readonly token: number; readonly right: boolean }[];
}

export interface School extends Shape {
  readonly epochs: number;
  /** Sentences that are looked at before a step is done. */
  readonly batch: number;
  /** Of the first step; the last one's is a fiftieth. */
  readonly pace: number;
  /** Rarer features are one text's own. */
  readonly fewest: number;
  /** Shares that are hidden: of features, of what goes into the layers, of what comes out. */
  readonly hides: { readonly feature: number; readonly input: number; readonly out: number };
  readonly seed: number;
}

export const SCHOOL: School = {
  width: 32,
  hidden: 40,
  epochs: 9,
  batch: 32,
  pace: 0.003,
  fewest: 6,
  hides: { feature: 0.15, input: 0.35, out: 0.4 },
  seed: 12_345,
};

const SLOWEST = 0.02;
/** No step goes farther than a slope so steep asks for. */
const STEEPEST = 5;
const FIRST_FEATURE = 0.1;
const NEGLIGIBLE = 1e-7;

/** What was learnt as it is, before it is written in steps. */
export function netOf({ dense, features, ...shape }: Loose): Net {
  const known = new Map(features);
  return {
    ...shape,
    ...denseOf(Float64Array.from(dense), shape),
    feature: (key) => known.get(key),
  };
}

/** `after`: told after each round how unlikely what is right was in it, in the mean. */
export function fitNet(
  lessons: readonly Lesson[],
  by: School = SCHOOL,
  after: (loss: number) => void = () => undefined,
): Loose {
  const dice = new Dice(by.seed);
  const pupil = new Pupil(lessons, by, dice);
  const steps = by.epochs * Math.ceil(lessons.length / by.batch);
  let done = 0;
  for (let epoch = 0; epoch < by.epochs; epoch += 1) {
    const order = dice.shuffled(lessons.map((_, at) => at));
    let loss = 0;
    for (let from = 0; from < order.length; from += by.batch) {
      const batch = order.slice(from, from + by.batch);
      for (const at of batch) loss += pupil.look(at, 1 / batch.length);
      done += 1;
      pupil.step(by.pace * Math.max(SLOWEST, 1 - done / steps), done);
    }
    after(loss / lessons.length);
  }
  return pupil.learnt();
}

export class Pupil {
  readonly #lessons: readonly Lesson[];
  readonly #by: School;
  readonly #dice: Dice;
  readonly #ids: ReadonlyMap<number, number>;
  /** Numbers of each lesson's features, token by token. */
  readonly #known: readonly (readonly (readonly number[])[])[];
  readonly features: Descent;
  readonly dense: Descent;
  readonly #net: Dense;
  readonly #slope: Dense;
  /** Features that were seen since the last step. */
  readonly #touched = new Set<number>();

  constructor(lessons: readonly Lesson[], by: School, dice: Dice) {
    this.#lessons = lessons;
    this.#by = by;
    this.#dice = dice;
    this.#ids = idsOf(
      lessons.flatMap(({ keys }) => keys),
      by.fewest,
    );
    this.#known = lessons.map(({ keys }) =>
      keys.map((list) => list.flatMap((key) => this.#ids.get(key) ?? [])),
    );
    const features = new Float64Array(this.#ids.size * by.width);
    this.features = new Descent(features.map(() => FIRST_FEATURE * bell(dice)));
    const far = 1 / Math.sqrt(by.hidden);
    const dense = new Float64Array(denseSize(by)).map(() => (2 * dice.unit() - 1) * far);
    this.dense = new Descent(dense);
    this.#net = denseOf(this.dense.values, by);
    this.#slope = denseOf(this.dense.slope, by);
    this.#net.steps.fill(0);
  }

  /** Adds to the slopes what a lesson asks for, and says how unlikely what is right is now. `share`: how much it counts. */
  look(at: number, share: number): number {
    const { width, hidden, hides } = this.#by;
    const { isNumber = [], asks = false, ways = [], days = [] } = this.#lessons[at] ?? {};
    const known = (this.#known[at] ?? []).map((list) =>
      list.filter(() => !this.#dice.chance(hides.feature)),
    );
    if (known.length === 0) return 0;
    const inputs = new Float64Array(known.length * width);
    for (const [token, list] of known.entries())
      for (const id of list) {
        this.#touched.add(id);
        add(inputs, token * width, this.features.values.subarray(id * width, (id + 1) * width));
      }
    const inputShown = this.#hide(inputs, hides.input);
    const ahead = walk(this.#net.ahead, inputs, false);
    const back = walk(this.#net.back, inputs, true);
    const out = both(ahead, back);
    const outShown = this.#hide(out, hides.out);
    const opinion = told(this.#net, out);
    const off = new Float64Array(out.length);
    let loss = this.#judgeAsked(opinion, { out, off, asks, share });
    loss += this.#judgeDays(opinion, { out, off, days, share });
    if (asks) loss += this.#judgeTags(opinion, { out, off, isNumber, ways, share });
    for (const [one, shown] of outShown.entries()) off[one]! *= shown;
    const inputSlope = new Float64Array(inputs.length);
    for (const [layer, slope, walked, from] of [
      [this.#net.ahead, this.#slope.ahead, ahead, 0],
      [this.#net.back, this.#slope.back, back, hidden],
    ] as const)
      walkBack(
        { layer, walk: walked, inputs },
        { out: off, from, back: from > 0 },
        { slope, inputSlope },
      );
    for (const [one, shown] of inputShown.entries()) inputSlope[one]! *= shown;
    for (const [token, list] of known.entries()) {
      const asked = inputSlope.subarray(token * width, (token + 1) * width);
      for (const id of list) add(this.features.slope, id * width, asked);
    }
    return loss;
  }

  step(pace: number, done: number): void {
    const { width } = this.#by;
    const size = this.dense.values.length;
    let steepness = this.dense.steepness(0, size);
    for (const id of this.#touched)
      steepness += this.features.steepness(id * width, (id + 1) * width);
    const by = { pace, done, shrink: Math.min(1, STEEPEST / Math.sqrt(steepness || 1)) };
    this.dense.step(0, size, by);
    for (const id of this.#touched) this.features.step(id * width, (id + 1) * width, by);
    this.#touched.clear();
  }

  learnt(): Loose {
    const { width, hidden } = this.#by;
    const features = [...this.#ids].map(([key, id]) => {
      const numbers = this.features.values.subarray(id * width, (id + 1) * width);
      return [key, Array.from(numbers, rounded)] as const;
    });
    return { width, hidden, dense: Array.from(this.dense.values, rounded), features };
  }

  /** Hides a share of the numbers, makes the others as much more, and says of each by how much. */
  #hide(numbers: Float64Array, share: number): Float64Array {
    const shown = numbers.map(() => (this.#dice.chance(share) ? 0 : 1 / (1 - share)));
    for (const [one, by] of shown.entries()) numbers[one]! *= by;
    return shown;
  }

  #judgeAsked(
    { asked }: Opinion,
    {
      out,
      off,
      asks,
      share,
    }: { out: Float64Array; off: Float64Array; asks: boolean; share: number },
  ): number {
    const far = (sigmoid(asked) - (asks ? 1 : 0)) * share;
    this.#slope.askedBase[0]! += far;
    for (const [one, place] of mostOf(out, 2 * this.#by.hidden).entries()) {
      this.#slope.asked[one]! += far * out[place]!;
      off[place]! += far * this.#net.asked[one]!;
    }
    return -Math.log(sigmoid(asks ? asked : -asked) || Number.MIN_VALUE);
  }

  #judgeDays(
    { days: odds }: Opinion,
    {
      out,
      off,
      days,
      share,
    }: Pick<Lesson, "days"> & { out: Float64Array; off: Float64Array; share: number },
  ): number {
    const width = 2 * this.#by.hidden;
    let loss = 0;
    for (const { token, right } of days) {
      const own = odds[token]!;
      const far = (sigmoid(own) - (right ? 1 : 0)) * share;
      this.#slope.dayBase[0]! += far;
      for (let one = 0; one < width; one += 1) {
        this.#slope.day[one]! += far * out[token * width + one]!;
        off[token * width + one]! += far * this.#net.day[one]!;
      }
      loss -= Math.log(sigmoid(right ? own : -own) || Number.MIN_VALUE);
    }
    return loss;
  }

  #judgeTags(
    { scores }: Opinion,
    {
      out,
      off,
      isNumber,
      ways,
      share,
    }: Pick<Lesson, "isNumber" | "ways"> & { out: Float64Array; off: Float64Array; share: number },
  ): number {
    const width = 2 * this.#by.hidden;
    for (const [token, is] of isNumber.entries())
      if (!is) scores[token * COUNT + AMOUNT_TAG] = -Infinity;
    const of = lattice(scores, this.#net.steps);
    const shares = sharesOf(of, ways);
    for (let token = 0; token < of.length; token += 1)
      for (let tag = 0; tag < COUNT; tag += 1) {
        let far = likelihood(of, token, tag);
        for (const [way, tags] of ways.entries()) if (tags[token] === tag) far -= shares[way]!;
        if (Math.abs(far) < NEGLIGIBLE) continue;
        far *= share;
        this.#slope.tagsBase[tag]! += far;
        const [row, place] = [tag * width, token * width];
        for (let one = 0; one < width; one += 1) {
          this.#slope.tags[row + one]! += far * out[place + one]!;
          off[place + one]! += far * this.#net.tags[row + one]!;
        }
      }
    for (const [step, far] of stepsOff(of, ways, shares).entries())
      this.#slope.steps[step]! += far * share;
    return lossOf(of, ways);
  }
}

/** The logarithm of how unlikely all the ways together are. */
function lossOf(
  { scores, steps, total }: ReturnType<typeof lattice>,
  ways: Lesson["ways"],
): number {
  const sums = waySums(scores, steps, ways);
  const most = Math.max(...sums);
  return total - most - Math.log(sums.reduce((sum, one) => sum + Math.exp(one - most), 0));
}

/** As far as what is written down can tell numbers apart, and farther. */
function rounded(number: number): number {
  return Math.round(number * 1e5) / 1e5;
}

/** Chance as it falls most often: about nothing, by one. */
function bell(dice: Dice): number {
  return Math.sqrt(-2 * Math.log(1 - dice.unit())) * Math.cos(2 * Math.PI * dice.unit());
}
