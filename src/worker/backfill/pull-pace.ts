/**
 * How often messages of one account may be pulled back. Every pull is at least one call of the plan, one for each page.
 * Neither a line that flaps all month nor very long gaps may use the plan up: the gap waits, and a later pull takes all of
 * it.
 */
import type { Account } from "../../engine/index.ts";
import type { RuntimeContext } from "../context/contexts.ts";
import type { Gap } from "./gaps.ts";

/** Pulls in {@link BURST_MS}: a bot that dies every second asks no more often. */
const BURST = 3;
/** Real ms. */
const BURST_MS = 60_000;
/** Pulls of a day: 360 a month when each is one page, about a third of the smallest plan's 1,000 calls. */
const DAY_RUNS = 12;
/** A day (UTC), real ms. */
const DAY_MS = 86_400_000;
/** A restart, a deployment and a bad line for a while need no more pulls than this in a day … */
const FREE_RUNS = 6;
/** … further pulls of the day are for a line that flaps, and are spread over hours. Real ms. */
const SPREAD_MS = 3_600_000;
/** Of the plan's calls of a month, those that pulls may use: 400 of the smallest, the 360 of a flapping line and some pages. */
const MONTH_SHARE = 0.4;
/** One more than a burst, because a pull that did not reach the gateway is taken back, and those before it still count. */
const RAN_KEPT = BURST + 1;

/**
 * The real time before which no pull of this account is made. It follows from earlier pulls alone, so that new reports (a
 * line that opens, a new gap) do not bring it forward.
 */
export function pullsFrom(gap: Gap, real: number): number {
  const last = gap.ran.at(-1);
  // A time in the future was written by a clock that has been put right since.
  if (last === undefined || last > real) return gap.next;
  const burst = (gap.ran.at(-BURST) ?? -Infinity) + BURST_MS;
  const spread = gap.runs >= FREE_RUNS ? last + SPREAD_MS : -Infinity;
  const day = gap.runs >= DAY_RUNS ? (gap.day + 1) * DAY_MS : -Infinity;
  return Math.max(gap.next, burst, spread, day);
}

/** The gap with a pull that begins now. */
export function withPull(gap: Gap, real: number): Gap {
  const day = Math.floor(real / DAY_MS);
  const runs = (gap.day === day ? gap.runs : 0) + 1;
  return { ...gap, day, runs, ran: [...gap.ran, real].slice(-RAN_KEPT) };
}

/** The gap without its last pull and its call, which did not reach the gateway. */
export function withoutPull(gap: Gap): Gap {
  const runs = Math.max(0, gap.runs - 1);
  return { ...gap, runs, ran: gap.ran.slice(0, -1), calls: Math.max(0, gap.calls - 1) };
}

/** Calls that pulls may still make in this month (`YYYY-MM`) of a plan of so many. */
export function callsLeft(gap: Pick<Gap, "month" | "calls">, month: string, plan: number): number {
  return Math.floor(plan * MONTH_SHARE) - (gap.month === month ? gap.calls : 0);
}

/** The gap with one more call. */
function withCall(gap: Gap, month: string): Gap {
  return { ...gap, month, calls: (gap.month === month ? gap.calls : 0) + 1 };
}

/** `YYYY-MM` (UTC) of a virtual time, ms. */
export function monthOf(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}

/**
 * Whether one more call may ask engine B for messages. Counted before the call is made, so that neither a crash nor many
 * pages exceed the limit.
 */
export async function mayAsk(
  { gaps, budget, clock }: Pick<RuntimeContext, "gaps" | "budget" | "clock">,
  account: Account,
): Promise<boolean> {
  if (await budget.isReserved(account)) return false;
  const [month, plan] = [monthOf(clock.now()), budget.limit(account.id)];
  let may = false;
  await gaps.change(account.id, (now) => {
    may = callsLeft(now, month, plan) > 0;
    return may ? withCall(now, month) : null;
  });
  return may;
}
