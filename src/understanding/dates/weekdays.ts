/** Days of the week and moments near, as they are told. */
import { addDays, localDay } from "../../brazil/index.ts";

/** 2026-11-22 is a Sunday: names of days come from the language. */
const SUNDAY = Date.UTC(2026, 10, 22, 12);
const DAY_MS = 86_400_000;
const WEEK = 7;
const JOINED = { "pt-BR": ["de ", " a ", " e "], en: ["", " to ", " and "] } as const;
const EVERY = { "pt-BR": "todos os dias", en: "every day" } as const;

/** "de segunda a sexta", "segunda, quarta e sábado"; the week begins on Monday. */
export function weekdays(days: readonly number[], locale: "pt-BR" | "en"): string {
  const open = [...new Set(days)].sort((a, b) => ((a + 6) % WEEK) - ((b + 6) % WEEK));
  if (open.length >= WEEK) return EVERY[locale];
  const names = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  const name = (day: number) => names.format(SUNDAY + day * DAY_MS).replace(/-feira$/, "");
  const [from, to, and] = JOINED[locale];
  const [first, last] = [open[0], open.at(-1)];
  if (first === undefined || last === undefined) return "";
  const inRow = open.every((day, at) => at === 0 || day === ((open[at - 1] ?? 0) + 1) % WEEK);
  if (inRow && open.length > 2) return `${from}${name(first)}${to}${name(last)}`;
  const rows = open.map(name);
  return rows.length < 2 ? rows.join("") : `${rows.slice(0, -1).join(", ")}${and}${rows.at(-1)}`;
}

const WHEN = {
  "pt-BR": {
    today: (time: string) => `hoje às ${time}`,
    tomorrow: (time: string) => `amanhã às ${time}`,
    on: (name: string, date: string, time: string) =>
      `${name.replace(/-feira$/, "")}, ${date}, às ${time}`,
    date: { day: "2-digit", month: "2-digit" },
  },
  en: {
    today: (time: string) => `today at ${time}`,
    tomorrow: (time: string) => `tomorrow at ${time}`,
    on: (name: string, date: string, time: string) => `on ${name}, ${date}, at ${time}`,
    date: { day: "numeric", month: "long" },
  },
} as const;

/** "hoje às 09:00", "segunda, 23/11, às 09:00". `at`, `now`: ms; `time`: that moment's, as it is told. */
export function momentEcho(
  { at, time, now, zone }: { at: number; time: string; now: number; zone: string },
  locale: keyof typeof WHEN,
): string {
  const words = WHEN[locale];
  const [today, day] = [localDay(now, zone), localDay(at, zone)];
  if (day === today) return words.today(time);
  if (day === addDays(today, 1)) return words.tomorrow(time);
  const tag = locale === "en" ? "en-GB" : locale;
  const told = (format: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { ...format, timeZone: zone }).format(at);
  return words.on(told({ weekday: "long" }), told(words.date), time);
}
