/** When the business is open, as far as the account says. */
import { addDays, instantOf, localDay, weekday } from "../../brazil/index.ts";
import type { Account } from "../session/account.ts";
import type { Draft } from "../session/draft.ts";

/** A business that is closed for longer than this is not waited for, days. */
const AHEAD_DAYS = 14;

/** When it opens next, ms; undefined while it is open, or where the account names no hours. */
export function opensAt({ hours, zone }: Account, now: number): number | undefined {
  if (!hours) return undefined;
  const today = localDay(now, zone);
  for (let ahead = 0; ahead <= AHEAD_DAYS; ahead++) {
    const day = addDays(today, ahead);
    if (!hours.days.includes(weekday(day))) continue;
    const from = instantOf(day, `${hours.from}:00`, zone);
    if (now < from) return from;
    if (now < instantOf(day, `${hours.to}:00`, zone)) return undefined;
  }
  return undefined;
}

/** A customer who waits for the business is told when it opens; nothing while it is open. */
export function tellClosed(draft: Draft): void {
  const { account, now } = draft.env;
  const opens = opensAt(account, now);
  if (opens === undefined || draft.session.role !== "customer") return;
  draft.word("closed", { when: opening(account, now, opens, draft.context.locale) });
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

/** "hoje às 09:00", "segunda, 23/11, às 09:00". */
export function opening(
  { hours, zone }: Account,
  now: number,
  opens: number,
  locale: keyof typeof WHEN,
): string {
  const words = WHEN[locale];
  const time = hours?.from ?? "";
  const [today, day] = [localDay(now, zone), localDay(opens, zone)];
  if (day === today) return words.today(time);
  if (day === addDays(today, 1)) return words.tomorrow(time);
  const tag = locale === "en" ? "en-GB" : locale;
  const told = (format: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { ...format, timeZone: zone }).format(opens);
  return words.on(told({ weekday: "long" }), told(words.date), time);
}
