import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { latinText, fold, foldWords } from "../../src/brazil/index.ts";

/** Latin-1 from `!` to `ÿ` and inner single spaces, as the schemas of official documents take it. */
const LATIN = /^[\u0021-\u007e\u00a1-\u00ff]+(?: [\u0021-\u007e\u00a1-\u00ff]+)*$/;

describe("fiscal text", () => {
  test.each([
    ["  Café “gelado” 😀 – 2 un.  ", 'Café "gelado" - 2 un.'],
    ["linha 1\nlinha 2\u00a0fim", "linha 1 linha 2 fim"],
    ["Škoda’s garagem…", "Skoda's garagem..."],
    ["Cafe\u0301", "Café"],
    ["👍", ""],
    ["R$ 10\u200b", "R$ 10"],
  ])("%j becomes %j", (from, to) => expect(latinText(from)).toBe(to));

  test("whatever comes in, what goes out fits the schema and stays as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const out = latinText(text);
        expect(out === "" || LATIN.test(out)).toBe(true);
        expect(latinText(out)).toBe(out);
      }),
    );
  });
});

describe("folding", () => {
  test("drops accents and case, and nothing that could change a number", () => {
    expect(fold("  São   PAULO ")).toBe("sao paulo");
    expect(fold("5²")).toBe("5²");
    expect(foldWords("Olho-d'Água")).toBe("olho d agua");
  });
});
