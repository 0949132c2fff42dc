/** Metrics that plugins declare, on the metrics page. */
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { addPluginMetrics, workerCounters } from "../../../src/app/start/metrics.ts";
import type { Metric, Plugged } from "../../../src/worker/index.ts";

const PARCELS: Metric = {
  name: "deliveries_parcels_total",
  help: "Parcels by how they ended",
  labels: ["end"],
};

async function page(...plugins: readonly Plugged[]) {
  const registry = new Registry();
  const told: string[] = [];
  const context = { clock: { now: () => 42 } } as unknown as Parameters<
    NonNullable<Metric["read"]>
  >[0];
  const counters = workerCounters(registry);
  addPluginMetrics(counters, registry, plugins, context, (line) => told.push(line));
  const counted = (name: string, labels: Readonly<Record<string, string>>) =>
    counters.get(name)?.(labels);
  const read = async () =>
    (await registry.metrics()).split("\n").filter((line) => /^[a-z]+_/.test(line));
  return { counted, told, read };
}

test("a counter goes up by its name and labels, beside the runtime's own", async () => {
  const { counted, told, read } = await page({ name: "deliveries", metrics: [PARCELS] });
  counted("deliveries_parcels_total", { end: "lost" });
  counted("deliveries_parcels_total", { end: "lost" });
  counted("alarms", { code: "parcel.lost" });

  expect(await read()).toEqual([
    'prosa_alarms_total{code="parcel.lost"} 1',
    'deliveries_parcels_total{end="lost"} 2',
  ]);
  expect(told).toEqual([]);
});

test("a gauge is asked when the page is read; what it throws is told, and the last values stay", async () => {
  let open: readonly string[] = ["car", "bike"];
  const { told, read } = await page({
    name: "far-deliveries",
    metrics: [
      {
        name: "far_deliveries_open",
        help: "Parcels on their way",
        labels: ["by"],
        read: async ({ clock }) => {
          if (open.length === 0) throw new Error("the list is away");
          return open.map((by) => ({ value: clock.now(), labels: { by } }));
        },
      },
    ],
  });
  expect(await read()).toEqual([
    'far_deliveries_open{by="car"} 42',
    'far_deliveries_open{by="bike"} 42',
  ]);
  open = ["bike"];
  expect(await read()).toEqual(['far_deliveries_open{by="bike"} 42']);
  open = [];
  expect(await read()).toEqual(['far_deliveries_open{by="bike"} 42']);
  expect(told).toEqual(["The metric far_deliveries_open could not be read: the list is away."]);
});

test("a name that is claimed twice stays with the first, and both are named", async () => {
  const { counted, told, read } = await page(
    { name: "deliveries", metrics: [PARCELS, { name: "deliveries_far_total", help: "Far ones" }] },
    { name: "deliveries-far", metrics: [{ name: "deliveries_far_total", help: "Others" }] },
  );
  counted("deliveries_far_total", {});

  expect(await read()).toEqual(["deliveries_far_total 1"]);
  expect(told).toEqual([
    "The plugin deliveries-far declares the metric deliveries_far_total, as the plugin deliveries does, and goes without it: rename it there.",
  ]);
});

test("a name without the plugin's, or one that Prometheus refuses, is left out and told", async () => {
  const { counted, told, read } = await page({
    name: "deliveries",
    metrics: [
      { name: "prosa_alarms_total", help: "Taken" },
      { name: "deliveries_late!", help: "No name" },
      PARCELS,
    ],
  });
  counted("deliveries_parcels_total", { color: "red" });

  expect(await read()).toEqual([]);
  expect(told).toEqual([
    expect.stringMatching(/deliveries .* prosa_alarms_total.*begin with deliveries_/),
    expect.stringMatching(/deliveries .* deliveries_late!.*left out/),
    expect.stringMatching(/deliveries_parcels_total was not counted: .*color/),
  ]);
});
