/**
 * The messaging plan's calls of a month, per account: alarms at 80 % and 95 %, and the last share kept for the results of
 * invoices. The gateway's own counter is believed where it is told; else our count, which sees only our calls.
 */
import { type JsonObject } from "../base/index.ts";
import type { Account } from "../engine/index.ts";
import type { PlanLimit } from "../gateway/index.ts";
import type { Store } from "../store/port.ts";
import type { Alarms } from "./alarms.ts";

/** Calls of the messaging plan in a month. */
export const PLAN_CALLS = 1_000;
const ALARM_SHARES = [0.8, 0.95] as const;
const COLLECTION = "budget";
/** What the gateway told is believed this long; then one send may go and hear anew, ms. */
const TOLD_MS = 60_000;

interface Count {
  month: string;
  /** Calls of all processes, as last read or written. */
  stored: number;
  /** Our calls since. */
  fresh: number;
  told?: PlanLimit;
  toldAt: number;
  /** Highest share an alarm was raised for. */
  alarmed: number;
  loaded: boolean;
}

export class Budget {
  readonly #store: Store;
  readonly #alarms: Alarms;
  readonly #now: () => number;
  readonly #counts = new Map<string, Count>();

  constructor(store: Store, alarms: Alarms, now: () => number) {
    this.#store = store;
    this.#alarms = alarms;
    this.#now = now;
  }

  /** Share of the plan that is used, 0 and up. */
  used(account: string): number {
    const count = this.#count(account);
    if (count.told && count.told.max > 0) return count.told.used / count.told.max;
    return (count.stored + count.fresh) / PLAN_CALLS;
  }

  /**
   * Whether a send may go. Only the gateway's own counter stops one: ours can be wrong in both directions. The results of
   * invoices always may, and one send a minute, so that a raised quota or a new month is heard of.
   */
  allows(account: Account, result: boolean): boolean {
    const count = this.#count(account.id);
    const { told } = count;
    if (result || account.quotaReserve === 0 || !told || told.max <= 0) return true;
    if (told.used < told.max * (1 - account.quotaReserve)) return true;
    if (this.#now() - count.toldAt < TOLD_MS) return false;
    count.toldAt = this.#now();
    return true;
  }

  /** One plan call was made. */
  note(account: string, limit?: PlanLimit): void {
    const count = this.#count(account);
    count.fresh++;
    if (limit?.for === "request") {
      count.told = limit;
      count.toldAt = this.#now();
    }
    const share = this.used(account);
    for (const mark of ALARM_SHARES) {
      if (share < mark || count.alarmed >= mark) continue;
      count.alarmed = mark;
      this.#alarms.raise({
        code: "plan.usage",
        account,
        subject: `${count.month} ${mark}`,
        message: `${Math.round(mark * 100)} % of this month's messaging calls are used.`,
      });
    }
  }

  /** Adds what was counted here to the store. Called every few seconds and at the end. */
  async flush(): Promise<void> {
    for (const [account, count] of this.#counts) {
      if (count.fresh === 0 && count.loaded) continue;
      const id = `${account}.${count.month}`;
      const old = await this.#store.get(COLLECTION, id);
      const stored = numberOf(old?.value, "calls");
      const alarmed = Math.max(count.alarmed, numberOf(old?.value, "alarmed"));
      const added = count.fresh;
      if (added > 0) {
        const put = await this.#store.put(
          COLLECTION,
          id,
          { calls: stored + added, alarmed },
          old?.rev ?? 0,
        );
        if (put === "conflict") continue;
      }
      count.stored = stored + added;
      count.fresh -= added;
      count.alarmed = alarmed;
      count.loaded = true;
    }
  }

  #count(account: string): Count {
    const month = new Date(this.#now()).toISOString().slice(0, 7);
    const known = this.#counts.get(account);
    if (known?.month === month) return known;
    const count: Count = { month, stored: 0, fresh: 0, alarmed: 0, loaded: false, toldAt: 0 };
    this.#counts.set(account, count);
    return count;
  }
}

function numberOf(value: JsonObject | undefined, key: string): number {
  const found = value?.[key];
  return typeof found === "number" ? found : 0;
}
