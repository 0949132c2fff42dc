/**
 * Learning as if a stranger's texts were not there: the chain is learnt from everybody else's, the rules are those that met the
 * texts first (`first-sight.ts`). What comes of it is the measure of texts that nobody has read, and what judges learn from.
 */
import { byRules } from "../../../src/understanding/invoice.ts";
import { SPAN_KINDS, type SpanKind } from "../../../src/understanding/tagger/tagger.ts";
import { type Sentence, type Weighed, weighed } from "../../../src/understanding/tagger/weighed.ts";
import type { Judges, Learnt } from "../../../src/understanding/tagger/learnt.ts";
import { formsOf, type Labelled } from "../labels.ts";
import { exampleOf } from "./example.ts";
import { type FirstSight, firstSights, idOf } from "./first-sight.ts";
import { fit, type Fitted, fitJudge, type Judged, type Pace } from "./fit.ts";

/** A stranger's text, weighed by what was learnt without this stranger's. */
export interface Met {
  readonly row: Labelled;
  readonly sight: FirstSight;
  readonly sentence: Sentence;
  readonly weighed: Weighed;
  readonly by: Fitted;
}

const RIGHT: Pace = { epochs: 8, pace: 0.05, decay: 0.03, fewest: 4, smallest: 0.04 };
const DAY: Pace = { ...RIGHT, fewest: 3, decay: 0.05 };
const WANTED: Pace = { ...RIGHT, decay: 0.05 };

/** `texts`: sentences of every hand; those of before strangers wrote are learnt from only. */
export function met(texts: readonly Labelled[]): readonly Met[] {
  const sights = firstSights();
  const all = texts.map((row) => ({
    row,
    sight: sights.get(idOf(row)),
    example: exampleOf(row),
  }));
  const hands = new Set([...sights.values()].map(({ hand }) => hand));
  return [...hands].flatMap((hand) => {
    const by = fit(all.filter(({ sight }) => sight?.hand !== hand).map(({ example }) => example));
    return all.flatMap(({ row, sight }) => {
      if (sight?.hand !== hand) return [];
      const { text, now, zone = "America/Sao_Paulo" } = row;
      const ruled = byRules(text, { now: Date.parse(now), zone });
      const sentence = { ...ruled.sentence, refused: sight.refused };
      return [{ row, sight, sentence, weighed: weighed(sight.found, sentence, by), by }];
    });
  });
}

/** What judges learn from texts that were met. */
export function judgesOf(all: readonly Met[]): Omit<Learnt, keyof Fitted> {
  const note = all.map(({ row, weighed: { note: traits } }) => ({ traits, right: row.expect.ok }));
  const [name, description] = SPAN_KINDS.map((kind) => judgesOfKind(kind, all));
  if (!name || !description) throw new Error("There are judges of two kinds.");
  return { note: fitJudge(note, RIGHT), day: fitJudge(days(all), DAY), name, description };
}

/** Of every day in a request, whether it is the one. */
function days(all: readonly Met[]): Judged[] {
  return all.flatMap(({ row: { expect }, weighed: of }) => {
    if (!expect.ok) return [];
    const dates = formsOf(expect, "date");
    return of.days.map(({ day, traits }) => ({ traits, right: dates.includes(day) }));
  });
}

function judgesOfKind(kind: SpanKind, all: readonly Met[]): Judges {
  const right: Judged[] = [];
  const wanted: Judged[] = [];
  for (const { row, weighed: of } of all) {
    if (!row.expect.ok) continue;
    const must = (row.expect.value as Readonly<Record<string, unknown>>)[kind];
    const forms = formsOf(row.expect, kind);
    for (const [at, { text, ruled }] of of.candidates[kind].entries()) {
      const traits = of.traits[kind][at] ?? [];
      right.push({ traits, right: forms.includes(text) });
      if (at === 0 || ruled) wanted.push({ traits, right: must !== undefined });
    }
  }
  return { right: fitJudge(right, RIGHT), wanted: fitJudge(wanted, WANTED) };
}
