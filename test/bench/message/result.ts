/** What a run found, and what becomes of its rounds: medians with their spread, ratios within one round, bars. */
import type { Fsync, Name } from "./fleet.ts";
import type { Length } from "./form.ts";
import type { Round, Still } from "./measure.ts";
import type { Row } from "./profile.ts";

export interface Found {
  readonly length: Length;
  readonly fsync: Fsync;
  /** Why a contestant did not run that should have. */
  readonly absent: Readonly<Partial<Record<Name, string>>>;
  readonly rounds: Readonly<Record<Name, readonly Round[]>>;
  readonly still: Readonly<Record<Name, Still>>;
  readonly profile: {
    readonly functions: readonly Row[];
    readonly rooms: readonly Row[];
    /** Where a message's time goes, for Prosa and for the floor; empty for who did not run. */
    readonly parts: Readonly<Record<"prosa" | "floor", readonly Row[]>>;
  };
}

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

type Figure = { [K in keyof Round]: Round[K] extends number ? K : never }[keyof Round];

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const low = sorted[Math.floor(middle)] ?? Number.NaN;
  const high = sorted[Math.ceil(middle)] ?? Number.NaN;
  return {
    median: (low + high) / 2,
    low: sorted[0] ?? Number.NaN,
    high: sorted.at(-1) ?? Number.NaN,
  };
}

export function figure(found: Found, name: Name, of: Figure): Spread {
  return spread(found.rounds[name].map((round) => round[of]));
}

/** A figure of Prosa's over another's, round by round: what else the machine did hits both alike. */
export function ratio(found: Found, other: Name, of: Figure = "cpuMs"): Spread {
  return spread(
    found.rounds.prosa.map(
      (round, index) => round[of] / (found.rounds[other][index]?.[of] ?? Number.NaN),
    ),
  );
}

/** Why a contestant's row does not count, if it does not. */
export function voidBy(found: Found, name: Name): string | undefined {
  if (found.absent[name] !== undefined) return found.absent[name];
  const wrong = [...found.rounds[name].flatMap((round) => round.wrong), ...found.still[name].wrong];
  if (wrong.length > 0) return `${wrong.length} wrong replies, the first: ${wrong[0]}`;
  return found.rounds[name].some(({ forms }) => forms === 0) ? "no form was finished" : undefined;
}

export interface Bar {
  readonly what: string;
  readonly bar: string;
  readonly got: string;
  readonly value: number;
  readonly met: boolean;
}

const KB = 1_024;

/** The product's own bars, as far as this run can tell. */
export function bars(found: Found): readonly Bar[] {
  if (found.rounds.prosa.length === 0) return [];
  const { length } = found;
  const wanted = { 12: 0.5, 40: 0.25 }[length];
  const toGrammy = ratio(found, "grammy");
  const toFloor = ratio(found, "floor");
  const ack = figure(found, "prosa", "ackP99");
  const { bytes, replyP50, replyP99 } = found.still.prosa;
  const own = bytes.all - bytes.dedupe - bytes.journal;
  const bar = (what: string, limit: number, got: number, unit: string): Bar => ({
    what: `${what}, ${length} questions`,
    bar: `≤ ${limit}${unit}`,
    got: `${got.toFixed(got < 10 ? 2 : 1)}${unit}`,
    value: got,
    met: got <= limit,
  });
  const all = [
    bar("CPU of one message, of grammY's", wanted, toGrammy.median, " ×"),
    bar("CPU of one message, of the floor's", 1.25, toFloor.median, " ×"),
    bar("webhook ack at half load, p99", 25, ack.median, " ms"),
    bar("reply on an idle system, p50", 10, replyP50, " ms"),
    bar("reply on an idle system, p99", 40, replyP99, " ms"),
    bar("Redis for one idle contact", 4, own / KB, " KB"),
    bar("its journal", 8, bytes.journal / KB, " KB"),
  ];
  return all.filter(({ value }) => !Number.isNaN(value));
}
