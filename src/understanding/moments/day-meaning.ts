/** The days that the parts of an expression mean: a month and a day, a weekday, so many days from today. */
import { addDays, addMonths, daysInMonth, isDay, lastDayOf, weekday } from "../../brazil/index.ts";
import { countOf, dayOf, monthOf, weekdayOf } from "../dates/date-words.ts";

/** What an expression can mean. */
export interface DayMeaning {
  /** Days it means, whatever the question takes. */
  readonly exact?: readonly string[];
  /** The last such days up to `until`, and the first from `since` on. */
  readonly past?: readonly string[];
  readonly coming?: readonly string[];
  /** No such day in the calendar. */
  readonly isBad?: true;
  /** About then. */
  readonly isUnsure?: boolean;
  /** A weekday without a date: it may stand beside one. */
  readonly weekday?: number;
}
/** `since`, `until`: the first coming and the last past day that the question takes. */
export interface Around {
  readonly today: string;
  readonly since: string;
  readonly until: string;
}

const ENGLISH_SHORT: Readonly<Record<string, number>> = {
  ...{ feb: 2, apr: 4, may: 5, aug: 8, sep: 9, sept: 9, oct: 10, dec: 12 },
};
const two = (value: number): string => String(value).padStart(2, "0");
const dayText = (year: number, month: number, date: number): string =>
  `${String(year).padStart(4, "0")}-${two(month)}-${two(date)}`;

export function monthNumber(name: string): number {
  return ENGLISH_SHORT[name] ?? monthOf(name);
}

export function monthFigure(text: string): number {
  return /^\d/.test(text) ? Number(text) : countOf(text) || dayOf(text);
}

export function count(word: string): number {
  return word === "a" || word === "an" ? 1 : countOf(word) || dayOf(word);
}

/** The years a text can mean: two digits are within the last 100 or the next 50 years. */
export function yearsOf(text: string, today: string): readonly number[] {
  if (text.length === 4 && /^\d/.test(text)) return [Number(text)];
  const inWords = /^\d/.test(text) ? Number(text) : yearInWords(text);
  if (/^(?:mil|dois mil)/.test(text)) return [inWords];
  const now = Number(today.slice(0, 4));
  return [1900, 2000, 2100]
    .map((century) => century + (inWords % 100))
    .filter((year) => year > now - 100 && year <= now + 50);
}

const TENS = ["vinte", "trinta", "quarenta", "cinquenta", "sessenta", "setenta", "oitenta"];
function yearInWords(text: string): number {
  const base = text.startsWith("dois") ? 2000 : 1900;
  const rest = text.replace(/^(?:mil (?:e )?novecentos|dois mil)(?: e )?/, "");
  const [first = "", second] = rest.split(" e ");
  const tens = [...TENS, "noventa"].indexOf(first);
  if (tens >= 0) return base + 20 + 10 * tens + (second === undefined ? 0 : countOf(second));
  return base + (first === "" ? 0 : first === "um" ? 1 : dayOf(first));
}

/** Of the years that two digits can mean, the days that the question takes decide later. */
export function dated(years: readonly number[], month: number, date: number): DayMeaning {
  const days = years.map((year) => dayText(year, month, date)).filter(isDay);
  return days.length > 0 ? { exact: days } : { isBad: true };
}

/** A day and a month without a year. */
export function ofEachYear(month: number, date: number, { since, until }: Around): DayMeaning {
  const year = Number(since.slice(0, 4));
  // Eight years reach a 29 February from anywhere.
  const all = Array.from({ length: 9 }, (_, ahead) => dayText(year + ahead, month, date));
  const last = Number(until.slice(0, 4));
  const before = Array.from({ length: 9 }, (_, back) => dayText(last - back, month, date));
  const coming = all.find((day) => isDay(day) && day >= since);
  const past = before.find((day) => isDay(day) && day <= until);
  return coming === undefined && past === undefined ? { isBad: true } : sides(past, coming);
}

/** A day of the month alone. */
export function ofEachMonth(date: number, { since, until }: Around): DayMeaning {
  if (date < 1 || date > 31) return { isBad: true };
  const find = (from: string, step: 1 | -1, fits: (day: string) => boolean) =>
    Array.from({ length: 4 }, (_, at) => `${addMonths(from.slice(0, 7), step * at)}-${two(date)}`)
      .filter(isDay)
      .find(fits);
  return sides(
    find(until, -1, (day) => day <= until),
    find(since, 1, (day) => day >= since),
  );
}

function sides(past: string | undefined, coming: string | undefined): DayMeaning {
  return {
    past: past === undefined ? [] : [past],
    coming: coming === undefined ? [] : [coming],
  };
}

export function ofMonth(month: string, date: number): DayMeaning {
  const day = `${month}-${two(date)}`;
  return isDay(day) ? { exact: [day] } : { isBad: true };
}

/** The same day of a later month, or its last day. */
function monthsLater(today: string, months: number): string {
  const month = addMonths(today.slice(0, 7), months);
  const date = Number(today.slice(8));
  const days = daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5)));
  return date > days ? lastDayOf(month) : `${month}-${two(date)}`;
}

export function later(amount: number, unit: string, today: string): string {
  if (/^(?:dia|day)/.test(unit)) return addDays(today, amount);
  if (/^(?:semana|week)/.test(unit)) return addDays(today, 7 * amount);
  return monthsLater(today, /^(?:ano|year)/.test(unit) ? 12 * amount : amount);
}

const mondayOf = (day: string): string => addDays(day, -((weekday(day) + 6) % 7));

/** A weekday of the week so many weeks on. Weeks begin on Sunday for some and on Monday for others. */
export function ofWeek(wanted: number, weeks: number, today: string): DayMeaning {
  const day = addDays(mondayOf(today), 7 * weeks + ((wanted + 6) % 7));
  if (wanted === 0) return { exact: [addDays(day, -7), day] };
  return { exact: weekday(today) === 0 ? [day, addDays(day, 7)] : [day] };
}

export function weekdayNumber(name: string): number {
  const figure = Number(name.charAt(0));
  return Number.isInteger(figure) && figure > 0 ? figure - 1 : weekdayOf(name);
}

export function aWeekday(wanted: number, which: string, { today }: Around): DayMeaning {
  const ahead = (wanted - weekday(today) + 7) % 7;
  const [coming, last] = [addDays(today, ahead), addDays(today, ahead - 7)];
  if (/passad|ultim|last/.test(which)) return { exact: [last] };
  if (/retrasad/.test(which)) return { exact: [addDays(last, -7)] };
  if (/vem|proxim|prox|next/.test(which)) {
    if (ahead === 0) return { exact: [addDays(today, 7)] };
    const isThisWeek = mondayOf(coming) === mondayOf(today);
    return { exact: isThisWeek ? [coming, addDays(coming, 7)] : [coming] };
  }
  const isToday = ahead === 0;
  return {
    weekday: wanted,
    coming: isToday ? [today, addDays(today, 7)] : [coming],
    past: isToday ? [today, last] : [last],
  };
}
