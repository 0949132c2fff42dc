/** What the worker counts, on the same page as the server's metrics. Labels are fixed words. */
import { Counter, Gauge, type Registry } from "prom-client";
import { GUARDED, holdOf } from "../../store/index.ts";
import type { Store } from "../../store/port/port.ts";
import type { Count } from "./plugin-metrics.ts";

/** `prosa_held`: 1 while a class waits for a person. Asked of the store when the page is read. */
export function holdGauge(registry: Registry, store: Pick<Store, "scopes">): void {
  new Gauge({
    name: "prosa_held",
    help: "1 while calls of this class wait for a person (fail-over, restored backup)",
    labelNames: ["class"],
    registers: [registry],
    async collect() {
      // Without the store the last answer stays: the page must not fail with it.
      const pauses = await store.scopes.pauses().catch(() => null);
      if (!pauses) return;
      for (const one of GUARDED) this.set({ class: one }, pauses.has(holdOf(one)) ? 1 : 0);
    },
  });
}

/** `prosa_dead_letters` and the age of the oldest, s. Asked of the store when the page is read. */
export function deadGauges(
  registry: Registry,
  store: Pick<Store, "deadLetters" | "now" | "views">,
): void {
  const registers = [registry];
  new Gauge({
    name: "prosa_dead_letters",
    help: "Dead letters that wait for a person",
    registers,
    async collect() {
      const backlog = await store.views.backlog().catch(() => null);
      if (backlog) this.set(backlog.dead);
    },
  });
  new Gauge({
    name: "prosa_dead_letters_oldest_seconds",
    help: "Age of the oldest dead letter; 0 when there is none",
    registers,
    async collect() {
      const asked = Promise.all([store.deadLetters.list({ limit: 1 }), store.now()]);
      const found = await asked.catch(() => null);
      if (!found) return;
      const [{ items }, now] = found;
      this.set(items[0] ? Math.max(0, now - items[0].at) / 1_000 : 0);
    },
  });
}

/** Counts one event of a metric that the worker or a plugin (`added`) names. A name that is none is not counted. */
export function workerCounters(
  registry: Registry,
  added: ReadonlyMap<string, Count>,
): (metric: string, labels: Readonly<Record<string, string>>) => void {
  const registers = [registry];
  const counters: Readonly<Record<string, Counter>> = {
    gateway_calls: new Counter({
      name: "prosa_gateway_calls_total",
      help: "Gateway calls by route and how they ended",
      labelNames: ["route", "outcome"],
      registers,
    }),
    own_calls: new Counter({
      name: "prosa_own_effect_calls_total",
      help: "Calls of the bot's own effects and how they ended",
      labelNames: ["effect", "outcome"],
      registers,
    }),
    backfill: new Counter({
      name: "prosa_backfill_total",
      help: "Pulls of what nobody heard, by how they ended",
      labelNames: ["outcome"],
      registers,
    }),
    unreadable: new Counter({
      name: "prosa_unreadable_messages_total",
      help: "Messages that came without their words: still missing after seconds, or found by asking for them",
      labelNames: ["channel", "outcome"],
      registers,
    }),
    alarms: new Counter({
      name: "prosa_alarms_total",
      help: "Alarms by code, repeated ones included",
      labelNames: ["code"],
      registers,
    }),
  };
  return (metric, labels) =>
    counters[metric] ? counters[metric].inc({ ...labels }) : added.get(metric)?.(labels);
}
