/**
 * Learning as if a stranger's texts were not there: the chain is learnt from everybody else's, the rules are those that met the
 * texts first (`first-sight.ts`). What comes of it is the measure of texts that nobody has read, and what judges learn from.
 */
import { byRules } from "../../../src/plugins/invoicing/sentence/invoice.ts";
import {
  SPAN_KINDS,
  type SpanKind,
} from "../../../src/plugins/invoicing/sentence/learned/model/chain.ts";
import type { Sentence } from "../../../src/plugins/invoicing/sentence/sentence.ts";
import { type Weighed, weighed } from "../../../src/plugins/invoicing/sentence/learned/weighed.ts";
import type {
  Forests,
  Judged,
  Judges,
} from "../../../src/plugins/invoicing/sentence/learned/learnt.ts";
import type { Net } from "../../../src/plugins/invoicing/sentence/learned/model/net.ts";
import {
  type Measured,
  measured,
} from "../../../src/plugins/invoicing/sentence/learned/measures.ts";
import { formsOf, type Labelled } from "../labels.ts";
import { type Example, exampleOf } from "./example.ts";
import { type FirstSight, firstSights, idOf } from "./first-sight.ts";
import { type Case, fit, fitJudge, type Pace } from "./fit.ts";
import { type Counted, fitForest } from "./fit-forest.ts";

/** A stranger's text, weighed by what was learnt without this stranger's. */
export interface Met {
  readonly row: Labelled;
  readonly sight: FirstSight;
  readonly sentence: Sentence;
  readonly weighed: Weighed;
  /** Of its hand. */
  readonly group: number;
}

const RIGHT: Pace = { epochs: 8, pace: 0.05, decay: 0.03, fewest: 4, smallest: 0.04 };
const DAY: Pace = { ...RIGHT, fewest: 3, decay: 0.05 };
const WANTED: Pace = { ...RIGHT, decay: 0.05 };

/** Hands are left out a group at a time: leaving out each alone would take hours. */
const GROUPS = 5;

/** Which group a hand is of, by the order in which the hands came. */
function groups(): ReadonlyMap<string, number> {
  const hands = new Set([...firstSights().values()].map(({ hand }) => hand));
  return new Map([...hands].map((hand, at) => [hand, at % GROUPS]));
}

/** A group of hands, its texts, and everybody else's. */
interface Group {
  readonly own: readonly Texts[];
  readonly others: readonly Example[];
}

interface Texts {
  readonly row: Labelled;
  readonly sight: FirstSight;
}

/** `texts`: sentences of every hand; those of before strangers wrote are in no group. */
export function groupsOf(texts: readonly Labelled[]): readonly Group[] {
  const [sights, of] = [firstSights(), groups()];
  const all = texts.map((row) => ({ row, sight: sights.get(idOf(row)), example: exampleOf(row) }));
  const groupOf = (sight: FirstSight | undefined): number | undefined =>
    sight === undefined ? undefined : of.get(sight.hand);
  return Array.from({ length: GROUPS }, (_, group) => ({
    own: all.flatMap(({ row, sight }) =>
      sight !== undefined && groupOf(sight) === group ? [{ row, sight }] : [],
    ),
    others: all.flatMap(({ sight, example }) => (groupOf(sight) === group ? [] : [example])),
  }));
}

/** `nets`: of each group, learnt from everybody else's texts. */
export function met(all: readonly Group[], nets: readonly Net[]): readonly Met[] {
  return all.flatMap(({ own, others }, group) => {
    const net = nets[group];
    if (net === undefined) throw new Error(`There is no net of group ${group}.`);
    const by = { ...fit(others), net };
    return own.map(({ row, sight }) => {
      const { text, now, zone = "America/Sao_Paulo" } = row;
      const ruled = byRules(text, { now: Date.parse(now), zone });
      const sentence = { ...ruled.sentence, refused: sight.refused };
      return { row, sight, group, sentence, weighed: weighed(sight.found, sentence, by) };
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
  return [...new Set(all.map(({ group }) => group))].flatMap((group) => {
    const by = judgesOf(all.filter((one) => one.group !== group));
    return all
      .filter((one) => one.group === group)
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
