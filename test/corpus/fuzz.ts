/**
 * Random texts against every reader: nothing throws, no text takes long, nothing impossible is taken.
 *
 *     npx tsx test/corpus/fuzz.ts                       100,000 texts
 *     npx tsx test/corpus/fuzz.ts --runs 5000 --seed 7  as many as wanted, others
 */
import { parseArgs } from "node:util";
import { fuzz } from "./random-texts.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
  },
});
const { texts, slowestMs, problems } = fuzz(Number(values.runs), Number(values.seed));
process.stdout.write(
  `${texts} texts, the slowest ${slowestMs.toFixed(1)} ms, ${problems.length} problems\n`,
);
for (const problem of problems.slice(0, 20)) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
