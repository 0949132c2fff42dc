/**
 * The books of one account, kept from how its calls ended. Pure: a new value each time, integer thousandths of BRL.
 *
 *     let books = NO_CALLS;
 *     const gateway = createGateway({ …, onCall: (call) => (books = accounted(books, call)) });
 */
import type { ExtraCharge, PlanLimit, Charges } from "./charges.ts";
import { INVOICING_BASE_PRICE_BRL } from "../contract/invoicing.ts";
import { routeOf, type RouteId } from "../contract/table.ts";
import type { OutcomeKind } from "../answers/outcome.ts";

/** A call as the books see it: an observed call, or a route with its outcome (`{routeId, ...outcome}`). */
export interface AccountedCall extends Charges {
  readonly routeId: RouteId;
  readonly kind: OutcomeKind;
  readonly status?: number;
}

export interface Accounting {
  /** By how they ended. */
  readonly calls: Readonly<Record<OutcomeKind, number>>;
  /** As last told. */
  readonly balance?: number;
  /** Prices of the calls, without extras: as told, else as the contract has them. */
  readonly charged: number;
  /** The part of `charged` no answer told. */
  readonly estimated: number;
  /** Charged on top. */
  readonly extra: number;
  /** The same by service; the names beyond the hundredth are put together under an empty one. */
  readonly extras: readonly ExtraCharge[];
  /** What calls of unknown end may have cost besides. */
  readonly unsure: number;
  /** Usage of the messaging plan, as last told. */
  readonly plan?: PlanLimit;
  /** Usage of the credits, as last told. */
  readonly credits?: PlanLimit;
}

export const NO_CALLS: Accounting = {
  calls: { ok: 0, business_error: 0, refused: 0, not_sent: 0, unknown: 0 },
  charged: 0,
  estimated: 0,
  extra: 0,
  extras: [],
  unsure: 0,
};

const NAMES_LIMIT = 100;
/** Refusals before anything was looked up: nobody is charged for them. Other 4xx are, says the interface. */
const FREE_REFUSALS = new Set([401, 402, 403, 429]);

/** Thousandths one call costs by the contract: 0 for what a plan or nobody pays, the base price where none is shown. */
export function expectedPrice(id: RouteId): number {
  const route = routeOf(id);
  if (route.billing !== "credits") return 0;
  return Math.round((route.price ?? INVOICING_BASE_PRICE_BRL) * 1_000);
}

/** The books after one more call. */
export function accounted(before: Accounting, call: AccountedCall): Accounting {
  const { kind, balance, limit } = call;
  const expected = call.homolog === true ? 0 : expectedPrice(call.routeId);
  const due = wasDue(call) ? expected : 0;
  const charged = call.homolog === true ? 0 : (call.tax ?? due);
  const extra = call.homolog === true ? 0 : (call.extraCharges ?? 0);
  const usage = routeOf(call.routeId).billing === "credits" ? "credits" : "plan";
  return {
    ...before,
    calls: { ...before.calls, [kind]: before.calls[kind] + 1 },
    ...(balance === undefined ? {} : { balance }),
    charged: before.charged + charged,
    estimated: before.estimated + (call.tax === undefined ? charged : 0),
    extra: before.extra + extra,
    extras: extra === 0 ? before.extras : together(before.extras, call.extras ?? []),
    unsure: before.unsure + (kind === "unknown" ? expected : 0),
    ...(limit && limit.for !== "homolog" ? { [usage]: limit } : {}),
  };
}

/** Whether a call that ended so is charged where its answer does not say. */
function wasDue({ kind, status = 0 }: AccountedCall): boolean {
  if (kind === "ok" || kind === "business_error") return true;
  return kind === "refused" && status >= 400 && !FREE_REFUSALS.has(status);
}

function together(
  before: readonly ExtraCharge[],
  more: readonly ExtraCharge[],
): readonly ExtraCharge[] {
  const prices = new Map(before.map(({ name, price }) => [name, price]));
  for (const { name, price } of more) {
    const under = prices.has(name) || prices.size < NAMES_LIMIT ? name : "";
    prices.set(under, (prices.get(under) ?? 0) + price);
  }
  return [...prices].map(([name, price]) => ({ name, price }));
}
