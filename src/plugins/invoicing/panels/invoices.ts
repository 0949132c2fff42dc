/** Invoices as the panels show them, what may be decided about an open one, and about effects of invoices that rest. Pure. */
import type { Decided, EffectAdvice, HeldEffect } from "prosa/plugin";

/** An invoice in the list, from the sandbox's rows or the bot's own records. Reads what is there and invents nothing. */
export interface InvoiceRow {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  /** BRL. */
  readonly value?: number;
  readonly taker: string;
  readonly document: string;
  readonly key: string;
  readonly at?: string | number;
}

type Bag = Readonly<Record<string, unknown>>;

const bag = (value: unknown): Bag =>
  typeof value === "object" && value !== null ? (value as Bag) : {};

function first(row: Bag, ...names: string[]): string {
  for (const name of names) {
    const value = row[name];
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return "";
}

export function invoiceRow(value: unknown): InvoiceRow {
  const row = bag(value);
  const sent = bag(row["dados"]);
  const taker = bag(sent["tomador"] ?? row["tomador"]);
  const service = bag(sent["servico"]);
  const worth = service["valor_servicos"] ?? row["value"] ?? row["valor"];
  const cents = row["cents"] ?? row["valueCents"];
  const at = row["at"];
  return {
    id: first(row, "id", "key", "chave"),
    number: first(row, "numero", "number"),
    status: first(row, "status", "state"),
    ...(typeof worth === "number" ? { value: worth } : {}),
    ...(typeof cents === "number" ? { value: cents / 100 } : {}),
    taker: first(taker, "razao_social", "nome") || first(row, "taker", "name"),
    document: first(taker, "cpf", "cnpj"),
    key: first(row, "chave", "key"),
    ...(typeof at === "string" || typeof at === "number" ? { at } : {}),
  };
}

/** A CPF keeps its middle, a CNPJ its head and branch: enough to recognise, not enough to use. */
export function maskDocument(digits: string): string {
  if (digits.length === 11) return `•••.${digits.slice(3, 6)}.${digits.slice(6, 9)}-••`;
  if (digits.length === 14) return `${digits.slice(0, 2)}.•••.•••/${digits.slice(8, 12)}-••`;
  return digits === "" ? "" : "•••";
}

/** An invoice of the bot's own records. Times are virtual ms. */
export interface OpenInvoice {
  readonly id: string;
  readonly account: string;
  readonly contact: string;
  readonly effect: string;
  /** Names the state that was seen. */
  readonly rev: number;
  readonly state: string;
  readonly taker: { readonly name: string; readonly document: string };
  readonly cents: number;
  readonly createdAt: number;
  readonly sentAt?: number;
}

export type InvoiceDecision = "issued" | "not_issued" | "abandon";

/** Until then nobody has to look at an invoice that is sent, processed or without its key. As of the alarm on phones, ms. */
const LONG_MS = 3_600_000;

/** Whether a person is to decide about it now. `now`: virtual ms. */
export function isDue(invoice: OpenInvoice, now: number): boolean {
  if (!["enviando", "processando", "autorizada"].includes(invoice.state)) return true;
  return now - sinceOf(invoice) >= LONG_MS;
}

export const sinceOf = (invoice: OpenInvoice): number => invoice.sentAt ?? invoice.createdAt;

/** Whether an effect issues one of these: both are one matter, and the invoice is shown. */
export function covers(invoices: readonly OpenInvoice[], { account, id }: HeldEffect): boolean {
  return invoices.some((one) => one.account === account && one.effect === id);
}

/** What the API takes of an invoice in this state. */
export function decisionsOf({ state }: OpenInvoice): readonly InvoiceDecision[] {
  // Issued without its key, which is all that it lacks.
  if (state === "autorizada") return ["issued"];
  if (state === "pendente") return ["not_issued", "abandon"];
  return state === "enviando" ? ["issued", "abandon"] : ["issued", "not_issued", "abandon"];
}

/** An access key as people paste it: blanks and dots do not count. Undefined when it is none. */
export function accessKey(text: string): string | undefined {
  const key = text.replace(/[\s.-]/g, "");
  return /^(?:[0-9A-Za-z]{44}|[0-9A-Za-z]{50})$/.test(key) ? key : undefined;
}

const part = encodeURIComponent;

/** `chave` with `issued` alone. `reason` is kept in the audit. */
export function invoiceCall(
  { account, id, rev }: OpenInvoice,
  decision: InvoiceDecision,
  reason: string,
  chave?: string,
): Decided {
  return {
    path: `/invoices/${part(account)}/${part(id)}/resolve`,
    body: { decision, ...(chave === undefined ? {} : { chave }), reason, rev },
  };
}

/**
 * What files taxes is not sent again but for a cancellation that was turned away unread. A request for an invoice is among
 * the effects only where it has no record: unless it may have left, it is sent after all. Undefined for other effects.
 */
export function adviceOf(effect: HeldEffect): EffectAdvice | undefined {
  const { name, work } = effect.payload;
  if (effect.class !== "fiscal") return undefined;
  const isUnsent = work?.frozen === undefined;
  if (name === "invoice.cancel" && effect.reason === "rate_limited" && isUnsent)
    return { decisions: ["retry", "done", "failed", "discard"] };
  // What cannot be read may be a request, too.
  if (name !== undefined && name !== "invoice.issue") return undefined;
  const warning = "sends.unrecorded";
  if (name === undefined) return { decisions: ["discard"], warning };
  return { decisions: isUnsent ? ["retry", "failed", "discard"] : ["failed", "discard"], warning };
}
