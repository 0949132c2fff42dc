/** What was learnt from the labelled sentences: the chain's weights, and those of everything that is judged. */
import { COUNT } from "./chain.ts";
import type { SpanKind } from "./tagger.ts";
import { readWeights, type Weights } from "./weights-file.ts";
import { ASKED, CHAIN, JUDGES, STEP_WEIGHTS } from "./weights.ts";

/** Of a candidate: whether it is what should be read, and whether leaving it out would be wrong. */
export interface Judges {
  readonly right: Weights;
  readonly wanted: Weights;
}

export interface Learnt extends Readonly<Record<SpanKind, Judges>> {
  readonly chain: Weights;
  /** In steps of their own (`weights-file.ts`). */
  readonly steps: readonly number[];
  /** Whether a note is asked for, by the words alone. */
  readonly asked: Weights;
  /** … and by all that is known. */
  readonly note: Weights;
  /** Whether a day that is spoken of is the day of the work. */
  readonly day: Weights;
}

let read: Learnt | undefined;

/** Of all texts that may be learnt from; read once. */
export function learnt(): Learnt {
  read ??= {
    chain: readWeights(CHAIN, COUNT),
    steps: STEP_WEIGHTS,
    asked: readWeights(ASKED, 1),
    note: readWeights(JUDGES.note, 1),
    day: readWeights(JUDGES.day, 1),
    name: {
      right: readWeights(JUDGES.nameRight, 1),
      wanted: readWeights(JUDGES.nameWanted, 1),
    },
    description: {
      right: readWeights(JUDGES.descriptionRight, 1),
      wanted: readWeights(JUDGES.descriptionWanted, 1),
    },
  };
  return read;
}
