import { expect, test } from "vitest";
import {
  drawCode,
  drawToken,
} from "../../../../../src/plugins/invoicing/note/issue/request-names.ts";
import { systemRandom } from "../../../../../src/worker/ports.ts";

/** A source that gives the numbers it was told. */
const told = (...numbers: number[]) => ({ int: () => numbers.shift() ?? 0 });

test("a token has twenty letters and digits and does not come twice", () => {
  const tokens = Array.from({ length: 200 }, () => drawToken(systemRandom));

  for (const token of tokens) expect(token).toMatch(/^[A-Z0-9]{20}$/);
  expect(new Set(tokens).size).toBe(tokens.length);
});

test("a code has eight digits, with leading zeros", () => {
  expect(drawCode(told(42))).toBe("00000042");
});

test("trivial codes are drawn again", () => {
  expect(drawCode(told(11_111_111, 1_234_567, 89_012_345, 48_210_377))).toBe("48210377");
});
