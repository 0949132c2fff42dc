/** Metrics of plugins, on the same page as the runtime's. */
import { Counter, Gauge, type Registry } from "prom-client";
import { Claims } from "../../base/index.ts";
import type { Context, Metric, Plugged } from "../../worker/index.ts";

/** Adds one to a counter. Throws nothing. */
export type Count = (labels: Readonly<Record<string, string>>) => void;

/**
 * Registers what plugins declare, and answers their counters by name. `tell` hears of metrics that are left out, of labels that
 * a counter does not have, and of a gauge that could not be read. `context` is asked when the page is read.
 */
export function pluginMetrics(
  registry: Registry,
  plugins: readonly Plugged[],
  context: () => Context,
  tell: (message: string) => void,
): ReadonlyMap<string, Count> {
  const claims = new Claims();
  const counters = new Map<string, Count>();
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
        if (read) gauge(parts, () => read(context()), tell);
        else counters.set(name, counter(parts, tell));
      } catch (error) {
        tell(
          `The plugin ${plugin} declares the metric ${name}, which is left out: ${textOf(error)}.`,
        );
      }
    }
  return counters;
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
