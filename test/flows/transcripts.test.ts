/** The transcripts that people read are what the flows say now, and short. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { page, README, transcripts } from "./transcripts.ts";

/** Of the customer, from the first word to the number; of the returning one since the last note. */
const LIMITS: Readonly<Record<string, number>> = {
  "full-one-sentence.chat": 3,
  "full-returning-company.chat": 8,
};
const all = await transcripts();

test("the page of transcripts is what the conversations say today", () => {
  expect(all).toHaveLength(11);
  expect(readFileSync(README, "utf8").replace(/\s+/g, " ")).toBe(page(all).replace(/\s+/g, " "));
});

test.each(all.map((one) => [one.title, one] as const))(
  "%s takes few messages",
  (_title, { file, messages }) => {
    const limit = LIMITS[file] ?? 14;
    expect(messages).toBeLessThanOrEqual(limit);
  },
);
