/**
 * The access key of a note that the gateway called issued without telling it. Nothing can be looked up without a key, so it comes by the
 * issuer's notice or from a person, is proved like that of any other note, and is written down. Nothing else of the note changes:
 * it was issued, and its flow was told. Where the lookup says that it was cancelled since, that is written down, too.
 */
import type { InvoicingContext } from "../../context.ts";
import { issueWord } from "../../effects/words.ts";
import { advanced, can } from "../life.ts";
import type { Cancellation, Invoice } from "../invoice.ts";
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
    const isNew = isCancelled && can(known, { type: "cancel.elsewhere" });
    const cancel = isNew ? { cancel: elsewhere(now, step.at) } : {};
    return { ...known, settledAt, ...cancel };
  };
  const { account, id } = invoice;
  const changed = await invoices.change(account, id, change);
  const stands = changed?.invoice ?? invoice;
  return stands.key === key ? { ok: true, invoice: stands } : { ok: false, why: "key-other" };
}

/** Cancelled, whoever asked for it there. It may have been replaced there, too, so that its sale is not let go for that. */
export function elsewhere(
  { contact, effect, locale, cancel }: Pick<Invoice, "contact" | "effect" | "locale" | "cancel">,
  at: number,
): Cancellation {
  const why = issueWord("cancelled_elsewhere", locale);
  // Somebody may have wished for it here, for people to carry out.
  return { ...(cancel ?? { code: "9", why, contact, effect, at }), state: "cancelada" };
}
