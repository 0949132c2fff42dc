/** What plugins work with: their effects, documents, chores, routes, pages and webhooks are given it. */
import type { Account } from "../../engine/index.ts";
import type { PauseReason } from "../../gateway/index.ts";
import type { Store } from "../../store/port/port.ts";
import type { Alarm } from "../alarms/alarms.ts";
import type { Usage } from "../alarms/sums.ts";
import type { CallContext } from "../calls.ts";
import type { VirtualClock } from "../clock.ts";
import type { Accounts, Keys, Log, Random } from "../ports.ts";

export interface Context extends CallContext {
  readonly store: Store;
  readonly accounts: Accounts;
  /** `now()` is virtual time, ms: what is written down and compared bears it. */
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly keys: Keys;
  readonly log: Log;
  /** Where people and senders of webhooks reach us, without a slash at the end. */
  readonly publicUrl?: string;
  /** The same alarm again within ten minutes is counted, and not told. */
  readonly alarms: { readonly raise: (alarm: Alarm) => void };
  /** `stored` resolves when the alarms raised so far are written down for phones. Throws what the store throws. */
  readonly pager: { readonly stored: () => Promise<void> };
  /** What one outage holds back together, by name (`planScope`, `creditsScope`). */
  readonly scopes: {
    readonly isPaused: (scope: string) => boolean;
    /** Why it is paused; undefined when it is not. */
    readonly reasonOf: (scope: string) => string | undefined;
    /** `untilMs`: the store's real time at which it ends by itself. */
    readonly pauseFor: (scope: string, reason: PauseReason, untilMs?: number) => Promise<void>;
    /** False when it was not paused. */
    readonly resume: (scope: string) => Promise<boolean>;
  };
  readonly budget: CallContext["budget"] & {
    /** Whether only the reserve of the account's plan is left: what nobody waits for is not sent then. */
    readonly isReserved: (account: Pick<Account, "id" | "quotaReserve">) => Promise<boolean>;
    /** What the account's calls of this month use and cost. */
    readonly usage: (account: string) => Promise<Usage>;
  };
  /** There is mail to read, or an effect to do, before the next round would find it. */
  readonly wake: (what: "turns" | "outbox") => void;
  /**
   * What a plugin keeps for this worker: `open` is called once, at the first use, and its answer is given from then on.
   *
   * ```ts
   * const orders = (context: Context) => context.use(openOrders); // openOrders = (context) => new Orders(context.store)
   * ```
   */
  readonly use: <T>(open: (context: Context) => T) => T;
}
