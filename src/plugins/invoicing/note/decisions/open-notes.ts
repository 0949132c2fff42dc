/**
 * Notes that a person may have to decide about: those sent without an end, those whose request rests although nothing
 * left (a 429), and those that were issued without their key. Read from the short list and from what is held, so none is missed behind years of records.
 */
import type { Store } from "../../../../plugin.ts";
import { INVOICE_ISSUE } from "../../effects/invoice-issue.ts";
import { isEnded } from "../life.ts";
import { type Invoice, isKeyless } from "../invoice.ts";
import type { Invoices } from "../invoices.ts";
import { linesOf } from "./uncertain.ts";

/** Held effects of one page. Failed sends stay among them for a week, so no number of pages is enough. */
const PAGE = 200;

export async function openNotes(
  { store, invoices }: { readonly store: Store; readonly invoices: Invoices },
  account: string | undefined,
  limit: number,
): Promise<readonly Invoice[]> {
  const found = new Map<string, Invoice>();
  const add = (note: Invoice | null) => {
    if (note && (!isEnded(note) || isKeyless(note))) found.set(note.id, note);
  };
  let after: string | undefined;
  do {
    const page = await store.views.held({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const { id, account: of, class: callClass, payload } of page.items) {
      if (found.size >= limit) break;
      if (callClass !== "fiscal" || (account !== undefined && of !== account)) continue;
      const { name } = payload as { name?: string };
      // What cannot be opened may be a note.
      if (name === undefined || name === INVOICE_ISSUE) add(await invoices.ofEffect(of, id));
    }
    after = found.size < limit ? page.next : undefined;
  } while (after !== undefined);
  for await (const { line } of linesOf(store)) {
    if (found.size >= limit) break;
    if (account !== undefined && line.account !== account) continue;
    const note = found.has(line.invoice) ? null : await invoices.get(line.account, line.invoice);
    // A call on its way ends, or its lease does: then somebody judges it.
    if (note?.state !== "enviando") add(note);
  }
  const since = ({ createdAt, sentAt }: Invoice) => sentAt ?? createdAt;
  return [...found.values()].sort((a, b) => since(a) - since(b));
}
