/** The sentences that are learnt from: all but those of the hands that nobody reads, and of the hands since the late ones. */
import { type Labelled, labels, OTHER_HAND } from "../labels.ts";
import { firstSights, idOf } from "./first-sight.ts";

/**
 * Read by those who mend rules, and not learnt from: what the others taught reads them as well, and what nobody
 * has read is read no better with them (README.md).
 */
const NOT_LEARNT =
  /^(?:twenty-(?:first|second|third|fourth|ninth)|thirtieth|thirty-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth))$/;

export function learnable(): readonly Labelled[] {
  const sights = firstSights();
  return (["open", "held out", OTHER_HAND] as const)
    .flatMap((half) => labels(half))
    .filter((row) => row.kind === "invoice" && !NOT_LEARNT.test(sights.get(idOf(row))?.hand ?? ""));
}
