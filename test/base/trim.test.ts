import { expect, test } from "vitest";
import { trim } from "../../src/base/index.ts";

test.each([1, 2, 7, 8, 100, 1_000])(
  "a memory of %i never holds more, and forgets the oldest",
  (limit) => {
    const memory = new Map<number, number>();
    for (let at = 0; at < 3 * limit + 5; at++) {
      memory.set(at, at);
      trim(memory, limit);
      const kept = [...memory.keys()];
      expect(kept.length).toBeLessThanOrEqual(limit);
      expect(kept.length).toBeGreaterThanOrEqual(Math.min(at + 1, limit - Math.floor(limit / 8)));
      expect(kept).toEqual(
        Array.from({ length: kept.length }, (_, back) => at + 1 - kept.length + back),
      );
    }
  },
);
