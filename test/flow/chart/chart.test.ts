import { describe, expect, test } from "vitest";
import {
  chartMermaid,
  chartOf,
  chartTree,
  fullChart,
  Sheet,
  withCoverage,
  withFindings,
} from "../../../src/flow/index.ts";
import { library } from "../fixtures/world.ts";

const program = library().get("request-sample");
if (!program) throw new Error("the sample does not load");
const chart = chartOf(program);
const edge = (from: string, to: string) =>
  chart.edges.filter((one) => one.from === from && one.to === to).map((one) => one.label);

describe("the folded chart", () => {
  test("has one node per place where somebody waits, and every edge joins two of them", () => {
    const ids = chart.nodes.map((node) => node.id);
    expect(ids).toEqual([
      "start",
      "service",
      "document",
      "name",
      "address",
      "value",
      "description",
      "competence",
      "summary",
      "approval",
      "handoff-approval-late",
      "issue",
      "handoff-rejected",
      "handoff-issue-failed",
      "ended-refused",
      "ended-issued",
      "ended-done",
    ]);
    for (const { from, to } of chart.edges) {
      expect(ids).toContain(from);
      expect(ids).toContain(to);
    }
    expect(new Set(chart.edges.map(({ id }) => id)).size).toBe(chart.edges.length);
  });

  test("labels edges with what is said, decided and reported on the way", () => {
    expect(edge("start", "service")).toEqual([["“hello”"]]);
    expect(edge("name", "value")).toEqual([["otherwise"]]);
    expect(edge("name", "address")[0]?.[0]).toContain("account.policy.address == 'always'");
    expect(edge("summary", "approval")).toEqual([
      ["EMITIR", "account.policy.approval == true", "“sent”"],
    ]);
    expect(edge("issue", "ended-issued")).toEqual([["done", "“issued”"]]);
  });

  test("draws a jump back to the author's target, and a held call as a loop on itself", () => {
    expect(edge("issue", "summary")).toEqual([
      ["rejected", "issue.fixable == 'customer'", "“rejected”"],
    ]);
    expect(edge("issue", "issue")).toEqual([["held", "“processing”"]]);
    expect(chart.nodes.find(({ id }) => id === "issue")?.states).toEqual([
      "issue",
      "issue-held-rest",
    ]);
  });

  test("prints as a tree and as Mermaid", () => {
    expect(chartTree(chart)).toContain("✓ summary  [EMITIR]\n  ├─ EMITIR ·");
    const mermaid = chartMermaid(chart);
    expect(mermaid.split("\n")[0]).toBe("flowchart TD");
    expect(mermaid).toContain("subgraph taker");
    expect(mermaid.match(/-->|-\.->/g)).toHaveLength(chart.edges.length);
  });
});

describe("the chart of the whole machine", () => {
  const full = fullChart(program);
  test("has every state and every edge, each between two of its states", () => {
    const ids = full.nodes.map(({ id }) => id);
    expect(ids).toEqual(Object.keys(program.machine.config.states).filter((id) => id !== "idle"));
    for (const { from, to } of full.edges)
      expect([ids.includes(from), ids.includes(to)]).toEqual([true, true]);
    expect(full.edges.length).toBeGreaterThan(chart.edges.length);
  });

  test("is JSON that reads back whole, the same from a library loaded anew", () => {
    const again = library().get("request-sample");
    if (!again) throw new Error("the sample does not load");
    for (const draw of [chartOf, fullChart]) {
      const text = JSON.stringify(draw(program), null, 2);
      expect(JSON.parse(text)).toEqual(draw(program));
      expect(JSON.stringify(draw(again), null, 2)).toBe(text);
    }
  });

  test("prints the same to the letter each time", () => {
    expect(chartMermaid(fullChart(program))).toBe(chartMermaid(full));
    expect(chartTree(chartOf(program))).toBe(chartTree(chart));
  });
});

describe("overlays", () => {
  test("say on a place how many of its edges were gone through", () => {
    const sheet = new Sheet();
    sheet.took("service/always/0");
    const shown = withCoverage(chart, program, sheet.coverage(program));
    const chips = (id: string) => shown.nodes.find((node) => node.id === id)?.chips;
    expect(chips("service")).toContain("1/1 tested");
    expect(chips("document")).toContain("0/1 tested");
    expect(chartTree(shown)).toContain("[1/1 tested]");
  });

  test("say on a place what lint found there, and not what it found in another flow", () => {
    const finding = {
      rule: "ask/no-limit",
      severity: "warning",
      message: "x",
      step: "value",
    } as const;
    const own = withFindings(chart, [{ ...finding, flow: chart.flow }]);
    expect(own.nodes.find(({ id }) => id === "value")?.chips).toContain("warning ask/no-limit");
    expect(withFindings(chart, [{ ...finding, flow: "another" }]).nodes).toEqual(chart.nodes);
  });
});
