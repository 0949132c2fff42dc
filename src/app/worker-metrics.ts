/** What the worker counts, on the same page as the server's metrics. Labels are fixed words. */
import { Counter, type Registry } from "prom-client";

/** Counts one event of a metric the worker names. A name that is none is not counted. */
export function workerCounters(
  registry: Registry,
): (metric: string, labels: Readonly<Record<string, string>>) => void {
  const registers = [registry];
  const counters: Readonly<Record<string, Counter>> = {
    gateway_calls: new Counter({
      name: "prosa_gateway_calls_total",
      help: "Gateway calls by route and how they ended",
      labelNames: ["route", "outcome"],
      registers,
    }),
    alarms: new Counter({
      name: "prosa_alarms_total",
      help: "Alarms by code, repeated ones included",
      labelNames: ["code"],
      registers,
    }),
  };
  return (metric, labels) => counters[metric]?.inc({ ...labels });
}
