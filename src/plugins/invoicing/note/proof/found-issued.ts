/**
 * A note that was closed here as refused or given up, and that the authority has all the same. A proved key makes it issued: its
 * sale is taken again, whoever asked for it is told, and so are the operators.
 */
import { formatBrl, type Mail } from "../../../../plugin.ts";
import type { InvoicingContext } from "../../context.ts";
import { countAnyway } from "../issue/ceiling.ts";
import { contradicted } from "../decisions/doubtful.ts";
import type { NoteFacts } from "../invoice-answer.ts";
import { advanced } from "../life.ts";
import type { Invoice } from "../invoice.ts";
import type { Claim } from "./proving.ts";
import { keySale } from "../issue/sale.ts";

/** Notes of one taker that are looked through for another one of the same sale. */
const NOTES = 50;
const MAY_EXIST: readonly Invoice["state"][] = [
  "autorizada",
  "processando",
  "enviando",
  "incerta",
  "pendente",
];

/** Each step may be done again: the notice that brought the key is posted again when this fails. */
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
  const facts = {
    key,
    ...(number === undefined ? {} : { number }),
    ...(link === undefined ? {} : { link }),
  };
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
