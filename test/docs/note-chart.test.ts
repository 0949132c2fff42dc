/** `src/plugins/invoicing/note/life.md`: its drawings are the chart's. */
import { expect, test } from "vitest";
import { noteChart } from "../../src/plugins/invoicing/note/chart.ts";
import { textOf } from "./fences.ts";
import { NOTE_CHART, noteCharts, splitAtChart } from "./note-chart.ts";

test("the drawings of a note's life are what its chart says now, with each of its events", () => {
  const { between } = splitAtChart(textOf(NOTE_CHART));

  expect(between, "run: npx tsx test/docs/note-chart.ts").toBe(noteCharts());
  expect(noteChart.events.length).toBeGreaterThan(20);
  for (const event of noteChart.events) expect(between).toContain(` : ${event} `);
});
