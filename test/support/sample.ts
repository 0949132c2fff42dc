/**
 * Where something is proven at every place, `npm test` tries a part of the places: a seed chooses which and is told. `EVERY=1` tries
 * all of them, `SAMPLE_SEED` the same part again.
 */
const seed = Number(process.env["SAMPLE_SEED"] ?? Date.now() % 1_000_000);
if (!Number.isSafeInteger(seed)) throw new Error("SAMPLE_SEED is no whole number");

/** One of every `oneOf`, from an offset that the seed chooses. */
export function sample<T>(all: readonly T[], oneOf: number): readonly T[] {
  if (process.env["EVERY"] !== undefined) return all;
  process.stdout.write(`SAMPLE_SEED=${seed}: one of ${oneOf}\n`);
  return all.filter((_, at) => at % oneOf === seed % oneOf);
}
