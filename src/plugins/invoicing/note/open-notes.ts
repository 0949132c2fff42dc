/**
 * The list of notes that have no end yet, or whose end has work left: short, beside the years of records, and looked through
 * every minute. A line is about one stay on it: whoever takes a note off late takes off none that came on since.
 */
import { z } from "zod";
import { documentsOf, type Store } from "../../../plugin.ts";
import { INVOICE_ISSUE } from "../effects/invoice-issue.ts";
import { isEnded } from "./life.ts";
import { type Invoice, isKeyless } from "./invoice.ts";

export const UNCERTAIN = "uncertain";

/**
 * Times are virtual ms. `told`: alarms so far, `toldAt`: when the last was due. `keyless`: its record was found issued without its
 * key, which it stays while it is listed; absent where nobody has looked yet.
 */
export const Uncertain = z.object({
  account: z.string(),
  invoice: z.string(),
  since: z.number(),
  told: z.number().int().default(0),
  toldAt: z.number().optional(),
  keyless: z.literal(true).optional(),
});
export type Uncertain = z.output<typeof Uncertain>;

/** Id of a stay's line. `listed`: the record's `rev` when it came on. */
export function lineId(account: string, invoice: string, listed: number): string {
  return `${account}.${invoice}.${listed}`;
}

/** `expect`: as of `put`; 0 leaves a line that is there as it is. */
export async function putLine(
  store: Pick<Store, "documents">,
  id: string,
  line: Pick<Uncertain, "account" | "invoice" | "since">,
  expect?: number,
): Promise<void> {
  await store.documents.put(UNCERTAIN, id, { ...line, told: 0 }, expect);
}

/** Its sale stands by its claim: nobody who asks for a note without an end needs its record again. */
export async function markKeyless(
  store: Pick<Store, "documents">,
  { id, rev, line }: { readonly id: string; readonly rev: number; readonly line: Uncertain },
): Promise<void> {
  // Changed meanwhile: whoever looks next marks it.
  await store.documents.put(UNCERTAIN, id, { ...line, keyless: true }, rev);
}

export async function* linesOf(
  store: Pick<Store, "documents">,
): AsyncGenerator<{ readonly id: string; readonly rev: number; readonly line: Uncertain }> {
  for await (const { id, rev, value } of documentsOf(store, UNCERTAIN)) {
    const line = Uncertain.safeParse(value).data;
    if (line) yield { id, rev, line };
  }
}

/** Held effects of one page. Failed sends stay among them for a week, so no number of pages is enough. */
const PAGE = 200;

/** Where records are read. */
interface Records {
  get(account: string, id: string): Promise<Invoice | null>;
  ofEffect(account: string, effect: string): Promise<Invoice | null>;
}

/**
 * Notes that a person may have to decide about: those sent without an end, those whose request rests although nothing left (a 429),
 * and those that were issued without their key. Read from the short list and from what is held, so none is missed behind years of
 * records.
 */
export async function openNotes(
  { store, invoices }: { readonly store: Store; readonly invoices: Records },
  account: string | undefined,
  limit: number,
): Promise<readonly Invoice[]> {
  const found = new Map<string, Invoice>();
  const add = (note: Invoice | null) => {
    if (note && (!isEnded(note) || isKeyless(note))) found.set(note.id, note);
  };
  let after: string | undefined;
  do {
    const page = await store.views.held({ limit: PAGE, after });
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
