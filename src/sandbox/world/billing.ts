/**
 * Usage: counted always, refused only when enforced. Two purses: the monthly plan of a device, the credits of an account.
 * Extra charges are configured here, come off the account's credits whatever the route is billed by, and are listed in the
 * answer beside the price of the operation.
 */
import { z } from "zod";
import { localDay } from "../../brazil/index.ts";
import { findRoute } from "../../gateway/index.ts";
import { OwnedList } from "../http/bounded.ts";
import type { Caller } from "../http/callers.ts";

/** Calls a month that the plan of 12.90 BRL holds. */
export const PLAN_QUOTA = 1_000;

/** Queries a month of the credit-billed interface. */
export const CREDIT_QUOTA = 999_000;

/** BRL of one credit-billed call without a price of its own. */
const CREDIT_PRICE = 0.5;

/** BRL each account begins with. */
const START_BALANCE = 250.7;

/** Months begin and end by this zone's calendar. */
const ZONE = "America/Sao_Paulo";

const BRL_LIMIT = 1_000_000_000;

/** Money is text with a comma or a dot, with two or three decimals, depending on the operation. */
export const MoneyStyle = z.enum(["comma-2", "dot-2", "comma-3", "dot-3"]);
export type MoneyStyle = z.output<typeof MoneyStyle>;

const ExtraCharge = z.strictObject({
  /** Route id; absent = every billed route. */
  route: z
    .string()
    .refine((id) => findRoute(id) !== undefined, "no route id")
    .optional(),
  /** Selector of an invoicing operation; absent = every one. */
  tipo: z.string().min(1).max(100).optional(),
  name: z.string().min(1).max(100),
  /** BRL of one call. */
  price: z.number().min(0).max(BRL_LIMIT),
});
type ExtraCharge = z.output<typeof ExtraCharge>;

export const BillingSettings = z.strictObject({
  enforce: z.boolean(),
  /** Plan calls a month. */
  quota: z.number().int().min(0).max(BRL_LIMIT),
  /** BRL; setting it fills every account's purse to this amount. */
  balance: z.number().min(-BRL_LIMIT).max(BRL_LIMIT),
  /** Additional services, each charged on top of the calls it matches. */
  extra: z.array(ExtraCharge).max(50),
  /** How money is written; `by_operation` spreads the four styles over the operations. */
  money: z.enum(["by_operation", ...MoneyStyle.options]),
});
export type BillingSettings = z.output<typeof BillingSettings>;

interface LedgerRow {
  readonly at: string;
  readonly scope: string;
  readonly route: string;
  readonly tipo?: string;
  /** BRL, extra charges included. Calls of a plan cost 0 by themselves: the plan is paid by the month. */
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

/** What one call costs, in thousandths of a real. */
export interface Cost {
  /** The operation itself. */
  readonly base: number;
  readonly extras: readonly { readonly name: string; readonly price: number }[];
  /** Sum of the extras. */
  readonly extra: number;
}

export const FREE: Cost = { base: 0, extras: [], extra: 0 };

export class Billing {
  readonly ledger = new OwnedList<LedgerRow>();
  #enforce = false;
  #quota = PLAN_QUOTA;
  #extra: readonly ExtraCharge[] = [];
  #money: BillingSettings["money"] = "by_operation";
  readonly #balances = new Map<string, number>();
  #start = START_BALANCE * 1_000;
  readonly #used = new Map<string, number>();
  #month = "";
  #minute = -1;

