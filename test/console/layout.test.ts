import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Chart } from "../../src/flow/chart/chart-model.ts";
import type { Box, LaidOut, Point } from "../../src/console/layout/laid-out.ts";
import { chartSvg } from "../../src/console/layout/svg.ts";
import { createLayouter } from "../../src/console/layout/layouter.ts";
import { MENU, REQUEST_INVOICE, anyChart } from "./charts.ts";

const layouter = createLayouter();
afterAll(() => layouter.close());

/** Pixels two things may share without anybody seeing it. */
const SLACK = 0.5;

function overlap(a: Box, b: Box): boolean {
  return (
    a.x + SLACK < b.x + b.width &&
    b.x + SLACK < a.x + a.width &&
    a.y + SLACK < b.y + b.height &&
    b.y + SLACK < a.y + a.height
  );
}

function within(inner: Box, outer: Box): boolean {
  return (
    inner.x >= outer.x - SLACK &&
    inner.y >= outer.y - SLACK &&
    inner.x + inner.width <= outer.x + outer.width + SLACK &&
    inner.y + inner.height <= outer.y + outer.height + SLACK
  );
}

function segments(route: readonly Point[]): Box[] {
  return route.slice(1).map((to, at) => {
    const from = route[at] as Point;
    return {
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      width: Math.max(Math.abs(from.x - to.x), 2 * SLACK + 0.01),
      height: Math.max(Math.abs(from.y - to.y), 2 * SLACK + 0.01),
    };
  });
}

/** Everything that would make the drawing hard to read, in words. */
function flaws(laid: LaidOut): string[] {
  const found: string[] = [];
  const pills = laid.edges.flatMap((edge) => (edge.pill ? [{ id: edge.id, ...edge.pill }] : []));
  const page = { x: 0, y: 0, width: laid.width, height: laid.height };
  const boxes = [...laid.nodes, ...pills];
  boxes.forEach((a, at) => {
    if (!within(a, page)) found.push(`${a.id} leaves the page`);
    for (const b of boxes.slice(at + 1)) if (overlap(a, b)) found.push(`${a.id} lies on ${b.id}`);
  });
  for (const group of laid.groups)
    for (const node of laid.nodes)
      if (node.group === group.id ? !within(node, group) : overlap(node, group))
        found.push(`${node.id} and group ${group.id}`);
  for (const edge of laid.edges)
    for (const node of laid.nodes)
      if (node.id !== edge.from && node.id !== edge.to)
        if (segments(edge.route).some((segment) => overlap(segment, node)))
          found.push(`${edge.id} runs through ${node.id}`);
  return found;
}

/** The drawn boxes and lines stand for all of the chart. */
function complete(chart: Chart, laid: LaidOut): boolean {
  const drawn = new Set(laid.edges.flatMap((edge) => edge.of));
  const chips = laid.nodes.reduce((sum, node) => sum + node.chips.length, 0);
  const missing = chart.edges.filter((edge) => !drawn.has(edge.id));
  return laid.nodes.length === chart.nodes.length && (missing.length === 0 || chips > 0);
}

describe("layout of a flow's chart", () => {
  test("an invoice request is placed from top to bottom without any flaw", async () => {
    const laid = await layouter.layout(REQUEST_INVOICE);
    expect(laid.mode).toBe("chart");
    expect(flaws(laid)).toEqual([]);
    const y = (id: string) => laid.nodes.find((node) => node.id === id)?.y ?? Number.NaN;
    const order = ["start", "service", "document", "name", "value", "summary", "issue"];
    expect(order.map(y)).toEqual([...order].map(y).sort((a, b) => a - b));
    expect(laid.width).toBeLessThan(1000);
  });

  test("edges of one pair become one with all their lines, and a self-transition a chip", async () => {
    const laid = await layouter.layout(REQUEST_INVOICE);
    const toPerson = laid.edges.filter((edge) => edge.from === "issue" && edge.to === "person");
    expect(toPerson.map((edge) => edge.of.length)).toEqual([2]);
    expect(toPerson[0]?.pill?.lines).toEqual(["rejeitada pelo cadastro", "falhou “failed”"]);
    const issue = laid.nodes.find((node) => node.id === "issue");
    expect(issue?.chips).toEqual(["↻ em processamento “processing”"]);
  });

  test("the same chart is placed once and kept", async () => {
    const first = layouter.layout(MENU);
    expect(layouter.layout(structuredClone(MENU))).toBe(first);
    expect((await first).title).toBe("Menu");
  });

  test("random charts have every box apart, every pill readable and every edge routed", async () => {
    const modes: string[] = [];
    await fc.assert(
      fc.asyncProperty(anyChart, async (chart) => {
        const laid = await layouter.layout(chart);
        modes.push(laid.mode);
        expect(complete(chart, laid)).toBe(true);
        expect(flaws(laid)).toEqual([]);
        for (const edge of laid.edges) expect(edge.route.length).toBeGreaterThan(1);
      }),
      { numRuns: 40, seed: 20_261_121 },
    );
    expect(modes.filter((mode) => mode === "outline")).toEqual([]);
  }, 120_000);

  test("a layouter that is closed answers with an outline instead of hanging", async () => {
    const closing = createLayouter();
    const laid = closing.layout(REQUEST_INVOICE);
    await closing.close();
    await closing.close();
    const result = await laid;
    expect(result.nodes).toHaveLength(REQUEST_INVOICE.nodes.length);
    await closing.close();
  });
});

describe("drawing as a document", () => {
  test("it is the same to the letter each time it is drawn, also by another process's layouter", async () => {
    const other = createLayouter();
    try {
      const drawn = chartSvg(await layouter.layout(REQUEST_INVOICE));
      expect(chartSvg(await other.layout(structuredClone(REQUEST_INVOICE)))).toBe(drawn);
      // A step more is seen, and nothing of the document says when or where it was drawn.
      const [first] = REQUEST_INVOICE.nodes;
      if (!first) throw new Error("an empty chart");
      const more = {
        ...REQUEST_INVOICE,
        nodes: [...REQUEST_INVOICE.nodes, { ...first, id: "new" }],
      };
      expect(chartSvg(await other.layout(more))).not.toBe(drawn);
    } finally {
      await other.close();
    }
  });

  test("it shows title, root events, live step and walked path, and is well formed", async () => {
    const laid = await layouter.layout(REQUEST_INVOICE);
    const svg = chartSvg(laid, { live: "summary", visited: ["service", "document", "name"] });
    expect(svg).toContain("Pedir nota");
    expect(svg).toContain("atendente");
    expect(svg).toMatch(/class="node is-confirm live visited" data-step="summary"/);
    expect(svg).toMatch(/class="edge is-answer walked"/);
    expect(svg).not.toContain("var(--");
    expect(svg.match(/<g[ >]/g)).toHaveLength(svg.match(/<\/g>/g)?.length ?? -1);
  });

  test("a step that waits for a held result lights the box it belongs to", async () => {
    const laid = await layouter.layout(REQUEST_INVOICE);
    expect(chartSvg(laid, { live: "issue-held-rest" })).toMatch(
      /is-effect live[^>]*data-step="issue"/,
    );
  });

  test("labels cannot break out of the document", async () => {
    const laid = await layouter.layout({
      ...MENU,
      title: "<script>",
      nodes: MENU.nodes.map((node) => ({ ...node, label: '"><img onerror=x>&' })),
    });
    const svg = chartSvg(laid);
    expect(svg).not.toContain("<script");
    expect(svg).not.toContain("<img");
  });
});
