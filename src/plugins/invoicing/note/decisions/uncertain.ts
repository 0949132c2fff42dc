/**
 * The list of notes that have no end yet, or whose end has work left: short, beside the years of records, and looked through
 * every minute. A line is about one stay on it: whoever takes a note off late takes off none that came on since.
 */
import { z } from "zod";
import { documentsOf, type Store } from "../../../../plugin.ts";

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
