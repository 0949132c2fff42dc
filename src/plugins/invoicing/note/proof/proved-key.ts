/**
 * What a proved access key does to a note that has its end: one that was closed here, and one that was issued without its key.
 * What only a person can judge is raised as an alarm; whoever posted the notice is answered once that is written down.
 */
import { formatBrl, type Mail } from "../../../../plugin.ts";
import type { InvoicingContext } from "../../context.ts";
import { countAnyway, keySale } from "../issue/sale.ts";
import type { NoteFacts } from "../invoice-answer.ts";
import { advanced } from "../life.ts";
import type { Invoice } from "../invoice.ts";
import { type Claim, type Proof, provedBy } from "./proving.ts";
import { issueWord } from "../../effects/words.ts";
import { type Wish, withWish } from "../cancel-record.ts";

/** Notes of one taker that are looked through for another one of the same sale. */
const NOTES = 50;
const MAY_EXIST: readonly Invoice["state"][] = [
  "autorizada",
  "processando",
  "enviando",
  "incerta",
  "pendente",
];

/**
 * A note that was closed here as refused or given up, and that the authority has all the same, is issued: its sale is taken again,
 * whoever asked for it is told, and so are the operators. Each step may be done again: the notice that brought the key is posted
 * again when this fails.
 */
export async function foundIssued(
  context: InvoicingContext,
  invoice: Invoice,
  key: string,
  { claim, found }: { readonly claim: Claim; readonly found: NoteFacts },
): Promise<void> {
  const number = found.number ?? claim.facts?.number;
  const link = found.link ?? claim.facts?.link;
  const { account, id, contact, effect } = invoice;
  await keySale(context, invoice, { type: "proof.found" });
  await countAnyway(context, invoice);
  const step = { at: context.clock.now(), by: claim.by, why: `was ${invoice.state}` };
  const facts = { key, number, link };
  const vars = {
    value: formatBrl(invoice.cents),
    number: number ?? "",
    link: link ?? "",
    numbered: number === undefined ? "no" : "yes",
  };
  const mail: Mail = { kind: "notice", key: "note-exists", vars, fiscal: true };
  await context.store.mail.accept([{ account, contact, event: `${effect}:exists`, mail }]);
  context.wake("turns");
  await contradicted(context, invoice, await twinOf(context, invoice));
  // Last: once the record says it, the notice is not looked at again.
  await context.invoices.change(account, id, (now) => {
    const issued = advanced(now, { type: "proof.found" }, step, facts);
    if (!issued) return null;
    const { reason: _reason, absent: _absent, ...rest } = issued;
    return rest;
  });
}

/** Another note of the same sale that exists, or may. */
async function twinOf(context: InvoicingContext, invoice: Invoice): Promise<Invoice | undefined> {
  const { account, id, businessKey, taker } = invoice;
  const query = { document: taker.document, states: MAY_EXIST };
  const { notes } = await context.invoices.book.find(account, "all", query, { limit: NOTES });
  return notes.find((note) => note.id !== id && note.businessKey === businessKey);
}

/**
 * The record of a note that the gateway called issued without its key, with that key, or why that is not believed. Nothing can be
 * looked up without one: it comes by the issuer's notice or from a person, and is proved like that of any other note. Nothing
 * else changes, but that the lookup may say that it was cancelled since. Another key that was written down meanwhile stays.
 */
export async function takeKey(
  context: InvoicingContext,
  invoice: Invoice,
  claim: Claim & { readonly key: string | undefined },
): Promise<{ readonly ok: true; readonly invoice: Invoice } | Extract<Proof, { ok: false }>> {
  const { key, by, why, facts, sure } = claim;
  const { invoices, clock } = context;
  const proof = await provedBy(context, invoice, key, claim);
  // A note that only looks like this one says nothing of it.
  const isCancelled = !proof.ok && proof.why === "key-cancelled" && sure;
  if (!proof.ok && !isCancelled) return proof;
  const found = proof.ok ? proof.facts : undefined;
  if (found && found.status !== "autorizada") return { ok: false, why: "key-refused" };
  const number = found?.number ?? facts?.number;
  const link = found?.link ?? facts?.link;
  const step = { at: clock.now(), by, why };
  const change = (now: Invoice): Invoice | null => {
    const known = advanced(now, { type: "proof.key" }, step, { key, number, link });
    if (!known) return null;
    // Its day, and its sale's, are those of its issue.
    const { settledAt = step.at } = now;
    const keyed = { ...known, settledAt };
    if (!isCancelled) return keyed;
    return withWish(keyed, { type: "cancel.elsewhere" }, elsewhere(now, step.at)) ?? keyed;
  };
  const { account, id } = invoice;
  const changed = await invoices.change(account, id, change);
  const stands = changed?.invoice ?? invoice;
  return stands.key === key ? { ok: true, invoice: stands } : { ok: false, why: "key-other" };
}

/** Cancelled at the town's own portal, whoever asked for it there. The note may have been replaced there, too: its sale stays. */
export function elsewhere(
  { contact, effect, locale }: Pick<Invoice, "contact" | "effect" | "locale">,
  at: number,
): Wish {
  return { code: "9", why: issueWord("cancelled_elsewhere", locale), contact, effect, at };
}

/** It was closed here, and exists at the authority. `twin`: another note of the same sale, which exists, too, or may. */
async function contradicted(
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
