/**
 * The access key of a note that the gateway called issued without telling it. Nothing can be looked up without a key, so it comes by the
 * issuer's notice or from a person, is proved like that of any other note, and is written down. Nothing else of the note changes:
 * it was issued, and its flow was told. Where the lookup says that it was cancelled since, that is written down, too.
 */
import type { InvoicingContext } from "../../context.ts";
import { issueWord } from "../../effects/words.ts";
import { type Wish, withWish } from "../cancel/cancel-record.ts";
import { advanced } from "../life.ts";
import type { Invoice } from "../invoice.ts";
import type { Claim, Proof, Proving } from "./proving.ts";

/** The record with its key, or why that is not believed. Another key that was written down meanwhile stays. */
export async function takeKey(
  { invoices, clock }: Pick<InvoicingContext, "invoices" | "clock">,
  proving: Proving,
  invoice: Invoice,
  claim: Claim & { readonly key: string | undefined },
): Promise<{ readonly ok: true; readonly invoice: Invoice } | Extract<Proof, { ok: false }>> {
  const { key, by, why, facts, sure } = claim;
  const proof = await proving.of(invoice, key, claim);
  // A note that only looks like this one says nothing of it.
  const isCancelled = !proof.ok && proof.why === "key-cancelled" && sure;
  if (!proof.ok && !isCancelled) return proof;
  const found = proof.ok ? proof.facts : undefined;
  if (found && found.status !== "autorizada") return { ok: false, why: "key-refused" };
  const number = found?.number ?? facts?.number;
  const link = found?.link ?? facts?.link;
  const step = { at: clock.now(), by, ...(why === undefined ? {} : { why }) };
  const change = (now: Invoice): Invoice | null => {
    const known = advanced(now, { type: "proof.key" }, step, {
      ...(key === undefined ? {} : { key }),
      ...(number === undefined ? {} : { number }),
      ...(link === undefined ? {} : { link }),
    });
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
