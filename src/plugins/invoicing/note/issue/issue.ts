/**
 * `invoice.issue`, from the committed wish to the one request that leaves. In order: checks that need no gateway, the
 * business key, the record, the frozen bytes; only then the call. Whatever is lost after the freeze is `incerta`.
 */
import {
  type Account,
  type Begun,
  type CallEntry,
  callGateway,
  type EffectView,
  type Ending,
  Fault,
  type Held,
  verdict,
} from "../../../../plugin.ts";
import type { InvoicingContext } from "../../context.ts";
import { again, type Attempt, freshly, rested, thawed } from "./issue-ready.ts";
import { resultOf } from "../invoice-answer.ts";
import { advanced, can, isEnded, isListed } from "../life.ts";
import { Invoice, revOf } from "../invoice.ts";
import { endSale, freeSale, keySale } from "./sale.ts";
import { ANSWERED, conclude, dropBytes, uncertain, unfreeze, written } from "./answer.ts";
import { recordedAnew, unrecordedSale } from "../proof/unrecorded.ts";

const Refused = Invoice.shape.reason.unwrap();
const ROUTE = "invoicing.nfseEnvio";
/** Until the next attempt while too few replicas confirm. */
const UNCONFIRMED_MS = 2_000;

/** One attempt. Null = the effect is somebody else's by now; nothing was sent. */
export async function performIssue(
  context: InvoicingContext,
  begun: Held,
  entry: CallEntry,
  account: Account,
): Promise<Ending | null> {
  const known = await context.invoices.ofEffect(begun.account, begun.id);
  // What was read so far is of this attempt's own time: what is written over it must be as it was then.
  if (!begun.lease.isHeld()) return { outcome: { kind: "not_sent", at: context.clock.now() } };
  const attempt = { begun, entry, account, known };
  const ready = entry.work.frozen
    ? await thawed(context, attempt)
    : await freshly(context, attempt);
  if (ready === null) return null;
  if ("outcome" in ready) {
    return (await closeUnsent(context, attempt, ready)) ? ready : again(context);
  }
  const { invoice, bytes } = ready;
  const hold = await keySale(context, invoice, departure(invoice));
  if (hold === "settled") return uncertain(context, invoice, ANSWERED);
  if (hold === "gone") {
    // This process stood still: the next attempt finds the note at its end, or the sale with somebody else.
    if (!entry.work.frozen) await dropBytes(context, begun, entry);
    return again(context);
  }
  if (!begun.lease.isHeld()) return { outcome: { kind: "not_sent", at: context.clock.now() } };
  const { sending, other } = await setOut(context, invoice);
  if (!sending && !can(other, departure(other))) return rested(context, other);
  if (!sending) {
    // Somebody else was at the record since: this request could not be told apart from another.
    if (!entry.work.frozen) await dropBytes(context, begun, entry);
    return again(context);
  }
  // Key, record and bytes must outlive the loss of the primary before anything leaves.
  if (!(await context.store.effects.confirm(begun.class))) {
    await unfreeze(context, { begun, entry, invoice: sending });
    return { outcome: { kind: "not_sent", at: context.clock.now() + UNCONFIRMED_MS } };
  }
  const outcome = await callGateway(
    context,
    account,
    ROUTE,
    undefined,
    // A process that stood still may have lost its lease: then somebody else has called the note uncertain already.
    { frozenBytes: Buffer.from(bytes, "utf8"), mayLeave: begun.lease.isHeld },
    { contact: begun.contact, effect: begun.id, attempt: begun.attempt },
  );
  const judged = verdict(
    { route: ROUTE, onTimeout: account.onTimeout, attempt: begun.attempt },
    outcome,
  );
  return written(() => conclude(context, { begun, entry, invoice: sending }, outcome, judged));
}

/** Its process died after the bytes were frozen: the record says what became of it, or that nobody knows. */
export async function lostIssue(
  context: InvoicingContext,
  begun: Begun,
  entry: CallEntry,
): Promise<Ending> {
  const invoice =
    (await context.invoices.ofEffect(begun.account, begun.id)) ??
    (await recordedAnew(context, begun, entry));
  if (!invoice) return { outcome: { kind: "held", reason: "record_missing" } };
  // The answer had arrived and was recorded; only its telling was lost.
  if (isEnded(invoice)) {
    await endSale(context, invoice);
    return { outcome: { kind: "done" }, result: resultOf(invoice) };
  }
  if (invoice.state === "processando")
    return { outcome: { kind: "held", reason: "processando" }, result: resultOf(invoice) };
  return uncertain(context, invoice, "process_lost");
}

/** Whether its note is among those without an end, which are told of by `../reports/alarms.ts`. */
export async function isStuck(
  context: InvoicingContext,
  { account, id }: EffectView,
): Promise<boolean> {
  try {
    const record = await context.invoices.ofEffect(account, id);
    return record !== null && isListed(record);
  } catch (error) {
    // What is told of twice is told; those behind it are looked at all the same.
    if (Fault.is(error, "DATA_TAMPERED")) return false;
    throw error;
  }
}

/**
 * What was refused here on a later attempt has a record of an earlier one: it must not wait in the queue for ever. Or that attempt
 * died between its claim and its record. False: somebody was at the record since, the next attempt looks at it anew.
 */
async function closeUnsent(
  context: InvoicingContext,
  { begun, known }: Attempt,
  { result }: Ending,
): Promise<boolean> {
  const said = result?.outcome === "rejected" ? Refused.safeParse(result.out).data : undefined;
  if (!said) return true;
  const by = { at: context.clock.now(), by: "worker", why: said.code };
  const seen = known ? revOf(known) : undefined;
  const closed = await context.invoices.change(
    begun.account,
    context.invoices.idOf(begun.id),
    (now) => advanced(now, { type: "worker.close", rev: seen }, by, { reason: said }),
    (now) => endSale(context, now),
  );
  if (closed) return closed.changed;
  const claim = await unrecordedSale(context, begun);
  if (claim) await freeSale(context, claim);
  return true;
}

const departure = (invoice: Invoice) => ({ type: "worker.depart", rev: revOf(invoice) }) as const;

/**
 * The record says that its request leaves: only as this attempt knows it, and only while nobody judged it. `other`: what
 * stands there instead.
 */
async function setOut(
  context: InvoicingContext,
  invoice: Invoice,
): Promise<{ readonly sending?: Invoice; readonly other: Invoice }> {
  const now = context.clock.now();
  const event = departure(invoice);
  const sending = await context.invoices.change(invoice.account, invoice.id, (current) =>
    advanced(current, event, { at: now, by: "worker" }, { sentAt: now }),
  );
  return sending?.changed
    ? { sending: sending.invoice, other: invoice }
    : { other: sending?.invoice ?? invoice };
}
