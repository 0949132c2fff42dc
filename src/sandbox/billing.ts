/**
 * Usage: counted always, refused only when enforced. Two purses: the monthly plan of a device, the credits of an account.
 */
import { z } from "zod";
import { BoundedList } from "./bounded.ts";
import type { Caller } from "./callers.ts";
import { moneyNumber } from "./money.ts";

/** Calls a month that the plan of 12.90 BRL holds. */
export const PLAN_QUOTA = 1_000;

/** Queries a month of the credit-billed interface. */
export const CREDIT_QUOTA = 999_000;

/** BRL of one credit-billed call without a price of its own. */
export const CREDIT_PRICE = 0.5;

/** BRL each account begins with. */
const START_BALANCE = 250.7;

export const BillingSettings = z.strictObject({
  enforce: z.boolean(),
  /** Plan calls a month. */
  quota: z.number().int().min(0).max(1_000_000_000),
  /** BRL; setting it fills every account's purse to this amount. */
  balance: z.number().min(-1_000_000_000).max(1_000_000_000),
});
export type BillingSettings = z.output<typeof BillingSettings>;

export interface LedgerRow {
  readonly at: string;
  readonly scope: string;
  readonly route: string;
  readonly tipo?: string;
  /** BRL. Calls of a plan cost 0: the plan is paid by the month. */
  readonly price: number;
  /** BRL left in the account's purse. */
  readonly balance: number;
}

export interface Charge {
  readonly route: string;
  readonly billing: "credits" | "plan" | "none";
  /** BRL, or null where the interface shows none. */
  readonly price: number | null;
  readonly tipo?: string;
}

export class Billing {
  readonly ledger = new BoundedList<LedgerRow>();
  #enforce = false;
  #quota = PLAN_QUOTA;
  readonly #balances = new Map<string, number>();
  #start = START_BALANCE * 1_000;
  readonly #used = new Map<string, number>();

  settings(): BillingSettings {
    return {
      enforce: this.#enforce,
      quota: this.#quota,
      balance: moneyNumber(this.balance("sandbox")),
    };
  }

  set(change: Partial<BillingSettings>): void {
    this.#enforce = change.enforce ?? this.#enforce;
    this.#quota = change.quota ?? this.#quota;
    if (change.balance === undefined) return;
    this.#start = Math.round(change.balance * 1_000);
    this.#balances.clear();
  }

  /** Thousandths left in an account's purse. */
  balance(account: string): number {
    return this.#balances.get(account) ?? this.#start;
  }

  /** Plan calls of a device so far. */
  used(caller: Caller): { readonly used: number; readonly quota: number } {
    return { used: this.#used.get(scopeOf("plan", caller)) ?? 0, quota: this.#quota };
  }

  /** Why the call cannot be paid, or undefined. Nothing is refused unless billing is enforced. */
  refusal(charge: Charge, caller: Caller): string | undefined {
    if (!this.#enforce || charge.billing === "none") return undefined;
    const used = this.#used.get(scopeOf(charge.billing, caller)) ?? 0;
    if (charge.billing === "plan")
      return used >= this.#quota ? "Limite de requisições do plano atingido." : undefined;
    if (used >= CREDIT_QUOTA) return "Limite mensal de consultas atingido.";
    return this.balance(caller.account) < priceOf(charge) ? "Saldo insuficiente." : undefined;
  }

  /** Counts a call and writes its ledger row; returns what it cost, in thousandths. Unbilled calls leave no trace. */
  charge(charge: Charge, caller: Caller, at: string): number {
    if (charge.billing === "none") return 0;
    const scope = scopeOf(charge.billing, caller);
    this.#used.set(scope, (this.#used.get(scope) ?? 0) + 1);
    const price = charge.billing === "credits" ? priceOf(charge) : 0;
    const balance = this.balance(caller.account) - price;
    this.#balances.set(caller.account, balance);
    this.ledger.push({
      at,
      scope,
      route: charge.route,
      ...(charge.tipo === undefined ? {} : { tipo: charge.tipo }),
      price: moneyNumber(price),
      balance: moneyNumber(balance),
    });
    return price;
  }
}

/** Thousandths of one credit-billed call. */
function priceOf(charge: Charge): number {
  return Math.round((charge.price ?? CREDIT_PRICE) * 1_000);
}

function scopeOf(billing: "credits" | "plan", caller: Caller): string {
  return billing === "plan"
    ? `plan:${caller.device ?? caller.account}`
    : `credits:${caller.account}`;
}
