/** What each weight of a layer and each of its inputs has to do with what is off at the end: back through the tokens. */
import {
  GATES,
  hyperbolic,
  type Layer,
  type Walk,
  wayOf,
} from "../../../src/plugins/invoicing/sentence/learned/layer.ts";

export interface Off {
  /** Numbers of both directions for each token: how far each is off. */
  readonly out: Float64Array;
  /** Which of them is this layer's first. */
  readonly from: number;
  /** Walked from the last token to the first. */
  readonly back: boolean;
}

/** Adds to `slope` (a layer's shape) and to `inputSlope`. */
export function walkBack(
  { layer, walk, inputs }: { layer: Layer; walk: Walk; inputs: Float64Array },
  off: Off,
  { slope, inputSlope }: { slope: Layer; inputSlope: Float64Array },
): void {
  const { width, hidden, input, again } = layer;
  const { gates, cells, out } = walk;
  const length = inputs.length / width;
  const rows = GATES * hidden;
  const cellOff = new Float64Array(hidden);
  const outOff = new Float64Array(hidden);
  const gateOff = new Float64Array(rows);
  const order = [...wayOf(length, off.back)];
  for (let at = length - 1; at >= 0; at -= 1) {
    const token = order[at] ?? 0;
    const before = order[at - 1] ?? -1;
    for (let cell = 0; cell < hidden; cell += 1) {
      const gate = token * rows + cell;
      const taken = gates[gate]!;
      const kept = gates[gate + hidden]!;
      const said = gates[gate + 2 * hidden]!;
      const open = gates[gate + 3 * hidden]!;
      const told = hyperbolic(cells[token * hidden + cell]!);
      const tellOff = outOff[cell]! + off.out[token * 2 * hidden + off.from + cell]!;
      const keepOff = cellOff[cell]! + tellOff * open * (1 - told * told);
      const old = before < 0 ? 0 : cells[before * hidden + cell]!;
      gateOff[cell] = keepOff * said * taken * (1 - taken);
      gateOff[hidden + cell] = keepOff * old * kept * (1 - kept);
      gateOff[2 * hidden + cell] = keepOff * taken * (1 - said * said);
      gateOff[3 * hidden + cell] = tellOff * told * open * (1 - open);
      cellOff[cell] = keepOff * kept;
    }
    outOff.fill(0);
    for (let row = 0; row < rows; row += 1) {
      const one = gateOff[row]!;
      slope.bias[row]! += one;
      const [weight, place] = [row * width, token * width];
      for (let each = 0; each < width; each += 1) {
        slope.input[weight + each]! += one * inputs[place + each]!;
        inputSlope[place + each]! += one * input[weight + each]!;
      }
      if (before < 0) continue;
      const [again0, last] = [row * hidden, before * hidden];
      for (let each = 0; each < hidden; each += 1) {
        slope.again[again0 + each]! += one * out[last + each]!;
        outOff[each]! += one * again[again0 + each]!;
      }
    }
  }
}
