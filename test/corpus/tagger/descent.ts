/** Numbers that go down a slope (Adam): each at a pace of its own, by the mean of what was asked of it lately. */

const KEEP = { mean: 0.9, square: 0.999 } as const;
/** So that none is a division by zero. */
const LITTLE = 1e-8;

export class Descent {
  readonly values: Float64Array;
  /** How each should change: added to until a step is done. */
  readonly slope: Float64Array;
  readonly #mean: Float64Array;
  readonly #square: Float64Array;

  constructor(values: Float64Array) {
    this.values = values;
    this.slope = new Float64Array(values.length);
    this.#mean = new Float64Array(values.length);
    this.#square = new Float64Array(values.length);
  }

  /** Sum of the squares of the slopes from `first` to before `end`. */
  steepness(first: number, end: number): number {
    let sum = 0;
    for (let at = first; at < end; at += 1) sum += (this.slope[at] ?? 0) ** 2;
    return sum;
  }

  /** `shrink`: share of the slope that is gone. `done`: steps so far, this one counted. */
  step(first: number, end: number, by: { pace: number; shrink: number; done: number }): void {
    const { values, slope } = this;
    const [mean, square] = [this.#mean, this.#square];
    const pace = by.pace / (1 - KEEP.mean ** by.done);
    const early = 1 / (1 - KEEP.square ** by.done);
    for (let at = first; at < end; at += 1) {
      const one = (slope[at] ?? 0) * by.shrink;
      const lately = KEEP.mean * (mean[at] ?? 0) + (1 - KEEP.mean) * one;
      const far = KEEP.square * (square[at] ?? 0) + (1 - KEEP.square) * one * one;
      mean[at] = lately;
      square[at] = far;
      values[at] = (values[at] ?? 0) - (pace * lately) / (Math.sqrt(far * early) + LITTLE);
      slope[at] = 0;
    }
  }
}
