/**
 * Conversations until ten thousand notes, each body judged: `npm run -s fuzz:dados [-- COUNT [SEED]]`. Prints what was
 * wrong with its conversation, and a row for test/README.md.
 */
import { library } from "../engine/town.ts";
import { talk } from "./issuing.ts";

const wanted = Number(process.argv[2] ?? 10_000);
const first = Number(process.argv[3] ?? 1);
const begun = performance.now();
let accepted = 0;
let refused = 0;
let wrong = 0;
let seed = first;
for (; accepted + wrong < wanted; seed++) {
  const { dados, problems, refusals, lines } = talk(seed, library);
  refused += refusals;
  if (dados && problems.length === 0) {
    accepted += 1;
    continue;
  }
  wrong += 1;
  const why = problems.length > 0 ? problems.join("; ") : "ended without a note";
  process.stdout.write(`seed ${seed}: ${why}\n${lines.join("\n")}\n\n`);
}
const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
process.stdout.write(
  `| ${first}–${seed - 1} | ${accepted.toLocaleString("en")} | ${refused.toLocaleString("en")} | ${wrong} | ${seconds} s |\n`,
);
process.exitCode = wrong > 0 ? 1 : 0;
