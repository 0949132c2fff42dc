/** During a rotation of `PROSA_KEYS`: wraps anew what nobody uses, and shows on the metrics page what is left to do. */
import { Gauge, type Registry } from "prom-client";
import type { Store } from "../../store/index.ts";
import { createKeyKeeper, type Log } from "../../worker/index.ts";
import type { Settings } from "../settings.ts";
import { keysOf } from "./storage.ts";

/** Starts it when there is more than one entry; answers what ends it. */
export function keepKeys(
  settings: Settings,
  of: { readonly store: Store; readonly log: Log; readonly registry: Registry },
): () => Promise<void> {
  const entries = keysOf(settings)
    .split(",")
    .map((part) => part.trim().split(":")[0] ?? "");
  const [first] = entries;
  if (first === undefined || entries.length < 2) return async () => undefined;
  // Names of entries are settings, no secrets.
  const gauge = new Gauge({
    name: "prosa_data_keys",
    help: "Data keys by the entry of PROSA_KEYS that wraps them, counted while there is more than one",
    labelNames: ["entry"],
    registers: [of.registry],
  });
  const keeper = createKeyKeeper({
    store: of.store,
    log: of.log,
    first,
    counted: (census) => {
      for (const { entry, keys } of census.entries) gauge.set({ entry }, keys);
    },
  });
  keeper.start();
  return () => keeper.stop();
}