  settings(account: string): BillingSettings {
    return {
      enforce: this.#enforce,
      quota: this.#quota,
      balance: moneyNumber(this.balance(account)),
      extra: [...this.#extra],
      money: this.#money,
    };
  }

  set(change: Partial<BillingSettings>): void {
    this.#enforce = change.enforce ?? this.#enforce;
    this.#quota = change.quota ?? this.#quota;
    this.#extra = change.extra ?? this.#extra;
    this.#money = change.money ?? this.#money;
    if (change.balance === undefined) return;
    this.#start = Math.round(change.balance * 1_000);
    this.#balances.clear();
  }

  /** The style that answers are written in, where one is set for all operations. */
  get money(): MoneyStyle | undefined {
    return this.#money === "by_operation" ? undefined : this.#money;
  }

  /** Thousandths left in an account's purse. */
  balance(account: string): number {
    return this.#balances.get(account) ?? this.#start;
  }

  /** Plan calls of a device in this month so far. */
  used(caller: Caller): { readonly used: number; readonly quota: number } {
    return { used: this.#used.get(scopeOf("plan", caller)) ?? 0, quota: this.#quota };
  }

  /** Why the call cannot be paid, or undefined. Nothing is refused unless billing is enforced. */
  refusal(charge: Charge, caller: Caller, now: number): string | undefined {
    if (!this.#enforce || charge.billing === "none") return undefined;
    this.#turnMonth(now);
    const used = this.#used.get(scopeOf(charge.billing, caller)) ?? 0;
    if (charge.billing === "plan" && used >= this.#quota)
      return "Limite de requisições do plano atingido.";
    if (charge.billing === "credits" && used >= CREDIT_QUOTA)
      return "Limite mensal de consultas atingido.";
    const { base, extra } = this.#costOf(charge);
    const owed = base + extra;
    return owed > 0 && this.balance(caller.account) < owed ? "Saldo insuficiente." : undefined;
  }

  /** Counts a call and writes its ledger row; tells what it cost. Unbilled calls leave no trace. */
  charge(charge: Charge, caller: Caller, now: number): Cost {
    if (charge.billing === "none") return FREE;
    this.#turnMonth(now);
    const scope = scopeOf(charge.billing, caller);
    this.#used.set(scope, (this.#used.get(scope) ?? 0) + 1);
    const cost = this.#costOf(charge);
    const price = cost.base + cost.extra;
    const balance = this.balance(caller.account) - price;
    this.#balances.set(caller.account, balance);
    const row: LedgerRow = {
      at: new Date(now).toISOString(),
      scope,
      route: charge.route,
      tipo: charge.tipo,
      price: moneyNumber(price),
      balance: moneyNumber(balance),
    };
    this.ledger.push(row, caller.account);
    return cost;
  }

  #costOf(charge: Charge): Cost {
    const base = charge.billing === "credits" ? thousandths(charge.price ?? CREDIT_PRICE) : 0;
    if (this.#extra.length === 0) return { base, extras: [], extra: 0 };
    const extras = this.#extra
      .filter(
        ({ route, tipo }) =>
          (route ?? charge.route) === charge.route && (tipo ?? charge.tipo) === charge.tipo,
      )
      .map(({ name, price }) => ({ name, price: thousandths(price) }));
    return { base, extras, extra: extras.reduce((sum, { price }) => sum + price, 0) };
  }

  /** Usage begins anew with each month. Looked up once a minute: the calendar is dear. */
  #turnMonth(now: number): void {
    const minute = Math.floor(now / 60_000);
    if (minute === this.#minute) return;
    this.#minute = minute;
    const month = localDay(now, ZONE).slice(0, 7);
    if (month === this.#month) return;
    this.#month = month;
    this.#used.clear();
  }
}

function thousandths(brl: number): number {
  return Math.round(brl * 1_000);
}

function scopeOf(billing: "credits" | "plan", caller: Caller): string {
  return billing === "plan"
    ? `plan:${caller.device ?? caller.account}`
    : `credits:${caller.account}`;
}

/** The four styles are spread over the operations, so that a client meets all of them. */
const STYLES: Readonly<Record<string, MoneyStyle>> = {
  "invoicing.emitentesCadastro": "comma-2",
  "invoicing.emitentesAtualiza": "dot-2",
  "invoicing.emitentesLista": "comma-3",
  "invoicing.certificadoUpload": "dot-3",
  "invoicing.nfseEnvio": "dot-2",
  "invoicing.nfseConsulta": "comma-3",
  "invoicing.cancelamento": "dot-3",
};

export function moneyStyle(route: string): MoneyStyle {
  return STYLES[route] ?? "comma-3";
}

export function moneyText(thousandths: number, style: MoneyStyle): string {
  const decimals = style.endsWith("2") ? 2 : 3;
  const text = (Math.round(thousandths) / 1_000).toFixed(decimals);
  return style.startsWith("comma") ? text.replace(".", ",") : text;
}

/** Thousandths as a BRL number, the form of the controls. */
function moneyNumber(thousandths: number): number {
  return thousandths / 1_000;
}
