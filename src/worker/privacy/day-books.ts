/**
 * What is written once a day for each account: sums, counts, reports. Days that nobody asks about any more go, so that a store
 * of many accounts does not grow by them for ever.
 */
import { localDay } from "../../brazil/index.ts";
import type { Account } from "../../engine/index.ts";
import type { Store } from "../../store/port.ts";
import { documentsOf } from "../document.ts";

const DAY_MS = 86_400_000;
/** Reports are owed for six days, and people look back a month. */
const KEPT_DAYS = 62;
/** Requests of a change to a company whose effect went without an end of its own. */
const ORPHANED_DAYS = 62;
/** Documents of one page, and pages of one round: what is left goes the next day. */
const PAGE = 100;
const PAGES = 10;

type Shelf = Pick<Store, "list" | "remove">;

/** Answers how many went. `now`: virtual ms. */
export async function forgetDays(
  store: Shelf,
  account: Pick<Account, "id" | "zone" | "retention">,
  now: number,
): Promise<number> {
  const { fiscalYears } = account.retention;
  const short = localDay(now - KEPT_DAYS * DAY_MS, account.zone);
  // As long as the notes they tell of.
  const long = localDay(now - (fiscalYears + 2) * 366 * DAY_MS, account.zone);
  let gone = await forgetBefore(store, "reports", account.id, long);
  for (const collection of ["ceilings", "daybook", "notices"])
    gone += await forgetBefore(store, collection, account.id, short);
  return gone + (await forgetOrphans(store, account.id, now));
}

/** Documents named `<account>.<YYYY-MM-DD>` of days before this one; they stand in the order of their days. */
async function forgetBefore(store: Shelf, collection: string, account: string, day: string) {
  const last = `${account}.${day}`;
  let gone = 0;
  for (let page = 0; page < PAGES; page++) {
    const { items } = await store.list(collection, { after: `${account}.`, limit: PAGE });
    const old = items.filter(({ id }) => id.startsWith(`${account}.`) && id < last);
    for (const { id } of old) if (await store.remove(collection, id)) gone++;
    if (old.length < PAGE) break;
  }
  return gone;
}

async function forgetOrphans(store: Shelf, account: string, now: number): Promise<number> {
  let gone = 0;
  for await (const { id, value } of documentsOf(store, "issuer-updates")) {
    const isOld = now - Number(value["at"]) > ORPHANED_DAYS * DAY_MS;
    if (value["account"] === account && isOld && (await store.remove("issuer-updates", id))) gone++;
  }
  return gone;
}
