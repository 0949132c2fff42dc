/** The sentences that are learnt from: all but those of the hands that nobody reads. */
import { type Labelled, labels, OTHER_HAND } from "../labels.ts";

export function learnable(): readonly Labelled[] {
  return (["open", "held out", OTHER_HAND] as const)
    .flatMap((half) => labels(half))
    .filter((row) => row.kind === "invoice");
}
