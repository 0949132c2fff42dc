/** Prints what notices each mutant of a flow: `npx tsx test/flows/mutation.ts [FLOW]`. */
import { edgesMet, mutantsOf, tried, type Verdict } from "./mutants.ts";

const flow = process.argv[2] ?? "request-invoice";
const met = await edgesMet(flow);
const verdicts: Verdict[] = [];
for (const mutant of mutantsOf(flow)) {
  const verdict = await tried(flow, mutant, met);
  verdicts.push(verdict);
  process.stdout.write(
    `| \`${mutant.edge}\` | ${mutant.what} | ${verdict.killer ?? "**lives**"} |\n`,
  );
}
const dead = verdicts.filter(({ killer }) => killer !== undefined).length;
process.stdout.write(
  `${flow}: ${dead} of ${verdicts.length} noticed (${((100 * dead) / verdicts.length).toFixed(1)} %)`,
);
