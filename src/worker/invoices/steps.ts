/** Steps of the record of a note that was sent, and what its effect comes to while nobody knows the end. */
import { formatBrl } from "../../brazil/index.ts";
import type { CallResult } from "../../engine/index.ts";
import type { Desk } from "../desk.ts";
import type { Ending } from "../outbox/ending.ts";
import { resultOf } from "./invoice-answer.ts";
import { FINAL, type Invoice, moved } from "./invoice.ts";
import { endSale } from "./sale.ts";

/**
 * Never over a state that is final: a notice may have settled the note while the call was under way. Nor over a later
 * request's: a person may have let the note go again while this process stood still, and the answer is none of that one.
 */
export async function step(
  desk: Desk,
  invoice: Invoice,
  state: Invoice["state"],
  facts: Parameters<typeof moved>[3] = {},
  why?: string,
): Promise<Invoice> {
  const by = { at: desk.clock.now(), by: "worker", ...(why === undefined ? {} : { why }) };
  const changed = await desk.invoices.change(
    invoice.account,
    invoice.id,
    (current) =>
      FINAL.includes(current.state) || current.sentAt !== invoice.sentAt
        ? null
        : moved(current, state, by, facts),
    (current) => endSale(desk, current),
  );
  return changed?.invoice ?? moved(invoice, state, by, facts);
}

/** Sent, and nobody knows. Also what a dead process leaves behind (`../outbox/reaper.ts`). */
export async function uncertain(desk: Desk, invoice: Invoice, why: string): Promise<Ending> {
  const lost = await step(desk, invoice, "incerta", {}, why);
  // A notice of the issuer was quicker than the answer.
  if (lost.state !== "incerta") return { outcome: { kind: "done" }, result: resultOf(lost) };
  desk.alarms.raise({
    code: "invoice.uncertain",
    account: invoice.account,
    subject: invoice.id,
    message: `An invoice of ${formatBrl(invoice.cents)} may have been issued (${why}); it is not sent again.`,
  });
  return held(why, resultOf(lost));
}

export function held(reason: string, result: CallResult): Ending {
  return { outcome: { kind: "held", reason }, result, note: { reason } };
}
