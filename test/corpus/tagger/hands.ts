/**
 * Learning as if a stranger's texts were not there: the chain is learnt from everybody else's, the rules are those that met the
 * texts first (`first-sight.ts`). What comes of it is the measure of texts that nobody has read, and what judges learn from.
 */
import { byRules } from "../../../src/understanding/invoice.ts";
import { SPAN_KINDS, type SpanKind } from "../../../src/understanding/tagger/tagger.ts";
import { type Sentence, type Weighed, weighed } from "../../../src/understanding/tagger/weighed.ts";
import type { Forests, Judged, Judges } from "../../../src/understanding/tagger/learnt.ts";
import { type Measured, measured } from "../../../src/understanding/tagger/measures.ts";
import { formsOf, type Labelled } from "../labels.ts";
import { exampleOf } from "./example.ts";
import { type FirstSight, firstSights, idOf } from "./first-sight.ts";
import { type Case, fit, fitJudge, type Fitted, type Pace } from "./fit.ts";
import { type Counted, fitForest } from "./fit-forest.ts";

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
  const there = new Set(all.map(({ sight }) => sight?.hand));
  const hands = new Set([...sights.values()].map(({ hand }) => hand));
  return [...hands]
    .filter((hand) => there.has(hand))
    .flatMap((hand) => {
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
export function judgesOf(all: readonly Met[]): Judged {
  const note = all.map(({ row, weighed: { note: traits } }) => ({ traits, right: row.expect.ok }));
  const [name, description] = SPAN_KINDS.map((kind) => judgesOfKind(kind, all));
  if (!name || !description) throw new Error("There are judges of two kinds.");
  return {
    note: fitJudge(note, RIGHT),
    day: fitJudge(days(all), DAY),
    amount: fitJudge(amounts(all), DAY),
    name,
    description,
  };
}

/** A text as judges see it who learnt from everybody else's. */
export interface Seen extends Met {
  readonly of: Measured;
}

export function seen(all: readonly Met[]): readonly Seen[] {
  return [...new Set(all.map(({ sight }) => sight.hand))].flatMap((hand) => {
    const by = judgesOf(all.filter(({ sight }) => sight.hand !== hand));
    return all
      .filter(({ sight }) => sight.hand === hand)
      .map((one) => ({ ...one, of: measured(one.sight.found, one.sentence, one.weighed, by) }));
  });
}

/** What trees learn from texts as judges see them. */
export function forestsOf(all: readonly Seen[]): Forests {
  const asked = all.filter(({ row }) => row.expect.ok);
  const [name, description] = SPAN_KINDS.map((kind) => ({
    right: fitForest(asked.flatMap((one) => candidates(kind, one))),
    wanted: fitForest(asked.flatMap((one) => missed(kind, one))),
  }));
  if (!name || !description) throw new Error("There are trees of two kinds.");
  return {
    nameRight: name.right,
    nameWanted: name.wanted,
    descriptionRight: description.right,
    descriptionWanted: description.wanted,
    note: fitForest(all.map(({ row, of }) => ({ numbers: of.note, right: row.expect.ok }))),
    day: fitForest(
      asked.flatMap(({ row, weighed: { days }, of }) =>
        of.days.map((numbers, at) => ({ numbers, right: isForm(row, "date", days[at]?.day) })),
      ),
    ),
    amount: fitForest(
      all.flatMap(({ row, weighed: { amounts }, of }) =>
        of.amounts.map((numbers, at) => ({
          numbers,
          right: isForm(row, "value", amounts[at]?.cents),
        })),
      ),
    ),
  };
}

function isForm({ expect }: Labelled, slot: string, value: unknown): boolean {
  return expect.ok && formsOf(expect, slot).includes(value);
}

function candidates(kind: SpanKind, { row, weighed: { candidates: list }, of }: Seen): Counted[] {
  return of[kind].map((numbers, at) => ({
    numbers,
    right: isForm(row, kind, list[kind][at]?.text),
  }));
}

/** Of the likeliest of its kind: whether leaving it out would be wrong. */
function missed(kind: SpanKind, { row: { expect }, of }: Seen): Counted[] {
  const numbers = of[kind][of.best[kind]];
  if (numbers === undefined || !expect.ok) return [];
  return [{ numbers, right: Object.keys(expect.value as object).includes(kind) }];
}

/** Of every number of a request, whether it is the amount. */
function amounts(all: readonly Met[]) {
  return all.flatMap(({ row, weighed: of }) =>
    of.amounts.map(({ cents, traits }) => ({ traits, right: isForm(row, "value", cents) })),
  );
}

/** Of every day in a request, whether it is the one. */
function days(all: readonly Met[]): Case[] {
  return all.flatMap(({ row: { expect }, weighed: of }) => {
    if (!expect.ok) return [];
    const dates = formsOf(expect, "date");
    return of.days.map(({ day, traits }) => ({ traits, right: dates.includes(day) }));
  });
}

function judgesOfKind(kind: SpanKind, all: readonly Met[]): Judges {
  const right: Case[] = [];
  const wanted: Case[] = [];
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
