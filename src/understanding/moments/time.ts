/** A time of the day → `HH:MM`. */
import { localTime } from "../../brazil/index.ts";
import {
  absent,
  ambiguous,
  clear,
  type Hint,
  invalid,
  MAX_ANSWER,
  type Option,
  type TextContext,
  type Understood,
  type Within,
  proposed,
} from "../understood.ts";
import { findTimes, type FoundTime, type Part, partsIn } from "./clock-expressions.ts";
import { isDoubtful } from "./day.ts";
import { affirmed, lineOf } from "./line.ts";
import { isWithin, outside, without } from "./window.ts";

const MORNING = 7 * 60;
const NOON = 12 * 60;

export function timeText(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

/** Times that one expression means among those that the question takes; the likelier first. */
export function choose({ minutes, isDigital }: FoundTime, within: Within): readonly number[] {
  const [first = 0] = minutes;
  if (minutes.length < 2) return minutes.filter((one) => isWithin(timeText(one), within));
  const left = minutes.filter((one) => isWithin(timeText(one), within));
  if (left.length < 2) return left;
  const early = Math.min(...minutes);
  // Twelve means noon, and whoever writes "9h" counts the hours of the whole day.
  if (left.includes(NOON + (early % 60)) && early < 60) return [NOON + (early % 60)];
  return isDigital === true && early >= MORNING && early === first ? [early] : left;
}

/** Less than this before the first time that is taken, minutes: a time said by the hours of the whole day is a near miss. */
const NEAR = 120;

/** "6h", where the question takes times from 07:00 on, is hardly 18:00: it is proposed. */
function isNearMiss({ minutes, isDigital }: FoundTime, { from }: Within): boolean {
  const early = Math.min(...minutes);
  if (isDigital !== true || minutes.length < 2 || from === undefined) return false;
  return timeText(early) < from && timeText(early + NEAR) > from;
}

/** What a text says of a time: the times that the question takes, or why there is none. */
export interface SaidTime {
  readonly minutes: readonly number[];
  readonly bad?: Hint;
  /** Minutes from now on. */
  readonly ahead?: number;
  readonly isUnsure?: boolean;
  /** The text without the expressions of times. */
  readonly rest: string;
}

/** Times said in a plain text; undefined where it says none. */
export function saidTime(line: string, within: Within, part?: Part): SaidTime | undefined {
  const found = findTimes(line, part);
  const [first] = found;
  if (!first) return undefined;
  const rest = without(line, found);
  if (found.some(({ isBad }) => isBad)) return { minutes: [], bad: "clock", rest };
  if (first.ahead !== undefined) return { minutes: [], ahead: first.ahead, rest };
  const minutes = [...new Set(found.flatMap((one) => choose(one, within)))];
  const isUnsure = found.some(
    (one) => (one.isUnsure === true && one.minutes.length > 1) || isNearMiss(one, within),
  );
  if (minutes.length > 0) return { minutes, rest, isUnsure };
  const all = found.flatMap((one) => one.minutes.map(timeText));
  return { minutes, bad: outside(all, within), rest };
}

export function time(text: string, context: TextContext): Understood<"time"> {
  if (text.length > MAX_ANSWER) return absent("time", "too-long");
  const { within = {} } = context;
  const line = affirmed(lineOf(text), (rest) => findTimes(rest).length > 0);
  const option = (minutes: number): Option => ({
    value: timeText(minutes),
    echo: timeText(minutes),
  });
  const said = saidTime(line, within) ?? wholeText(line, within);
  if (!said) return nothing(line, within, option);
  const minutes = said.ahead === undefined ? said.minutes : [fromNow(said.ahead, context)];
  if (said.bad) return invalid("time", said.bad);
  const [only = 0] = minutes;
  if (said.ahead !== undefined && !isWithin(timeText(only), within))
    return invalid("time", outside([timeText(only)], within));
  if (minutes.length > 1 || said.isUnsure === true || isDoubtful(said.rest) || /\d/.test(said.rest))
    return proposed("time", minutes.map(option));
  return clear("time", timeText(only), timeText(only));
}

/** "oito", "quinze e trinta": a text that is an hour and nothing more. */
function wholeText(line: string, within: Within): SaidTime | undefined {
  const bare = line.replace(/[.!]+$/, "");
  return /^[a-z][a-z ]*$/.test(bare) && bare.split(" ").length <= 5
    ? saidTime(`as ${bare}`, within)
    : undefined;
}

function fromNow(ahead: number, { now, zone }: TextContext): number {
  const [hours = 0, minutes = 0] = localTime(now + ahead * 60_000, zone)
    .time.split(":")
    .map(Number);
  return hours * 60 + minutes;
}

function nothing(
  line: string,
  within: Within,
  option: (minutes: number) => Option,
): Understood<"time"> {
  const bare = /^(\d{1,2})[.!]*$/.exec(line)?.[1];
  const read = bare === undefined ? undefined : saidTime(`as ${bare}`, within);
  if (read?.bad) return invalid("time", read.bad);
  if (read) return ambiguous("time", "confirm", read.minutes.map(option));
  if (partsIn(line).length > 0) return ambiguous("time", "which-time");
  return /\d/.test(line) ? invalid("time", "format") : absent("time");
}
