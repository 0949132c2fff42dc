/** What the calls of a month add up to, as it stands in the store: sums of all processes, and what the gateway told. */
import type { JsonObject } from "../../base/index.ts";
import type { Account } from "../../engine/index.ts";
import type { Accounting, PlanLimit } from "../../gateway/index.ts";

/** Calls of the messaging plan in a month. */
const PLAN_CALLS = 1_000;

/** Sums of a month, kept in the store. Money in thousandths of BRL. */
export const SUMS = ["calls", "queries", "charged", "estimated", "extra", "unsure"] as const;
export type Sums = Record<(typeof SUMS)[number], number>;

/** What this process counted and did not write down yet. */
export interface Fresh {
  books: Accounting;
  calls: number;
  queries: number;
}

/** The gateway's own counter of the plan, and when it was heard, virtual ms. */
export interface Told extends PlanLimit {
  readonly at: number;
}

export function sumsOf({ calls, queries, books }: Fresh): Sums {
  const { charged, estimated, extra, unsure } = books;
  return { calls, queries, charged, estimated, extra, unsure };
}

export function together(a: Fresh, b: Fresh): Fresh {
  const { calls, queries, ...money } = plus(sumsOf(a), sumsOf(b));
  return { calls, queries, books: { ...b.books, ...money } };
}

export function plus(a: Sums, b: Sums): Sums {
  return Object.fromEntries(SUMS.map((name) => [name, a[name] + b[name]])) as Sums;
}

export function minus(a: Sums, b: Sums): Sums {
  return Object.fromEntries(SUMS.map((name) => [name, a[name] - b[name]])) as Sums;
}

export function sumsIn(value: JsonObject | undefined): Sums {
  return Object.fromEntries(SUMS.map((name) => [name, numberOf(value, name)])) as Sums;
}

/** Of several values the gateway told, the last one read. */
export function later(one: Told | undefined, other: Told | undefined): Told | undefined {
  return one && other && one.at < other.at ? other : (one ?? other);
}

export function toldIn(value: JsonObject | null | undefined): Told | undefined {
  const told = value?.["told"] as JsonObject | undefined;
  const [used, max] = [numberOf(told, "used"), numberOf(told, "max")];
  return max > 0 ? { for: "request", used, max, at: numberOf(told, "at") } : undefined;
}

export function numberOf(value: JsonObject | null | undefined, key: string): number {
  const found = value?.[key];
  return typeof found === "number" ? found : 0;
}

/** The messaging plan of a month: the gateway's own counter where it is known, else our calls of the usual plan. */
export function planOf(of: {
  readonly told?: Told;
  readonly stored: Sums;
  readonly fresh: Fresh;
}): { used: number; max: number } {
  const { told, stored, fresh } = of;
  if (told && told.max > 0) return { used: told.used, max: told.max };
  return { used: stored.calls + fresh.calls, max: PLAN_CALLS };
}

/** Whether only the reserve is left. */
export function isReserve({ quotaReserve }: Pick<Account, "quotaReserve">, told?: Told): boolean {
  if (quotaReserve === 0 || !told || told.max <= 0) return false;
  return told.used >= told.max * (1 - quotaReserve);
}

/** An account's month as operators see it. Money is BRL. */
export interface Usage {
  readonly month: string;
  readonly plan: { readonly used: number; readonly max: number; readonly told: boolean };
  readonly credits: { readonly used: number; readonly max?: number };
  /** As last told; absent until an answer tells it to this process. */
  readonly balance?: number;
  /** Prices of the calls, without extras; `estimated` of it by the price list, because no answer told them. */
  readonly charged: number;
  readonly estimated: number;
  readonly extra: number;
  /** What calls of unknown end may have cost besides. */
  readonly unsure: number;
}
