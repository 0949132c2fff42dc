/** What was learnt from the labelled sentences: weights of the chain and of the judges, the net, and the trees. */
import { COUNT, type SpanKind } from "./model/chain.ts";
import { type Forest, readForest } from "./model/forest.ts";
import { type Net, readNet } from "./model/net.ts";
import { readWeights, type Weights } from "./model/weights-file.ts";
import { ASKED, CHAIN, FORESTS, JUDGES, NET, STEP_WEIGHTS } from "./model/weights.ts";

/** Of a candidate: whether it is what should be read, and whether leaving it out would be wrong. */
export interface Judges {
  readonly right: Weights;
  readonly wanted: Weights;
}

/** What each trait of a candidate, a day, a number or a whole sentence is worth. */
export interface Judged extends Readonly<Record<SpanKind, Judges>> {
  /** Whether a note is asked for, by all that is known. */
  readonly note: Weights;
  /** Whether a day that is spoken of is the day of the work. */
  readonly day: Weights;
  /** Whether a number is the amount. */
  readonly amount: Weights;
}

/** What trees have the last word on, by what the chain and the judges say of it and of all others. */
const FOREST_KINDS = [
  "nameRight",
  "nameWanted",
  "descriptionRight",
  "descriptionWanted",
  "note",
  "day",
  "amount",
] as const;
export type Forests = Readonly<Record<(typeof FOREST_KINDS)[number], Forest>>;

export interface Learnt extends Judged {
  readonly chain: Weights;
  /** In steps of their own (`weights-file.ts`). */
  readonly steps: readonly number[];
  /** Whether a note is asked for, by the words alone. */
  readonly asked: Weights;
  readonly net: Net;
  readonly forests: Forests;
}

let read: Learnt | undefined;

/** Of all texts that may be learnt from; read once. */
export function learnt(): Learnt {
  read ??= {
    chain: readWeights(CHAIN, COUNT),
    steps: STEP_WEIGHTS,
    asked: readWeights(ASKED, 1),
    net: readNet(NET),
    note: readWeights(JUDGES.note, 1),
    day: readWeights(JUDGES.day, 1),
    amount: readWeights(JUDGES.amount, 1),
    name: {
      right: readWeights(JUDGES.nameRight, 1),
      wanted: readWeights(JUDGES.nameWanted, 1),
    },
    description: {
      right: readWeights(JUDGES.descriptionRight, 1),
      wanted: readWeights(JUDGES.descriptionWanted, 1),
    },
    forests: forestsBy((kind) => readForest(FORESTS[kind])),
  };
  return read;
}

export function forestsBy<Of>(make: (kind: keyof Forests) => Of): Record<keyof Forests, Of> {
  return Object.fromEntries(FOREST_KINDS.map((kind) => [kind, make(kind)])) as Record<
    keyof Forests,
    Of
  >;
}
