/**
 * How well the labelled texts are understood: a table of every set, and every error of the open half.
 *
 *     npx tsx test/corpus/report.ts               the table, and the errors of the open half
 *     npx tsx test/corpus/report.ts --held-out    the errors of the half set aside and of the other hand as well
 *     npx tsx test/corpus/report.ts --write       the table into README.md beside this file
 *
 * The errors of the third, the fourth and the judged hands' texts are never printed: of them there are figures only.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { FOURTH_HAND, JUDGED_HANDS, OTHER_HAND, THIRD_HAND } from "./labels.ts";
import { scores, table } from "./table.ts";

const README = path.join(import.meta.dirname, "README.md");
const BETWEEN = /(?<=<!-- table -->)[\s\S]*(?=<!-- end of table -->)/;

const { values } = parseArgs({
  options: {
    "held-out": { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const open = scores("open");
const heldOut = scores("held out");
const otherHand = scores(OTHER_HAND);
const unread = [THIRD_HAND, FOURTH_HAND, JUDGED_HANDS] as const;
const figures = table(open, heldOut, otherHand, ...unread.map((half) => scores(half)));
process.stdout.write(`${figures}\n\n`);
for (const one of values["held-out"] ? [...open, ...heldOut, ...otherHand] : open) {
  for (const error of one.wronglyAccepted)
    process.stdout.write(`wrongly accepted, ${one.half}: ${error}\n`);
  for (const error of one.missed) process.stdout.write(`missed, ${one.half}: ${error}\n`);
}
if (values.write) {
  const text = readFileSync(README, "utf8");
  if (!BETWEEN.test(text)) throw new Error(`${README} has no place for the table.`);
  writeFileSync(README, text.replace(BETWEEN, `\n\n${figures}\n\n`));
}
