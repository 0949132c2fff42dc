/**
 * Slot kinds of days, times, moments and periods. What a question takes is written by `from` and `to`; limits that count from
 * today become days of the calendar when the question is asked.
 */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import { addDays, addMonths, isDay, lastDayOf, localTime, weekday } from "../../brazil/index.ts";
import type { ProgramContext, SlotReading } from "../../engine/index.ts";
import {
  dayEcho,
  momentText,
  periodEcho,
  understand,
  type Kind,
  type Within,
} from "../../understanding/index.ts";
import { refused, type KindContext, type SlotKind } from "../authoring/vocabulary.ts";
import { plainText } from "../texts/template.ts";
import { defineKind, reading } from "./define-kind.ts";

/** This moment, as the first one that a `datetime` takes. */
const NOW = "now";
const RELATIVE = /^today(?:([+-])(\d{1,5})([dwmy]))?$/;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const HOURS = /^(?:[01]\d|2[0-3]):[0-5]\d-(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

/** `2026-12-31`, `today`, `today+60d`, `today-18y`; `d`, `w`, `m` and `y` are days, weeks, months and years. */
export function isDayLimit(text: string): boolean {
  return isDay(text) || RELATIVE.test(text);
}

/** … or `now`: the first moment. */
export function isMomentStart(text: string): boolean {
  return text === NOW || isDayLimit(text);
}

export function isTimeLimit(text: string): boolean {
  return TIME.test(text);
}

export function isHours(text: string): boolean {
  return HOURS.test(text) && text.slice(0, 5) < text.slice(6);
}

/** A limit as a day of the calendar; undefined for what is none. */
export function resolvedDay(limit: Json | undefined, today: string): string | undefined {
  if (typeof limit !== "string") return undefined;
  const [, sign, many, unit] = RELATIVE.exec(limit) ?? [];
  if (many === undefined) return limit === "today" ? today : isDay(limit) ? limit : undefined;
  const count = Number(`${sign}${many}`);
  if (unit === "d" || unit === "w") return addDays(today, unit === "d" ? count : 7 * count);
  const month = addMonths(today.slice(0, 7), unit === "m" ? count : 12 * count);
  const day = `${month}${today.slice(7)}`;
  return isDay(day) ? day : lastDayOf(month);
}

/** Limits as days, and in `allowed` what is taken, as refusals say it. */
function days(params: JsonObject, { now, zone, locale }: ProgramContext): JsonObject {
  const { day: today, time } = localTime(now, zone);
  const isNow = params["from"] === NOW;
  const from = isNow ? `${today}T${time.slice(0, 5)}` : resolvedDay(params["from"], today);
  const to = resolvedDay(params["to"], today);
  const echo = (day: string | undefined) => day && dayEcho(day, { locale });
  const [opens, closes] = hoursOf(params["hours"])?.split("-") ?? [];
  const parts = [
    allowed(echo(from?.slice(0, 10)), echo(to), locale),
    allowed(opens, closes, locale, true),
  ].filter((part) => part !== "");
  return { ...params, ...limits(from, to), allowed: parts.join(", ") };
}

function times(params: JsonObject, { locale }: ProgramContext): JsonObject {
  const { from, to } = params;
  const text = (value: Json | undefined) => (typeof value === "string" ? value : undefined);
  return { ...params, allowed: allowed(text(from), text(to), locale, true) };
}

function limits(from: string | undefined, to: string | undefined): JsonObject {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function allowed(
  from: string | undefined,
  to: string | undefined,
  locale: ProgramContext["locale"],
  isTime = false,
): string {
  if (from !== undefined && to !== undefined) {
    if (locale === "en") return `from ${from} to ${to}`;
    return isTime ? `das ${from} às ${to}` : `de ${from} a ${to}`;
  }
  if (from !== undefined) return locale === "en" ? `from ${from} on` : `a partir de ${from}`;
  if (to !== undefined) return locale === "en" ? `up to ${to}` : `até ${to}`;
  return "";
}

function within({ from, to, hours }: JsonObject): Within | undefined {
  const window = hoursOf(hours);
  const one = {
    ...(typeof from === "string" ? { from } : {}),
    ...(typeof to === "string" ? { to } : {}),
    ...(window === undefined ? {} : { hours: window }),
  };
  return Object.keys(one).length > 0 ? one : undefined;
}

/** `08:00-18:00`, or the opening hours of the account. */
function hoursOf(hours: Json | undefined): string | undefined {
  if (typeof hours === "string") return hours;
  if (typeof hours !== "object" || hours === null || Array.isArray(hours)) return undefined;
  const { from, to } = hours as JsonObject;
  return typeof from === "string" && typeof to === "string" ? `${from}-${to}` : undefined;
}

function read(kind: Kind) {
  const once = (text: string, context: KindContext) =>
    reading(
      understand(kind, text, { ...context, within: within(context.params) ?? otherwise(kind) }),
    );
  return (text: string, context: KindContext): SlotReading => {
    const alone = once(text, context);
    const { piece } = context;
    if (alone.ok || piece === undefined) return alone;
    // "Amanhã", and to the question for the time "16h": both together are the answer.
    const together = once(`${piece}${piece.endsWith("/") ? "" : " "}${text}`, context);
    return together.ok || alone.reason === "absent" ? together : alone;
  };
}

/** Days without limits are those of the past, as a sentence about what was done has them. */
function otherwise(kind: Kind): Within | undefined {
  return kind === "date" ? undefined : {};
}

/** What keeps a value from being taken; limits that are no fixed ones yet decide nothing. */
function outOf(value: Json, { from, to }: JsonObject, is: (limit: string) => boolean) {
  if (typeof value !== "string") return undefined;
  if (typeof from === "string" && is(from) && value < from) return "too-early";
  return typeof to === "string" && is(to) && value.slice(0, to.length) > to
    ? "too-late"
    : undefined;
}

const BAD = ["absent", "ambiguous", "invalid", "which", "confirm", "too-early", "too-late"];

export const dateKind = defineKind("date", {
  version: 1,
  schema: (params) => z.string().refine((day) => isDay(day) && !outOf(day, params, isDay)),
  resolve: days,
  read: read("date"),
  unfit: (value, params) => outOf(value, params, isDay),
  echo: (value, context) => dayEcho(plainText(value), context),
  names: ["data", "dia", "date"],
  bad: [...BAD, "future", "calendar", "which-day", "which-year"],
  longest: "30 September 2026",
});

export const timeKind = defineKind("time", {
  version: 1,
  schema: (params) =>
    z.string().refine((time) => TIME.test(time) && !outOf(time, params, isTimeLimit)),
  resolve: times,
  read: read("time"),
  unfit: (value, params) => outOf(value, params, isTimeLimit),
  names: ["hora", "horario", "time"],
  bad: [...BAD, "clock", "which-time"],
  longest: "23:59",
  samples: ["10:00", "15:30"],
});

const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})$/;

