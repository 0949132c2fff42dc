/** Every conversation of the chat files goes as written, and no shipped flow has a finding. */
import { describe, expect, test } from "vitest";
import { checkFlows, listFlows, testFlows } from "../../src/app/index.ts";

const { results } = await testFlows();

describe("the shipped flows", () => {
  test("have no lint finding", async () => {
    expect((await checkFlows()).findings).toEqual([]);
  });

  test("each have a chat file", async () => {
    const played = new Set(results.map(({ file }) => file.split("/")[1]));
    const silent = (await listFlows()).map(({ flow }) => flow).filter((flow) => !played.has(flow));
    expect(silent).toEqual([]);
  });

  test.each(results.map((result) => [result.file, result] as const))("%s", (_file, result) => {
    expect(result.failure ?? "").toBe("");
    expect(result.ok).toBe(true);
  });
});
