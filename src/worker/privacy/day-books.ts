/**
 * Documents that plugins write once a day for each account: sums, counts, reports. Old days are removed, so that the store
 * does not grow for ever.
 */
import { localDay } from "../../brazil/index.ts";
import type { Store } from "../../store/port/port.ts";
import type { Documents, Kept } from "../context/hooks.ts";

const DAY_MS = 86_400_000;
/** Documents of one page, and pages of one round; the rest is removed the next day. */
const PAGE = 100;
const PAGES = 10;

type DocumentsOf = Pick<Store, "documents">;

/** `now`: virtual ms. */
export async function forgetDays(
  store: DocumentsOf,
  account: Kept,
  documents: readonly Documents[],
  now: number,
): Promise<void> {
  for (const { daily = [] } of documents)
    for (const { collection, days } of daily) {
      const first = localDay(now - days(account) * DAY_MS, account.zone);
      await forgetBefore(store, collection, account.id, first);
    }
}

/** Documents named `<account>.<YYYY-MM-DD>` of days before this one; they stand in the order of their days. */
async function forgetBefore(
  store: DocumentsOf,
  collection: string,
  account: string,
  day: string,
): Promise<void> {
  const last = `${account}.${day}`;
  for (let page = 0; page < PAGES; page++) {
    const { items } = await store.documents.list(collection, { after: `${account}.`, limit: PAGE });
    const old = items.filter(({ id }) => id.startsWith(`${account}.`) && id < last);
    for (const { id } of old) await store.documents.remove(collection, id);
    if (old.length < PAGE) break;
  }
}
