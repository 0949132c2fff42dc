/** Steps of the record of a note that was sent, and what its effect comes to while nobody knows the end. */
import { type CallResult, type Ending, formatBrl } from "../../../../plugin.ts";
import type { InvoicingContext } from "../../context.ts";
import { resultOf } from "../invoice-answer.ts";
import type { NoteEvent } from "../chart.ts";
import { advanced } from "../life.ts";
import type { Invoice, moved } from "../invoice.ts";
import { endSale, holdSale, keySale } from "./sale.ts";

/** The gateway said that it is issued, and the process that heard it died before its key was written down. */
export const ANSWERED = "answered";

/**
 * Whether it is known to be issued although its key is not: by its record, or by its sale, which nothing else settles. Nobody
 * has it sent again.
 */
export async function isAnswered(
  context: Pick<InvoicingContext, "store">,
  invoice: Invoice,
): Promise<boolean> {
  const isKnown = invoice.history.some(({ by, why }) => by === "worker" && why === ANSWERED);
  return isKnown || (await holdSale(context, invoice)) === "settled";
}

/** What may be said of the request that left at a time, and of no later one. */
type RequestEvent = Extract<NoteEvent, { readonly sentAt: unknown }>["type"];

/**
 * The record as it stands after the event, or as it was where that comes too late: a notice may have settled the note while the
 * call was under way, or a person let it go again while this process stood still.
 */
export async function step(
  context: InvoicingContext,
  invoice: Invoice,
  type: RequestEvent,
  facts: Parameters<typeof moved>[3] = {},
  why?: string,
): Promise<Invoice> {
  const by = { at: context.clock.now(), by: "worker", ...(why === undefined ? {} : { why }) };
  const event = { type, sentAt: invoice.sentAt };
  const changed = await context.invoices.change(
    invoice.account,
    invoice.id,
    (current) => advanced(current, event, by, facts),
    (current) => endSale(context, current),
  );
  return changed?.invoice ?? advanced(invoice, event, by, facts) ?? invoice;
}

/**
 * Sent, and nobody knows. `facts`: what the answer tells of it all the same. Also what a dead process leaves behind (`../outbox/reaper.ts`): when it had settled the sale, the note
 * is issued, and {@link ANSWERED} is the reason.
 */
export async function uncertain(
  context: InvoicingContext,
  invoice: Invoice,
  said: string,
  facts: Parameters<typeof moved>[3] = {},
  type: "worker.lose" | "proof.doubted" = "worker.lose",
): Promise<Ending> {
  const hold = await keySale(context, invoice, { type, sentAt: invoice.sentAt });
  const why = hold === "settled" ? ANSWERED : said;
  const lost = await step(context, invoice, type, facts, why);
  // A notice of the issuer was quicker than the answer.
  if (lost.state !== "incerta") return { outcome: { kind: "done" }, result: resultOf(lost) };
  context.alarms.raise({
    code: "invoice.uncertain",
    account: invoice.account,
    subject: invoice.id,
    message:
      why === ANSWERED
        ? `An invoice of ${formatBrl(invoice.cents)} was issued, as its gateway said, and its key was lost with the process that heard it; a person has to look it up.`
        : `An invoice of ${formatBrl(invoice.cents)} may have been issued (${why}); it is not sent again.${quoted(facts)}`,
  });
  return held(why, resultOf(lost));
}

/** The authority's own words, with people's numbers hidden. */
function quoted({ reason }: Parameters<typeof moved>[3] = {}): string {
  return reason?.words === undefined ? "" : ` The authority said: ${reason.words}`;
}

export function held(reason: string, result: CallResult): Ending {
  return { outcome: { kind: "held", reason }, result, line: { reason } };
}
