import fc from "fast-check";
import { expect, test } from "vitest";
import { type Json, lettersAtMost } from "../../src/base/index.ts";

test("the bound is above the letters of any JSON text, and not far above those of an honest one", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const data = JSON.parse(JSON.stringify(value)) as Json;
      expect(lettersAtMost(data)).toBeGreaterThanOrEqual(JSON.stringify(data).length);
    }),
  );
  for (const dear of [
    "\u0001".repeat(100),
    "\ud800",
    '"\\',
    -1.2345678901234567e-300,
    false,
    {},
    [],
  ])
    expect(lettersAtMost(dear)).toBeGreaterThanOrEqual(JSON.stringify(dear).length);
  expect(lettersAtMost({ name: "Ana Lima", tags: ["a"] })).toBeLessThan(200);
});
