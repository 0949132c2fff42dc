/** Whether a key, and what the gateway answers about it, can be of one certain note. Pure. */
import {
  aammOf,
  addMonths,
  isKeyOf,
  type Json,
  localDay,
  readAccessKey,
} from "../../../../plugin.ts";
import type { NoteFacts } from "../invoice-answer.ts";
import type { Invoice } from "../invoice.ts";
import { centsOf } from "./matching.ts";

/**
 * Whether the gateway's answer about a key is about this note: the value must agree, and whatever else it names. A claim
 * that did not name the note needs an answer that tells the value.
 */
export function isOfThis(
  invoice: Invoice,
  key: string,
  data: Json,
  found: NoteFacts,
  sure: boolean,
): boolean {
  if (found.key !== undefined && normal(found.key) !== normal(key)) return false;
  if (invoice.names.length > 0 && found.names.length > 0)
    if (!found.names.some((name) => invoice.names.includes(name))) return false;
  const cents = centsOf(data);
  return Number.isNaN(cents) ? sure : cents === invoice.cents;
}

function normal(key: string): string {
  const read = readAccessKey(key);
  return read.ok ? read.key.key : key;
}

/** Right form and check digit, our issuer and town, and a month in which the note may have been issued. */
export function isOurKey(invoice: Invoice, key: string): boolean {
  const { cnpj, town } = invoice.issuer;
  return isKeyOf(key, { issuer: cnpj, aamm: monthsOf(invoice), town });
}

const DAY_MS = 86_400_000;

/**
 * Months a key of this note can tell. Each of its requests may have become the note, so each time at which one was made or set
 * out counts. The month after it, because towns may be slow; that of the day before it, because the emission is told a little in
 * the past, and the authority's clock may stand in another zone.
 */
function monthsOf({ createdAt, sentAt = createdAt, history, issuer }: Invoice): string[] {
  const made = history.flatMap(({ state, at }) => (SETS_OUT.has(state) ? [at] : []));
  const days = [createdAt, sentAt, ...made].flatMap((at) => [at - DAY_MS, at]);
  const months = new Set(days.map((at) => localDay(at, issuer.zone).slice(0, 7)));
  return [...months].flatMap((month) => [aammOf(month), aammOf(addMonths(month, 1))]);
}

/** States in which a request's bytes are written, emission and all, or on their way. */
const SETS_OUT: ReadonlySet<Invoice["state"]> = new Set(["pendente", "enviando"]);
