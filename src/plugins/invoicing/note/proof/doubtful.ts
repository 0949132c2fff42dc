/**
 * What only a person can judge of a note. Whoever posted the notice is answered once the alarm is written down: no record and
 * nobody else would ever say it again.
 */
import type { InvoicingContext } from "../../context.ts";
import type { Invoice } from "../invoice.ts";

/** It was closed here, and exists at the authority. `twin`: another note of the same sale, which exists, too, or may. */
export async function contradicted(
  context: InvoicingContext,
  invoice: Invoice,
  twin?: Invoice,
): Promise<"unproven"> {
  await inReport(context, invoice);
  const both = twin
    ? ` The same sale has another note (${twin.state}): two notes may stand for it, and one has to be cancelled.`
    : "";
  const message = `An invoice that was closed as ${invoice.state} exists at the authority; a person has to look.${both}`;
  return raised(context, invoice, "invoice.contradicted", message);
}

/** It was told as issued, and its issuer takes that back: people believe in a note that may not be there. */
export async function takenBack(context: InvoicingContext, invoice: Invoice): Promise<"unproven"> {
  await inReport(context, invoice);
  return unproven(context, invoice);
}

export function unproven(context: InvoicingContext, invoice: Invoice): Promise<"unproven"> {
  const message = "A notice about an open invoice could not be proved; a person has to look.";
  return raised(context, invoice, "invoice.unproven", message);
}

/** The day's report tells what is true of a note only outside its record. */
async function inReport(
  context: InvoicingContext,
  { account: id, id: name }: Invoice,
): Promise<void> {
  const account = await context.accounts.get(id);
  if (account) await context.dailyCounters.note(account, "contradicted", name);
}

async function raised(
  context: InvoicingContext,
  { account, id: subject }: Invoice,
  code: string,
  message: string,
): Promise<"unproven"> {
  context.alarms.raise({ code, account, subject, message });
  await context.pager.stored();
  return "unproven";
}
