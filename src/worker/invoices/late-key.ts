/**
 * The access key of a note that the gateway called issued without telling it. Nothing can be looked up without a key, so it comes by the
 * issuer's notice or from a person, is proved like that of any other note, and is written down. Nothing else of the note changes:
 * it was issued, and its flow was told.
 */
import type { Desk } from "../desk.ts";
import { type Invoice, isKeyless, moved } from "./invoice.ts";
import type { Claim, Proof, Proving } from "./proving.ts";

/** The record with its key, or why that is not believed. Another key that was written down meanwhile stays. */
export async function takeKey(
  { invoices, clock }: Pick<Desk, "invoices" | "clock">,
  proving: Proving,
  invoice: Invoice,
  claim: Claim & { readonly key: string | undefined },
): Promise<{ readonly ok: true; readonly invoice: Invoice } | Extract<Proof, { ok: false }>> {
  const { key, by, why, facts } = claim;
  const proof = await proving.of(invoice, key, claim);
  if (!proof.ok) return proof;
  if (proof.facts.status !== "autorizada") return { ok: false, why: "key-refused" };
  const number = proof.facts.number ?? facts?.number;
  const link = proof.facts.link ?? facts?.link;
  const step = { at: clock.now(), by, ...(why === undefined ? {} : { why }) };
  const changed = await invoices.change(invoice.account, invoice.id, (now) => {
    if (!isKeyless(now)) return null;
    const known = moved(now, "autorizada", step, {
      ...(key === undefined ? {} : { key }),
      ...(number === undefined ? {} : { number }),
      ...(link === undefined ? {} : { link }),
    });
    // Its day, and its sale's, are those of its issue.
    const { settledAt = step.at } = now;
    return { ...known, settledAt };
  });
  const found = changed?.invoice ?? invoice;
  return found.key === key ? { ok: true, invoice: found } : { ok: false, why: "key-other" };
}
