/**
 * `invoice.issue`, from the committed wish to the one request that leaves. In order: checks that need no gateway, the
 * business key, the record, the frozen bytes; only then the call. Whatever is lost after the freeze is `incerta`.
 */
import {
  type Account,
  type Begun,
  type CallEntry,
  callGateway,
  type CallOutcome,
  type CallResult,
  type EffectView,
  type Ending,
  Fault,
  type Held,
  type JsonObject,
  payloadOf,
  verdict,
  type Verdict,
} from "../../../../plugin.ts";
import type { InvoicingContext } from "../../context.ts";
import { issueWord } from "../../effects/words.ts";
import { again, type Attempt, freshly, rested, thawed } from "./issue-ready.ts";
import { knownCode } from "../../fiscal/index.ts";
import { noteFacts, reasonOf, resultOf } from "../invoice-answer.ts";
import { advanced, can, isEnded, isListed } from "../life.ts";
import { Invoice, NOT_SENT, revOf } from "../invoice.ts";
import { endSale, freeSale, keySale, saleOf } from "./sale.ts";
import { ANSWERED, held, step, uncertain } from "./steps.ts";
import { claimUnrecorded, recordedAnew } from "../proof/unrecorded.ts";
import { written } from "../proof/written.ts";

const Refused = Invoice.shape.reason.unwrap();
const ROUTE = "invoicing.nfseEnvio";
/** Until the next attempt while too few replicas confirm. */
const UNCONFIRMED_MS = 2_000;
/** A pause is a wait of its own; what failed inside this process is tried again a little later. */
const AGAIN_MS = { pause: 0, retry: 1_000 } as const;

/** One attempt. Null = the effect is somebody else's by now; nothing was sent. */
export async function performIssue(
  context: InvoicingContext,
  begun: Held,
  entry: CallEntry,
  account: Account,
): Promise<Ending | null> {
  const known = await context.invoices.ofEffect(begun.account, begun.id);
  // What was read so far is of this attempt's own time: what is written over it must be as it was then.
  if (!begun.tenure.stands()) return { outcome: { kind: "not_sent", at: context.clock.now() } };
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
  if (!begun.tenure.stands()) return { outcome: { kind: "not_sent", at: context.clock.now() } };
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
    { frozenBytes: Buffer.from(bytes, "utf8"), mayLeave: begun.tenure.stands },
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

/** Whether its note is among those without an end, which are told of by `../reports/stuck.ts`. */
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
  const claim = await claimUnrecorded(context, begun);
  if (claim) await freeSale(context, claim);
  return true;
}

interface Sent {
  readonly begun: Begun;
  readonly entry: CallEntry;
  readonly invoice: Invoice;
}

async function conclude(
  context: InvoicingContext,
  sent: Sent,
  outcome: CallOutcome,
  judged: Verdict,
): Promise<Ending> {
  const { begun, invoice } = sent;
  switch (judged.kind) {
    case "done":
      return answered(context, invoice, outcome);
    case "rejected": {
      const code = knownCode(judged);
      return refused(context, invoice, { message: judged.message, ...(code ? { code } : {}) });
    }
    case "failed":
      return refused(context, invoice, { message: "", code: judged.reason });
    case "retry":
    case "pause":
      await unfreeze(context, sent);
      if (judged.kind === "pause") await context.scopes.pauseFor(begun.scope, judged.reason);
      if (judged.kind === "pause" && judged.reason === "no_balance")
        await tellWaits(context, begun);
      return { outcome: { kind: "not_sent", at: context.clock.now() + AGAIN_MS[judged.kind] } };
    case "held": {
      if (judged.pauseMs !== undefined)
        await context.scopes.pauseFor(
          begun.scope,
          "rate_limited",
          context.clock.shared() + judged.pauseMs,
        );
      if (!judged.known) return uncertain(context, invoice, judged.reason);
      await unfreeze(context, sent);
      const rested = await step(context, invoice, "answer.limited", {}, judged.reason);
      return held(judged.reason, resultOf(rested));
    }
  }
}

/** A top-up may take days: whoever was promised the number "in a moment" hears that it waits, once for a note. */
async function tellWaits(
  context: InvoicingContext,
  { id, account, contact }: Begun,
): Promise<void> {
  const mail = { kind: "notice", key: "note-waits", vars: {} } as const;
  await context.store.mail.accept([{ account, contact, event: `${id}:waits`, mail }]);
  context.wake("turns");
}

