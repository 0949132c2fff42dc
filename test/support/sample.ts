/**
 * Where something is proven at every place, `npm test` tries a part of the places: a seed chooses them and is told. `EVERY=1` tries
 * all of them, `SAMPLE_SEED` the same part again.
 */
import { Dice } from "./dice.ts";

const seed = Number(process.env["SAMPLE_SEED"] ?? Date.now() % 1_000_000);

/** One of so many, at least one, in their order. */
export function sample<T>(all: readonly T[], oneOf: number): readonly T[] {
  if (process.env["EVERY"] !== undefined) return all;
  const count = Math.ceil(all.length / oneOf);
  process.stdout.write(`SAMPLE_SEED=${seed}: ${count} of ${all.length}\n`);
  const chosen = new Set(new Dice(seed).shuffled([...all.keys()]).slice(0, count));
  return all.filter((_, at) => chosen.has(at));
}
