/** Whether a key, and what the gateway answers about it, can be of one certain note. Pure. */
import type { Json } from "../../base/index.ts";
import { aammOf, addDays, isKeyOf, localDay, readAccessKey } from "../../brazil/index.ts";
import type { NoteFacts } from "./invoice-answer.ts";
import type { Invoice } from "./invoice.ts";
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

/** Right form and check digit, our issuer and town, and the month of sending (or the next: towns may be slow). */
export function isOurKey(invoice: Invoice, key: string): boolean {
  const { cnpj, town, zone } = invoice.issuer;
  const day = localDay(invoice.sentAt ?? invoice.createdAt, zone);
  const months = [aammOf(day), aammOf(addDays(day, 31)), aammOf(addDays(day, -1))];
  return isKeyOf(key, { issuer: cnpj, aamm: months, town });
}
