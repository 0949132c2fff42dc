/** What the worker and plugins count, on the same page as the server's metrics. Labels are fixed words. */
import { Counter, Gauge, type Registry } from "prom-client";
import { Claims } from "../../base/index.ts";
import { GUARDED, holdOf } from "../../store/index.ts";
import type { Store } from "../../store/port/port.ts";
import type { Context, Metric, Plugged } from "../../worker/index.ts";

/** Adds one to a counter. Throws nothing. */
type Count = (labels: Readonly<Record<string, string>>) => void;
/** Counters by the names under which the worker and plugins count. */
type Counters = Map<string, Count>;

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

/** What the worker counts itself: by the worker's name, the metric's name, its labels and its sentence. */
const OF_WORKER = {
  gateway_calls: [
    "prosa_gateway_calls_total",
    ["route", "outcome"],
    "Gateway calls by route and how they ended",
  ],
  own_calls: [
    "prosa_own_effect_calls_total",
    ["effect", "outcome"],
    "Calls of the bot's own effects and how they ended",
  ],
  backfill: ["prosa_backfill_total", ["outcome"], "Pulls of what nobody heard, by how they ended"],
  unreadable: [
    "prosa_unreadable_messages_total",
    ["channel", "outcome"],
    "Messages that came without their words: still missing after seconds, or found by asking for them",
  ],
  alarms: ["prosa_alarms_total", ["code"], "Alarms by code, repeated ones included"],
} as const;

export function workerCounters(registry: Registry): Counters {
  return new Map(
    Object.entries(OF_WORKER).map(([key, [name, labelNames, help]]) => {
      const counter = new Counter<string>({ name, help, labelNames, registers: [registry] });
      return [key, (labels) => counter.inc({ ...labels })];
    }),
  );
}

/**
 * Registers what plugins declare, and adds their counters to those of the worker. `tell` hears of metrics that are left out, of
 * labels that a counter does not have, and of a gauge that could not be read.
 */
export function addPluginMetrics(
  counters: Counters,
  registry: Registry,
  plugins: readonly Plugged[],
  context: Context,
  tell: (message: string) => void,
): void {
  const claims = new Claims();
  for (const { name: plugin, metrics = [] } of plugins)
    for (const metric of metrics) {
      const { name, help, labels = [], read } = metric;
      const wrong = misnamed(name, plugin) ?? claims.refusal(plugin, `the metric ${name}`);
      if (wrong !== undefined) {
        tell(wrong);
        continue;
      }
      const parts = { name, help, labelNames: [...labels], registers: [registry] };
      try {
        if (read) gauge(parts, () => read(context), tell);
        else if (!counters.has(name)) counters.set(name, counter(parts, tell));
      } catch (error) {
        tell(
          `The plugin ${plugin} declares the metric ${name}, which is left out: ${textOf(error)}.`,
        );
      }
    }
}

function misnamed(name: string, plugin: string): string | undefined {
  const start = `${plugin.replaceAll("-", "_")}_`;
  return name.startsWith(start)
    ? undefined
    : `The plugin ${plugin} declares the metric ${name}, which is left out: let its name begin with ${start}.`;
}

function counter(
  parts: ConstructorParameters<typeof Counter>[0],
  tell: (message: string) => void,
): Count {
  const made = new Counter(parts);
  return (labels) => {
    try {
      made.inc({ ...labels });
    } catch (error) {
      tell(`The metric ${parts.name} was not counted: ${textOf(error)}.`);
    }
  };
}

function gauge(
  parts: ConstructorParameters<typeof Gauge>[0],
  read: () => ReturnType<NonNullable<Metric["read"]>>,
  tell: (message: string) => void,
): void {
  new Gauge({
    ...parts,
    async collect() {
      try {
        const all = await read();
        this.reset();
        for (const { value, labels = {} } of all) this.set({ ...labels }, value);
      } catch (error) {
        tell(`The metric ${parts.name} could not be read: ${textOf(error)}.`);
      }
    },
  });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
