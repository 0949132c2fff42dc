/** How trees are written down: every number in two letters, so that a source file holds many. */
import type { Forest } from "./forest.ts";
import { inLetters, LETTERS, placeAt } from "./letters.ts";

const EACH = 2;
const BASE = LETTERS.length;
const ZERO = (BASE * BASE) / 2;
/** A number that can be written is no farther from nothing. */
export const FARTHEST = ZERO - 1;

export function writeForest({ base, numbers }: Forest): string {
  return [base, ...numbers].map((one) => inLetters(one + ZERO, EACH)).join("");
}

export function readForest(written: string): Forest {
  const numbers = new Int16Array(written.length / EACH - 1);
  for (let one = 0; one < numbers.length; one += 1) numbers[one] = numberAt(written, one + 1);
  return { base: numberAt(written, 0), numbers };
}

function numberAt(written: string, at: number): number {
  return placeAt(written, EACH * at) * BASE + placeAt(written, EACH * at + 1) - ZERO;
}
