/**
 * The business key of a note once it is claimed (`issue-ready.ts`), and its share of the day's ceiling. The claim ends with its
 * window until the note is sent. Then it stands until the end is known; what becomes of it follows from the record alone, so that
 * any process can do it again.
 */
import { z } from "zod";
import {
  type Account,
  type CallEntry,
  type Context,
  type KeyHold,
  localDay,
} from "../../../../plugin.ts";
import type { InvoicingContext } from "../../context.ts";
import type { NoteEvent } from "../chart.ts";
import { isFree, keyActionOf, keyEndsOf } from "../life.ts";
import type { Invoice } from "../invoice.ts";
import { invoicingOf } from "../../account.ts";

const HOUR_MS = 3_600_000;

type Tools = Pick<InvoicingContext, "store" | "clock" | "invoices">;

/** What a note has claimed: its key, by its effect, and its share of the day's ceiling. */
export type Claimed = Pick<Invoice, "businessKey" | "effect" | "window"> & Counted;

/** For how long a note is taken for the same sale as one like it, ms. */
export function windowOf(account: Account): number {
  return Math.max(1, invoicingOf(account).policy.similarHours) * HOUR_MS;
}

const Sale = z.object({
  /** Keyed hash. */
  key: z.string(),
  /** As the record's. */
  window: z.number().nullable(),
  /** Of the issuer. */
  zone: z.string(),
});
type Sale = z.output<typeof Sale>;

/** What a request keeps of its sale, for when its record is lost. */
export function saleIn({ work }: Pick<CallEntry, "work">): Sale | undefined {
  return Sale.safeParse(work.kept).data;
}

/** The sale of a note as its request keeps it. */
export function saleOf({
  businessKey: key,
  window,
  issuer: { zone },
}: Pick<Invoice, "businessKey" | "window" | "issuer">): Sale {
  return { key, window, zone };
}

/**
 * From now on the sale stands until its end is known, however long that takes. `settled`: by this very note, which is issued.
 * `gone`: it was let go since it was claimed, and is not claimed anew for that: who stood still here would take what nobody
 * frees any more.
 */
export function holdSale(
  { store }: Pick<InvoicingContext, "store">,
  { account, businessKey, effect }: Pick<Invoice, "account" | "businessKey" | "effect">,
): Promise<KeyHold> {
  return store.keys.hold(account, businessKey, effect);
}

/** The note is issued: one like it is the same sale for its window, from now on. */
export async function settleSale(
  { store }: Pick<InvoicingContext, "store">,
  { account, businessKey: key, effect, window }: Claimed,
): Promise<void> {
  const ttlMs = window ?? undefined;
  if (await store.keys.settle(account, key, effect, ttlMs)) return;
  // The store lost the claim.
  if ((await store.keys.claim(account, key, effect, ttlMs)).ok)
    await store.keys.settle(account, key, effect, ttlMs);
}

/** Certainly there is no note: a corrected request is a new attempt. Harmless where it was free already. */
export async function freeSale(
  tools: Pick<InvoicingContext, "store" | "clock">,
  sale: Claimed,
): Promise<void> {
  await tools.store.keys.free(sale.account, sale.businessKey, sale.effect);
  await giveBack(tools, sale);
}

/** What is done with the sale before the event is written in its note's record. Answers how a claim stands that is held. */
export async function keySale(
  tools: Pick<InvoicingContext, "store" | "clock">,
  invoice: Invoice,
  event: NoteEvent,
): Promise<KeyHold | undefined> {
  const action = keyActionOf(invoice, event);
  if (action === "holdKey") return holdSale(tools, invoice);
  if (action === "settleKey") await settleSale(tools, invoice);
  if (action === "freeKey") await freeSale(tools, invoice);
  if (action?.startsWith("claim"))
    throw new Error(`${event.type} claims a key, which may be refused.`);
  return undefined;
}

/**
 * What follows from the record of a note that has its end without being issued, or was cancelled since. Refused, given up and
 * certainly not issued, or cancelled as the authority itself said, its sale is free; given up without being known it stands for its
 * window still, and by the business's own id for good, until a person says that there is none.
 */
export async function endSale(tools: Tools, invoice: Invoice): Promise<void> {
  const { key } = keyEndsOf(invoice);
  if (key === "free") return freeSale(tools, invoice);
  if (key === "release") return releaseSale(tools, invoice);
  if (key === "keep") await keepSale(tools, invoice);
}

/**
 * It was cancelled: a note of the same sale is no second one. What it counted on its day stays. However late this is done, a note
 * that has the sale since keeps it: the key is let go of its own effect alone.
 */
export async function releaseSale(
  { store }: Pick<InvoicingContext, "store">,
  invoice: Invoice,
): Promise<void> {
  await store.keys.release(invoice.account, invoice.businessKey, invoice.effect);
}

/**
 * Lets go the sale of a note whose record says so: whoever ended it may not have lived to do it, or took it anew after a long
 * stand. False: the note keeps it.
 */
export async function isLetGo(tools: Tools, invoice: Invoice): Promise<boolean> {
  const { key } = keyEndsOf(invoice);
  if (key !== "free" && key !== "release") return false;
  await endSale(tools, invoice);
  return true;
}

/** The note is given up and may exist. The store may have lost its key. */
async function keepSale(tools: Tools, invoice: Invoice): Promise<void> {
  const { store, clock, invoices } = tools;
  const { account, id, businessKey: key, effect, window, settledAt, history } = invoice;
  if (window !== null && (await store.keys.free(account, key, effect, window))) return;
  const whole = window ?? Infinity;
  // From the giving up on, whoever comes by and whenever: done again it lasts no longer. Nor where the clock was set back.
  const since = clock.now() - (settledAt ?? history.at(-1)?.at ?? 0);
  const left = whole - Math.max(0, since);
  if (left <= 0) return;
  const ttlMs = left === Infinity ? undefined : Math.ceil(left);
  if (!(await store.keys.claim(account, key, effect, ttlMs)).ok) return;
  // A person may have said meanwhile that there is none, and freed what was claimed after that.
  const now = await invoices.get(account, id);
  if (now && isFree(now)) await freeSale(tools, now);
}

/*
 * The account's ceiling of one day, in the issuer's time: what was sent or issued today counts, a refused note does not. Kept as
 * one small document per day, note by note, so that counting twice changes nothing.
 */

const COLLECTION = "ceilings";
/** Tries to write while other notes of the account are counted at the same time. */
const WRITE_TRIES = 16;

type DayTools = Pick<Context, "store" | "clock">;

/** A note as the ceiling counts it. `createdAt` in ms. */
type Counted = Pick<Invoice, "id" | "account" | "cents" | "createdAt"> & {
  readonly issuer: Pick<Invoice["issuer"], "zone">;
};

/** Counts a note for today unless that passes the ceiling. False = it would. */
export async function withinDay(
  tools: DayTools,
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
async function giveBack(tools: DayTools, invoice: Counted): Promise<void> {
  await write(tools, invoice.account, invoice, ({ [invoice.id]: _gone, ...notes }) => notes);
}

/** A note that exists after all takes its share of the day it was asked for, past the ceiling, too. */
export async function countAnyway(tools: DayTools, invoice: Counted): Promise<void> {
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
  { store, clock }: DayTools,
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
