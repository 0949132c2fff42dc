/**
 * One direction of a recurrent layer (long short-term memory): it walks over the tokens of a sentence and keeps, of what it has
 * passed, what it learnt to be worth keeping. Pure arithmetic; matrices are written row after row.
 */

/** Of `hidden` cells over inputs of `width` numbers: rows of the four gates (input, forget, candidate, output), `hidden` each. */
export interface Layer {
  readonly width: number;
  readonly hidden: number;
  /** `4 · hidden` rows of `width`. */
  readonly input: Float64Array;
  /** `4 · hidden` rows of `hidden`. */
  readonly again: Float64Array;
  /** `4 · hidden`. */
  readonly bias: Float64Array;
}

export const GATES = 4;

/** What the layer made of a sentence, token by token in the sentence's order. */
export interface Walk {
  readonly hidden: number;
  /** `4 · hidden` for each token, as they opened. */
  readonly gates: Float64Array;
  /** `hidden` for each token: what is kept. */
  readonly cells: Float64Array;
  /** `hidden` for each token: what is told, from -1 to 1. */
  readonly out: Float64Array;
}

/** Tokens in the order in which they are walked over. */
export function* wayOf(length: number, back: boolean): Generator<number> {
  for (let at = 0; at < length; at += 1) yield back ? length - 1 - at : at;
}

/** `inputs`: `width` numbers for each token. `back`: from the last token to the first. Linear in the tokens. */
export function walk(layer: Layer, inputs: Float64Array, back: boolean): Walk {
  const { width, hidden, input, again, bias } = layer;
  const length = inputs.length / width;
  const rows = GATES * hidden;
  const gates = new Float64Array(length * rows);
  const cells = new Float64Array(length * hidden);
  const out = new Float64Array(length * hidden);
  let before = -1;
  for (const token of wayOf(length, back)) {
    const sums = gates.subarray(token * rows, (token + 1) * rows);
    sums.set(bias);
    addRows(sums, input, inputs.subarray(token * width, (token + 1) * width));
    if (before >= 0) addRows(sums, again, out.subarray(before * hidden, (before + 1) * hidden));
    for (let cell = 0; cell < hidden; cell += 1) {
      const taken = (sums[cell] = sigmoid(sums[cell] ?? 0));
      const kept = (sums[hidden + cell] = sigmoid(sums[hidden + cell] ?? 0));
      const said = (sums[2 * hidden + cell] = hyperbolic(sums[2 * hidden + cell] ?? 0));
      const told = (sums[3 * hidden + cell] = sigmoid(sums[3 * hidden + cell] ?? 0));
      const old = before < 0 ? 0 : (cells[before * hidden + cell] ?? 0);
      const now = kept * old + taken * said;
      cells[token * hidden + cell] = now;
      out[token * hidden + cell] = told * hyperbolic(now);
    }
    before = token;
  }
  return { hidden, gates, cells, out };
}

/** Adds to each sum the product of its row and the numbers; four rows at a time, which no sum has to wait for. */
export function addRows(sums: Float64Array, rows: Float64Array, numbers: Float64Array): void {
  const width = numbers.length;
  const count = sums.length;
  let row = 0;
  for (; row + 3 < count; row += 4) {
    let [one, two, three, four] = [0, 0, 0, 0];
    const at = row * width;
    for (let each = 0; each < width; each += 1) {
      const by = numbers[each] as number;
      one += (rows[at + each] as number) * by;
      two += (rows[at + width + each] as number) * by;
      three += (rows[at + 2 * width + each] as number) * by;
      four += (rows[at + 3 * width + each] as number) * by;
    }
    sums[row] = (sums[row] as number) + one;
    sums[row + 1] = (sums[row + 1] as number) + two;
    sums[row + 2] = (sums[row + 2] as number) + three;
    sums[row + 3] = (sums[row + 3] as number) + four;
  }
  for (; row < count; row += 1) {
    let one = 0;
    for (let each = 0; each < width; each += 1)
      one += (rows[row * width + each] as number) * (numbers[each] as number);
    sums[row] = (sums[row] as number) + one;
  }
}

export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** By the same function, so that the same numbers come of it wherever it runs. */
export function hyperbolic(x: number): number {
  return 2 / (1 + Math.exp(-2 * x)) - 1;
}