async function answered(
  context: InvoicingContext,
  invoice: Invoice,
  outcome: CallOutcome,
): Promise<Ending> {
  const facts = noteFacts(outcome.kind === "ok" ? (outcome.data as JsonObject) : null);
  // A refusal in so many words needs no reason to be one.
  if (facts.status === "rejeitada")
    return refused(context, invoice, facts.error ?? { message: "", code: "rejected" });
  const { key, number, link, names } = facts;
  const known = {
    names: [...names],
    ...(key === undefined ? {} : { key }),
    ...(number === undefined ? {} : { number }),
    ...(link === undefined ? {} : { link }),
  };
  if (facts.status === "incerta") return uncertain(context, invoice, "unconfirmed", known);
  if (facts.status !== "autorizada") {
    const waiting = await step(context, invoice, "answer.accepted", known);
    return held("processando", resultOf(waiting));
  }
  await keySale(context, invoice, { type: "answer.issued", sentAt: invoice.sentAt });
  const issued = await step(context, invoice, "answer.issued", known);
  // Settled meanwhile by another key, or closed by a person: then there are two notes, or one that nobody expects.
  if (issued.state !== "autorizada" || (key !== undefined && issued.key !== key))
    context.alarms.raise({
      code: "invoice.contradicted",
      account: invoice.account,
      subject: invoice.id,
      message: `An invoice was issued that was closed as ${issued.state} before; a person has to look.`,
    });
  return { outcome: { kind: "done" }, result: resultOf(issued) };
}

/**
 * A definite no: the key is free again, a corrected request is a new attempt. A hint at a duplicate is no definite no, nor is what
 * the authority's own program says when it fails.
 */
async function refused(
  context: InvoicingContext,
  invoice: Invoice,
  error: { readonly code?: string; readonly message: string },
): Promise<Ending> {
  const { doubt, ...reason } = reasonOf(error, invoice.locale);
  if (doubt) return uncertain(context, invoice, doubt, { reason });
  const settled = await step(context, invoice, "answer.refused", { reason }, reason.code);
  if (settled.state === "autorizada") return contradicted(context, settled);
  // After the record, which says whether there is a note all the same; a crash in between is made good by the reaper. Of a later
  // request this answer says nothing: who stood still since may not free what that one keeps.
  await keySale(context, settled, { type: "answer.refused", sentAt: invoice.sentAt });
  const result: CallResult =
    error.message === ""
      ? {
          outcome: "failed",
          out: { text: issueWord("failed", invoice.locale), code: reason.code, support: "" },
        }
      : resultOf(settled);
  return { outcome: { kind: "failed" }, result, line: { reason: reason.code } };
}

/** A note that was proved while its own answer was on its way stands, with its key: that answer says no. */
function contradicted(context: InvoicingContext, invoice: Invoice): Ending {
  context.alarms.raise({
    code: "invoice.unproven",
    account: invoice.account,
    subject: invoice.id,
    message: "An invoice that was proved as issued was refused afterwards; a person has to look.",
  });
  return { outcome: { kind: "done" }, result: resultOf(invoice) };
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

/**
 * This attempt was provably not sent: the next one writes its bytes anew, with the time and the codes of then. Those of an earlier
 * attempt stay, which may have left, whatever a person said of it: a note that turns up is known by their codes.
 */
async function unfreeze(context: InvoicingContext, { begun, entry, invoice }: Sent): Promise<void> {
  // Whoever judged it meanwhile, or sets out anew, is not contradicted.
  await step(context, invoice, "worker.return", {}, NOT_SENT);
  if (entry.work.frozen) return;
  // Its sale stays claimed, and is let go by that name where the record is lost.
  await dropBytes(context, begun, { ...entry, work: { ...entry.work, kept: saleOf(invoice) } });
}

async function dropBytes(context: InvoicingContext, begun: Begun, entry: CallEntry): Promise<void> {
  const { frozen: _frozen, ...work } = entry.work;
  await context.store.effects.amend({
    id: begun.id,
    account: begun.account,
    contact: begun.contact,
    token: begun.token,
    payload: payloadOf({ ...entry, work }),
  });
}
