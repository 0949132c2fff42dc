/** The short form: at least 200 deaths under load, then the flagship conversation with a death at its places. */
import type { Act } from "./acts.ts";
import { missed } from "./deaths.ts";
import { cpuSeconds, killRun } from "./kill-run.ts";
import { lines } from "./report.ts";
import { shake } from "./shake.ts";
import { shakeAfter } from "./shake-after.ts";
import type { StoreKind } from "./stage.ts";
import { rowOf } from "./tables.ts";

export interface Whole {
  readonly program: string;
  readonly seed: number;
  /** SQLite, too, dies at every place. */
  readonly every: boolean;
  readonly say: (line: string) => void;
}

export interface Outcome {
  /** Nothing is wrong, and nothing took longer than its bar. */
  readonly good: boolean;
  /** Rows of a table: run, deaths, time, nothing wrong. */
  readonly rows: readonly string[];
}

const FAULTS: readonly Act[] = [
  ...(["redis killed", "redis killed", "freeze", "freeze"] as const),
  ...(["answers lost", "answers lost", "answers lost"] as const),
];
/** Deaths at each named point, and share of all deaths with unfinished work in hand, at least. */
const LEAST = { each: 3, inHand: 0.9 } as const;
/** Installations beside each other for the flagship conversation, each with one conversation at a time: both stores end together. */
const STAGES = { redis: 8, embedded: 5 } as const;
const HALVED = { redis: 12, embedded: 6 } as const;
/** The same for what follows. */
const AFTER = { redis: 5, embedded: 4 } as const;
/** The bars of the short form, on a quiet machine of two processors, seconds. */
const BARS = { kills: 180, all: 300 } as const;
const NAMES = { redis: "Redis", embedded: "SQLite" } as const;

/**
 * What took longer than its bar, as lines for a person: slowness is no finding of an oracle, and is told apart from them. With
 * `every` there is more to do, for which there is no bar in all.
 */
export function late(
  { kills, all }: { readonly kills: number; readonly all: number },
  every: boolean,
): readonly string[] {
  const lines: string[] = [];
  const bar = (what: string, took: number, most: number): void => {
    if (took > most)
      lines.push(`too slow, whatever the oracles say: ${what} took ${took} s of ${most}`);
  };
  bar("the kill run", kills, BARS.kills);
  if (!every) bar("the whole", all, BARS.all);
  return lines;
}

/** The last cell of a row: what is wrong goes before what is slow. */
export const verdictOf = (wrong: boolean, slow: boolean): string =>
  wrong ? "no" : slow ? "no: too slow" : "yes";

/**
 * Both. The flagship's stages open and play in peace from the moment on in which the kill run's processes are left alone and it
 * waits for timers; its deaths begin once that is over, else both would take longer.
 */
export async function whole({ program, seed, every, say }: Whole): Promise<Outcome> {
  const began = performance.now();
  let shaken: Promise<Outcome> | undefined;
  let over: (() => void) | undefined;
  const after = new Promise<void>((done) => (over = done));
  const report = await killRun({
    ...{ program, seed, store: "redis", contacts: 200, each: 50, kills: 200, say },
    ...{ alls: 1, workers: 4 },
    acts: FAULTS,
    gapMs: 900,
    calmed() {
      shaken = flagship({ program, seed, every, say }, after);
      // Whoever waits for it below is told, also when the kill run breaks down before.
      shaken.catch(() => undefined);
    },
  }).finally(() => over?.());
  for (const line of lines(report)) say(line);
  const seldom = missed(report.points, LEAST.each);
  const few = seldom.length > 0 || report.inHand < LEAST.inHand;
  if (few) say(`too few deaths where they count: ${seldom.join(", ")}; ${report.inHand}`);
  const killed = !few && report.verdicts.every(({ wrong }) => wrong.length === 0);
  const least = Math.min(...report.points.values());
  const conversations = await (shaken ?? flagship({ program, seed, every, say }));
  const good = killed && conversations.good;
  const [all, cpu] = [seconds(began), Math.round(cpuSeconds())];
  say(`${all} s in all, ${cpu} s of processor time`);
  const slow = late({ kills: report.seconds, all }, every);
  for (const line of slow) say(line);
  return {
    good: good && slow.length === 0,
    rows: [
      rowOf(
        `kills on Redis, seed ${seed}`,
        `${report.deaths.length}, ${Math.round(report.inHand * 100)} % with unfinished work in hand; every named point at least ${least} times; beside them ${report.acts.join(", ")}; ${report.events} events and ${report.repeats} repeats`,
        `${report.seconds} s`,
        verdictOf(!killed, report.seconds > BARS.kills),
      ),
      ...conversations.rows,
      rowOf(
        "all three",
        "",
        `${all} s, ${cpu} s of processor time`,
        verdictOf(!good, slow.length > 0),
      ),
    ],
  };
}

/** The conversation on both stores beside each other, with `every` also what follows it; nobody dies before `after`. */
export async function flagship(
  { program, seed, every, say }: Whole,
  after: Promise<void> = Promise.resolve(),
): Promise<Outcome> {
  const half = (seed % 2) as 0 | 1;
  const stages = every ? STAGES : HALVED;
  const both = (["redis", "embedded"] as const).map(async (store: StoreKind) => {
    const began = performance.now();
    const halved = store === "embedded" && !every;
    const one = await shake(program, store, {
      ...{ stages: stages[store], after },
      ...(halved ? { half } : {}),
    });
    const what = `${one.deaths.length} deaths, at ${one.died} of ${one.chosen} places${halved ? ` (every second of ${one.places}, the ${half === 0 ? "even" : "odd"} half)` : ""}, in ${one.conversations} conversations, ${one.held} notes held for a person`;
    const [name, good, took] = [NAMES[store], one.wrong.length === 0, seconds(began)];
    say(`flagship on ${name}: ${what}, ${took} s`);
    for (const line of one.wrong) say(`  ${line}`);
    const row = `flagship on ${name}, ${halved ? "every second place" : "every place"}`;
    return { good, row: rowOf(row, what, `${took} s`, good ? "yes" : "no") };
  });
  const follows = async (store: StoreKind): Promise<{ good: boolean; row: string }> => {
    const began = performance.now();
    const one = await shakeAfter(program, store, { stages: AFTER[store] });
    const what = `${one.deaths.length} deaths, at ${one.died} of ${one.chosen} places, in ${one.conversations} conversations, ${one.held} cancellations held for a person`;
    const [name, good, took] = [NAMES[store], one.wrong.length === 0, seconds(began)];
    say(`what follows on ${name}: ${what}, ${took} s`);
    for (const line of one.wrong) say(`  ${line}`);
    return { good, row: rowOf(`what follows on ${name}`, what, `${took} s`, good ? "yes" : "no") };
  };
  const done = await Promise.all(both);
  if (every) done.push(...(await Promise.all([follows("redis"), follows("embedded")])));
  return { good: done.every(({ good }) => good), rows: done.map(({ row }) => row) };
}

const seconds = (from: number): number => Math.round((performance.now() - from) / 1_000);