/** What keeps a moment from being taken: its day, its time, or the day of the week. */
function unfitMoment(value: Json, params: JsonObject): string | undefined {
  const [, day = "", time = ""] = MOMENT.exec(plainText(value)) ?? [];
  if (day === "") return undefined;
  const [from, to] = hoursOf(params["hours"])?.split("-") ?? [];
  if (isClosed(day, params)) return "closed";
  if (from !== undefined && time < from) return "too-early";
  return to !== undefined && time > to ? "too-late" : outOf(value, params, isMomentLimit);
}

function isMomentLimit(limit: string): boolean {
  return isDay(limit) || MOMENT.test(limit);
}

export const datetimeKind = defineKind("datetime", {
  version: 1,
  schema: (params) =>
    z.string().refine((value) => {
      const [, day = "", time = ""] = MOMENT.exec(value) ?? [];
      return isDay(day) && TIME.test(time) && unfitMoment(value, params) === undefined;
    }),
  resolve: days,
  read: (text, context) => {
    const answer = read("datetime")(text, context);
    if (answer.ok) {
      const unfit = unfitMoment(answer.value, context.params);
      return unfit === undefined ? answer : refused("invalid", unfit);
    }
    const rows = answer.options ?? [];
    const options = rows.filter(({ value }) => unfitMoment(value, context.params) === undefined);
    const [first] = rows;
    return first === undefined || options.length > 0
      ? { ...answer, options }
      : refused("invalid", unfitMoment(first.value, context.params));
  },
  unfit: unfitMoment,
  echo: (value, context) => momentText(plainText(value), context),
  facets: {
    date: (value) => MOMENT.exec(plainText(value))?.[1],
    time: (value) => MOMENT.exec(plainText(value))?.[2],
  },
  names: ["data", "dia"],
  bad: [...BAD, "calendar", "clock", "which-day", "which-time", "which-year", "closed"],
  longest: "on Wednesday, 30 September 2026, at 15:30",
  samples: ["2026-11-20T10:00", "2027-01-15T15:30"],
});

/** Whether the account, whose hours these are, is closed on that day of the week. */
function isClosed(day: string, { hours }: JsonObject): boolean {
  const open = typeof hours === "object" && hours !== null ? (hours as JsonObject)["days"] : null;
  return Array.isArray(open) && !open.map(Number).includes(weekday(day));
}

function unfitSpan(value: Json, { from, to }: JsonObject): string | undefined {
  const [begins = "", ends = ""] = plainText(value).split("-");
  if (begins >= ends || (typeof from === "string" && isSpanEnd(from) && begins < from))
    return "too-early";
  return typeof to === "string" && isSpanEnd(to) && ends > to ? "too-late" : undefined;
}

/** `24:00` ends a day. */
export function isSpanEnd(text: string): boolean {
  return TIME.test(text) || text === "24:00";
}

export const periodKind: SlotKind = defineKind("period", {
  version: 1,
  schema: (params) =>
    z.string().refine((span) => HOURS.test(span) && unfitSpan(span, params) === undefined),
  resolve: times,
  read: read("period"),
  unfit: unfitSpan,
  echo: (value, context) => periodEcho(plainText(value), context),
  facets: {
    from: (value) => plainText(value).split("-")[0],
    to: (value) => plainText(value).split("-")[1],
  },
  names: ["periodo", "turno", "period"],
  bad: [...BAD, "which-time"],
  longest: "from 00:00 to 24:00",
  samples: ["08:00-12:00"],
});
