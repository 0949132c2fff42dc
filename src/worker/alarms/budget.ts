/**
 * What an account's calls of a month use and cost: the messaging plan (other engines and SMS too), credits, extra charges.
 * Alarms come at 80 % and 95 % of each limit, and for a low balance; the plan's last share is kept for the results of
 * calls.
 *
 * The gateway's own counters are used where answers tell them, else ours, which count only our own calls.
 */
import type { Account } from "../../engine/index.ts";
import {
  accounted,
  type CallOutcome,
  NO_CALLS,
  type PlanLimit,
  type RouteId,
  routeOf,
} from "../../gateway/index.ts";
import type { Store } from "../../store/port/port.ts";
import { changeDocument } from "../context/document.ts";
import type { Alarms } from "./alarms.ts";
import {
  type Fresh,
  isReserve,
  later,
  minus,
  numberOf,
  planOf,
  plus,
  SUMS,
  type Sums,
  sumsIn,
  sumsOf,
  together,
  type Told,
  toldIn,
  type Usage,
} from "./sums.ts";

/** The dearest call (19.00 BRL) would still pass: 20 BRL in thousandths. */
const LOW_BALANCE = 20_000;
const ALARM_SHARES = [0.8, 0.95] as const;
const COLLECTION = "budget";
/** The month is asked for several times for each message, and changes at the end of a day (UTC) at most. */
const DAY_MS = 86_400_000;
/** How long the gateway's counter is used, ms; then one send of all processes may go, to read it anew. */
const TOLD_MS = 6 * 3_600_000;
/** While the reserve stops a send, the store is asked this often what other processes read, ms. */
const LOOK_MS = 60_000;

interface Count {
  month: string;
  /** Of all processes, as last read or written. */
  stored: Sums;
  /** Ours since. */
  fresh: Fresh;
  told?: Told;
  /** When the store was last asked whether a send that the reserve stops may go. */
  lookedAt: number;
  credits?: PlanLimit;
  balance?: number;
  /** The balance was low when last told. */
  low: boolean;
  /** Highest share an alarm was raised for. */
  alarmed: number;
  creditsAlarmed: number;
  loaded: boolean;
  /** The last write of it, that of another caller too: two at once would add the same calls twice. */
  writing: Promise<void>;
}

export class Budget {
  readonly #store: Store;
  readonly #alarms: Alarms;
  readonly #now: () => number;
  readonly #counts = new Map<string, Count>();
  #today = { day: Number.NaN, month: "" };

  constructor(store: Store, alarms: Alarms, now: () => number) {
    this.#store = store;
    this.#alarms = alarms;
    this.#now = now;
  }

