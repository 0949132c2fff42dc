/** Opening hours of a business, from its account. */
import { addDays, instantOf, localDay, weekday } from "../../brazil/index.ts";
import { momentEcho } from "../../understanding/index.ts";
import type { Account } from "../session/account.ts";
import type { TurnDraft } from "../session/turn-draft.ts";

/** Most days ahead that are searched for the next opening time. */
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

/** The opening time, for a customer who waits for the business; nothing while it is open. */
export function tellClosed(draft: TurnDraft): void {
  const { account, now } = draft.env;
  const opens = opensAt(account, now);
  if (opens === undefined || draft.session.role !== "customer") return;
  draft.word("closed", { when: opening(account, now, opens, draft.context.locale) });
}

/** "hoje às 09:00": when it opens. */
export function opening(
  { hours, zone }: Account,
  now: number,
  opens: number,
  locale: "pt-BR" | "en",
): string {
  return momentEcho({ at: opens, time: hours?.from ?? "", now, zone }, locale);
}
