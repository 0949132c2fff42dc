/** The sentences that may be learnt from: all but those of the hands that nobody reads, and of the late hands. */
import { type Labelled, labels, OTHER_HAND } from "../labels.ts";
import { firstSights, idOf } from "./first-sight.ts";

/**
 * Read by those who mend rules, and not learnt from: what the others taught reads them as well, and with them the third and the
 * fourth hand's texts are read worse (README.md).
 */
const LATE_HANDS: ReadonlySet<string> = new Set([
  "twenty-first",
  "twenty-second",
  "twenty-third",
  "twenty-fourth",
]);

export function learnable(): readonly Labelled[] {
  const sights = firstSights();
  return (["open", "held out", OTHER_HAND] as const)
    .flatMap((half) => labels(half))
    .filter((row) => row.kind === "invoice" && !LATE_HANDS.has(sights.get(idOf(row))?.hand ?? ""));
}
