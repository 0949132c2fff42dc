/**
 * Slot kinds of days, times, moments and periods. What a question takes is written by `from` and `to`; limits that count from
 * today become days of the calendar when the question is asked.
 */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import { addDays, addMonths, isDay, lastDayOf, localDay, weekday } from "../../brazil/index.ts";
import type { ProgramContext } from "../../engine/index.ts";
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

const RELATIVE = /^today(?:([+-])(\d{1,5})([dwmy]))?$/;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const HOURS = /^(?:[01]\d|2[0-3]):[0-5]\d-(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

/** `2026-12-31`, `today`, `today+60d`, `today-18y`; `d`, `w`, `m` and `y` are days, weeks, months and years. */
export function isDayLimit(text: string): boolean {
  return isDay(text) || RELATIVE.test(text);
}

export function isTimeLimit(text: string): boolean {
  return TIME.test(text);
}

export function isHours(text: string): boolean {
  return HOURS.test(text);
}

function dayOf(limit: Json | undefined, today: string): string | undefined {
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
  const today = localDay(now, zone);
  const [from, to] = [dayOf(params["from"], today), dayOf(params["to"], today)];
  const echo = (day: string | undefined) => day && dayEcho(day, { locale });
  const [opens, closes] = hoursOf(params["hours"])?.split("-") ?? [];
  const parts = [
    allowed(echo(from), echo(to), locale),
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
  return (text: string, context: KindContext) =>
    reading(
      understand(kind, text, { ...context, within: within(context.params) ?? otherwise(kind) }),
    );
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

export const datetimeKind = defineKind("datetime", {
  version: 1,
  schema: (params) =>
    z.string().refine((value) => {
      const [, day = "", time = ""] = MOMENT.exec(value) ?? [];
      return isDay(day) && TIME.test(time) && !outOf(value, params, isDay);
    }),
  resolve: days,
  read: (text, context) => {
    const answer = read("datetime")(text, context);
    return answer.ok && isClosed(plainText(answer.value), context.params)
      ? refused("invalid", "closed")
      : answer;
  },
  unfit: (value, params) => outOf(value, params, isDay),
  echo: (value, context) => momentText(plainText(value), context),
  facets: {
    date: (value) => MOMENT.exec(plainText(value))?.[1],
    time: (value) => MOMENT.exec(plainText(value))?.[2],
  },
  names: ["data", "horario", "dia", "hora"],
  bad: [...BAD, "calendar", "clock", "which-day", "which-time", "which-year", "closed"],
  longest: "on Wednesday, 30 September 2026, at 15:30",
  samples: ["2026-11-20T10:00", "2027-01-15T15:30"],
});

/** Whether the account, whose hours these are, is closed on that day of the week. */
function isClosed(value: string, { hours }: JsonObject): boolean {
  const open = typeof hours === "object" && hours !== null ? (hours as JsonObject)["days"] : null;
  return Array.isArray(open) && !open.map(Number).includes(weekday(value.slice(0, 10)));
}

export const periodKind: SlotKind = defineKind("period", {
  version: 1,
  schema: () => z.string().regex(HOURS),
  resolve: times,
  read: read("period"),
  echo: (value, context) => periodEcho(plainText(value), context),
  facets: {
    from: (value) => plainText(value).split("-")[0],
    to: (value) => plainText(value).split("-")[1],
  },
  names: ["periodo", "turno", "horario", "period"],
  bad: [...BAD, "which-time"],
  longest: "from 00:00 to 24:00",
  samples: ["08:00-12:00"],
});