  /** Share of the plan that is used, 0 and up. */
  used(account: string): number {
    const { used, max } = planOf(this.#count(account));
    return used / max;
  }

  /**
   * Whether a send may go that does not tell a call's result. Only the gateway's own counter stops one, because ours can be
   * wrong in both directions. If no process read that counter for six hours, one send goes all the same, so that a raised
   * quota is noticed: at most four a day, of all processes.
   */
  allows(account: Account): boolean | Promise<boolean> {
    const count = this.#count(account.id);
    if (!isReserve(account, count.told)) return true;
    if (this.#now() - count.lookedAt < LOOK_MS) return false;
    count.lookedAt = this.#now();
    // It cannot be told, so the send waits.
    return this.#mayHear(account, count).catch(() => false);
  }

  /** Calls of the account's plan in a month, as far as this process read it. */
  limit(account: string): number {
    return planOf(this.#count(account)).max;
  }

  /** Whether only the reserve is left, as far as the gateway told any process. Asking uses no call. */
  async isReserved(account: Pick<Account, "id" | "quotaReserve">): Promise<boolean> {
    const count = this.#count(account.id);
    if (!count.loaded) await this.#flushOne(account.id, count);
    return isReserve(account, count.told);
  }

  /** Counts a call that ended. What was certainly not sent, and what is not charged, changes nothing. */
  count(account: string, routeId: RouteId, outcome: CallOutcome): void {
    const { billing } = routeOf(routeId);
    if (billing === "none" || outcome.kind === "not_sent") return;
    const count = this.#count(account);
    const { fresh } = count;
    const limit = "limit" in outcome ? outcome.limit : undefined;
    fresh.books = accounted(fresh.books, { routeId, ...outcome });
    const { balance } = fresh.books;
    if (balance !== undefined) count.balance = balance;
    if (billing === "plan") {
      fresh.calls++;
      if (limit?.for === "request") count.told = { ...limit, at: this.#now() };
    } else {
      fresh.queries++;
      if (limit && limit.for !== "homolog") count.credits = limit;
    }
    this.#judge(account, count);
  }

  /** Adds what was counted here to the store. Called every few seconds and at the end. */
  async flush(): Promise<void> {
    const counts = [...this.#counts];
    const written = await Promise.allSettled(
      counts.map(([account, count]) => this.#flushOne(account, count)),
    );
    // A failure for one account does not keep the others from being written.
    const failed = written.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  /** The account's current month, with the calls that other processes wrote down. */
  async usage(account: string): Promise<Usage> {
    const count = this.#count(account);
    count.loaded = false;
    await this.#flushOne(account, count);
    const sums = plus(count.stored, sumsOf(count.fresh));
    const { balance, credits, month } = count;
    return {
      month,
      plan: { ...planOf(count), told: count.told !== undefined },
      credits: credits ? { used: credits.used, max: credits.max } : { used: sums.queries },
      balance: balance === undefined ? undefined : balance / 1_000,
      charged: sums.charged / 1_000,
      estimated: sums.estimated / 1_000,
      extra: sums.extra / 1_000,
      unsure: sums.unsure / 1_000,
    };
  }

  /** Whether this send is the one that may go; or another process read meanwhile that more may. */
  async #mayHear(account: Account, count: Count): Promise<boolean> {
    const now = this.#now();
    let isTheOne = false;
    const id = `${account.id}.${count.month}`;
    const value = await changeDocument(this.#store, COLLECTION, id, (known) => {
      const told = later(count.told, toldIn(known));
      const last = Math.max(told?.at ?? 0, numberOf(known, "hearing"));
      isTheOne = isReserve(account, told) && now - last >= TOLD_MS;
      return isTheOne ? { ...known, hearing: now } : null;
    });
    const told = later(count.told, toldIn(value));
    if (told) count.told = told;
    return isTheOne || !isReserve(account, told);
  }

  #flushOne(account: string, count: Count): Promise<void> {
    const written = count.writing.then(() => this.#write(account, count));
    count.writing = written.catch(() => undefined);
    return written;
  }

  async #write(account: string, count: Count): Promise<void> {
    const added = sumsOf(count.fresh);
    const isNew = SUMS.some((name) => added[name] > 0);
    if (!isNew && count.loaded) return;
    const id = `${account}.${count.month}`;
    const before = count.fresh;
    const old = await this.#store.documents.get(COLLECTION, id);
    const stored = plus(sumsIn(old?.value), added);
    const alarmed = Math.max(count.alarmed, numberOf(old?.value, "alarmed"));
    const hearing = numberOf(old?.value, "hearing");
    const told = later(count.told, toldIn(old?.value));
    if (isNew) {
      // Counts that come while this is written belong to the next write.
      count.fresh = { calls: 0, queries: 0, books: NO_CALLS };
      count.stored = plus(count.stored, added);
      let isWritten = false;
      try {
        const plan = told ? { told: { used: told.used, max: told.max, at: told.at } } : {};
        const sums = { ...stored, alarmed, hearing, ...plan };
        const put = await this.#store.documents.put(COLLECTION, id, sums, old?.rev ?? 0);
        isWritten = put !== "conflict";
      } finally {
        if (!isWritten) {
          count.stored = minus(count.stored, added);
          count.fresh = together(before, count.fresh);
        }
      }
      if (!isWritten) return;
    }
    count.stored = stored;
    count.alarmed = alarmed;
    // As another process read it, or this one before a restart; unless it was read anew while this was written.
    const newest = later(count.told, told);
    if (newest) count.told = newest;
    count.loaded = true;
  }

  #judge(account: string, count: Count): void {
    const { month, credits, balance } = count;
    const { used, max } = planOf(count);
    const usage = (code: string, mark: number, what: string) => {
      const percent = Math.round(mark * 100);
      const message = `${percent} % of this month's ${what} are used.`;
      this.#alarms.raise({
        code,
        account,
        subject: `${month} ${mark}`,
        message,
        vars: { percent },
      });
    };
    for (const mark of ALARM_SHARES) {
      if (used / max >= mark && count.alarmed < mark) {
        count.alarmed = mark;
        usage("plan.usage", mark, "messaging calls");
      }
      const share = credits && credits.max > 0 ? credits.used / credits.max : 0;
      if (share >= mark && count.creditsAlarmed < mark) {
        count.creditsAlarmed = mark;
        usage("credits.usage", mark, "credit-billed queries");
      }
    }
    if (balance === undefined) return;
    const low = balance < LOW_BALANCE;
    if (low && !count.low)
      this.#alarms.raise({
        code: "credits.low",
        account,
        subject: month,
        message: `The gateway's balance is below ${LOW_BALANCE / 1_000} BRL; without a top-up calls billed in credits will stop.`,
        vars: { limit: LOW_BALANCE / 10 },
      });
    count.low = low;
  }

  /** `YYYY-MM` in UTC. */
  #month(): string {
    const now = this.#now();
    const day = Math.floor(now / DAY_MS);
    if (day !== this.#today.day)
      this.#today = { day, month: new Date(now).toISOString().slice(0, 7) };
    return this.#today.month;
  }

  #count(account: string): Count {
    const month = this.#month();
    const known = this.#counts.get(account);
    if (known?.month === month) return known;
    const count: Count = {
      month,
      stored: sumsIn(undefined),
      fresh: { calls: 0, queries: 0, books: NO_CALLS },
      alarmed: 0,
      creditsAlarmed: 0,
      loaded: false,
      writing: Promise.resolve(),
      lookedAt: -Infinity,
      // A balance does not depend on the month.
      low: known?.low ?? false,
      balance: known?.balance,
    };
    this.#counts.set(account, count);
    return count;
  }
}
