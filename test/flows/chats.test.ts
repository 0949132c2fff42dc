/** Every conversation of the chat files goes as written, and no shipped flow has a finding. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { FLOWS_FOLDER } from "../../src/app/places.ts";
import { checkFlows, listFlows, testFlows } from "../../src/app/index.ts";

/** Edges of each shipped flow that chats and generated paths go through, percent. */
const EDGES_MIN = 95;

const { results, coverage, generated } = await testFlows(undefined, { coverage: true });

describe("the shipped flows", () => {
  test("have no lint finding", async () => {
    expect((await checkFlows()).findings).toEqual([]);
  });

  test("request-invoice is no longer than 70 lines", () => {
    const file = path.join(FLOWS_FOLDER, "request-invoice", "flow.ts");
    expect(readFileSync(file, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(70);
  });

  test("each have a chat file", async () => {
    const played = new Set(results.map(({ file }) => file.split("/")[1]));
    const { flows } = await listFlows();
    const silent = flows.map(({ flow }) => flow).filter((flow) => !played.has(flow));
    expect(silent).toEqual([]);
  });

  test.each(coverage.map((one) => [one.flow, one] as const))(
    "%s is gone through on nearly every edge, by chats and generated paths",
    (_flow, { edges, guards, validators }) => {
      const missing = edges.missing.map(({ text }) => text);
      expect(edges.met / edges.all, missing.join("\n")).toBeGreaterThanOrEqual(EDGES_MIN / 100);
      expect([...guards.missing, ...validators.missing]).toEqual([]);
    },
  );

  test.each(generated.map((one) => [one.flow, one] as const))(
    "%s keeps what every flow must keep, at every place",
    (_flow, { whole, broken, unreached }) => {
      expect(broken).toEqual([]);
      expect(unreached).toEqual([]);
      expect(whole).toBe(true);
    },
  );

  test.each(results.map((result) => [result.file, result] as const))("%s", (_file, result) => {
    expect(result.failure ?? "").toBe("");
    expect(result.ok).toBe(true);
  });
});
