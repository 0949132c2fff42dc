/**
 * The account's ceiling of one day, in the issuer's time: what was sent or issued today counts, a refused note does not.
 *
 * Kept as one small document per day, note by note, so that counting twice changes nothing.
 */
import { type Account, type Context, localDay } from "../../../../plugin.ts";
import type { Invoice } from "../invoice.ts";
import { invoicingOf } from "../../account.ts";

const COLLECTION = "ceilings";
/** Tries to write while other notes of the account are counted at the same time. */
const WRITE_TRIES = 16;

type Tools = Pick<Context, "store" | "clock">;

/** A note as the ceiling counts it. `createdAt` in ms. */
export type Counted = Pick<Invoice, "id" | "account" | "cents" | "createdAt"> & {
  readonly issuer: Pick<Invoice["issuer"], "zone">;
};

/** Counts a note for today unless that passes the ceiling. False = it would. */
export async function withinDay(
  tools: Tools,
  account: Account,
  invoice: Counted,
): Promise<boolean> {
  const ceiling = invoicingOf(account).policy.dailyCeiling;
  return write(tools, account.id, invoice, (notes) => {
    const others = Object.entries(notes).filter(([id]) => id !== invoice.id);
    const sum = others.reduce((total, [, cents]) => total + cents, 0);
    return sum + invoice.cents > ceiling ? null : { ...notes, [invoice.id]: invoice.cents };
  });
}

/** A note that certainly was not issued frees its share. */
export async function giveBack(tools: Tools, invoice: Counted): Promise<void> {
  await write(tools, invoice.account, invoice, ({ [invoice.id]: _gone, ...notes }) => notes);
}

/** A note that exists after all takes its share of the day it was asked for, past the ceiling, too. */
export async function countAnyway(tools: Tools, invoice: Counted): Promise<void> {
  await write(
    tools,
    invoice.account,
    invoice,
    (notes) => ({
      ...notes,
      [invoice.id]: invoice.cents,
    }),
    invoice.createdAt,
  );
}

type Notes = Readonly<Record<string, number>>;

async function write(
  { store, clock }: Tools,
  account: string,
  invoice: Counted,
  change: (notes: Notes) => Notes | null,
  at = Math.max(invoice.createdAt, clock.now()),
): Promise<boolean> {
  const day = localDay(at, invoice.issuer.zone);
  const id = `${account}.${day}`;
  for (let tries = 0; tries < WRITE_TRIES; tries++) {
    const found = await store.documents.get(COLLECTION, id);
    const next = change((found?.value["notes"] as Notes | undefined) ?? {});
    if (!next) return false;
    const put = await store.documents.put(COLLECTION, id, { notes: { ...next } }, found?.rev ?? 0);
    if (put !== "conflict") return true;
  }
  throw new Error("the day's ceiling was changed by others again and again");
}
