import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseGuarded } from "../../src/server/body.ts";

const parse = (text: string) => parseGuarded(Buffer.from(text));

describe("JSON of strangers", () => {
  test("is read as JSON.parse reads it, within the limits", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        fc.pre(!text.includes("__proto__"));
        const asText = (_: string, one: unknown) =>
          typeof one === "number" && Math.abs(one) > Number.MAX_SAFE_INTEGER ? String(one) : one;
        expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text, asText) as unknown });
      }),
    );
  });

  test("never throws, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        parseGuarded(Buffer.from(bytes));
      }),
    );
  });

  test("brackets inside strings and escaped quotes do not count", () => {
    const text = JSON.stringify({ text: `${"[".repeat(200)}\\"${"{".repeat(200)}` });
    expect(parse(text).ok).toBe(true);
    expect(parse(JSON.stringify("\\".repeat(101)))).toMatchObject({ ok: true });
  });

  test("one level over the limit is refused, one at the limit is not", () => {
    const nested = (depth: number) => parse("[".repeat(depth) + "]".repeat(depth));
    expect(nested(64).ok).toBe(true);
    expect(nested(65)).toEqual({ ok: false, reason: "too-deep" });
  });

  test("refusing sixteen million brackets or commas takes a moment, not a minute", () => {
    const began = performance.now();
    expect(parseGuarded(Buffer.alloc(16 * 1024 * 1024, "[")).ok).toBe(false);
    expect(parseGuarded(Buffer.alloc(16 * 1024 * 1024, ",")).ok).toBe(false);
    expect(parseGuarded(Buffer.alloc(16 * 1024 * 1024, '\\"')).ok).toBe(false);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
