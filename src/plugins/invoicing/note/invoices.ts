/**
 * Records of invoices: one per `invoice.issue`, kept under an id that says nothing about anybody, years longer than the
 * conversation. A record is written before the first send, so a note whose answer is lost is never unknown to us.
 */
import type { Keys, Page, Store } from "../../../plugin.ts";
import { Customers } from "../book/customers.ts";
import { NoteBook } from "../book/note-book.ts";
import { NoteIndex } from "../book/note-index.ts";
import { can, isFree, isListed, isOnList } from "./life.ts";
import { Invoice, isKeyless, mayHaveLeft, revOf } from "./invoice.ts";
import { lineId, linesOf, markKeyless, putLine, UNCERTAIN } from "./open-notes.ts";

const COLLECTION = "invoices";
/** Longest time for which `after` sorts behind every id of an account. */
const LAST = "~";
/** Tries to write a record that another process changes at the same time. */
const WRITE_TRIES = 8;
/** The part of the store that records are kept in. */
type Documents = Pick<Store, "documents">;

export class Invoices {
  readonly #store: Documents;
  readonly #keys: Keys;
  readonly #index: NoteIndex;
  /** Every question about notes that exist. */
  readonly book: NoteBook;
  /** Whom notes were issued to. */
  readonly customers: Customers;

  constructor(store: Documents, keys: Keys) {
    this.#store = store;
    this.#keys = keys;
    this.#index = new NoteIndex(store, keys);
    this.book = new NoteBook(this, this.#index);
    this.customers = new Customers(store, keys);
  }

  /** The record's id follows from the effect's: no index is needed, and one effect can have but one record. */
  idOf(effect: string): string {
    return this.#keys.hash(`invoice:${effect}`).slice(0, 32);
  }

  async get(account: string, id: string): Promise<Invoice | null> {
    const found = await this.#store.documents.get(COLLECTION, docId(account, id));
    return found ? Invoice.parse(found.value) : null;
  }

  /**
   * The law asks for it no longer: what led to it goes, whom it was made out to where no later note was, and last the record, so
   * that what is cut off is done again.
   */
  async forget(account: string, id: string): Promise<boolean> {
    const note = await this.get(account, id);
    if (!note) return false;
    await this.customers.forgetLast(note);
    await this.#index.drop(note);
    return this.#store.documents.remove(COLLECTION, docId(account, id));
  }

  /**
   * Its person was erased, and no note came of it: who it was for and what for go, and with them what it was found by. What stays
   * tells days apart and knows a notice about it.
   */
  async unname(account: string, id: string): Promise<void> {
    const before = await this.get(account, id);
    if (!before) return;
    const changed = await this.change(account, id, ({ reason, ...now }) => {
      if (!isFree(now) || now.taker.document === "") return null;
      return { ...now, ...wordless(reason), taker: { document: "", name: "" }, description: "" };
    });
    if (changed?.changed) await this.#index.drop(before, changed.invoice);
  }

  async ofEffect(account: string, effect: string): Promise<Invoice | null> {
    return this.get(account, this.idOf(effect));
  }

  /**
   * The record of a request that is about to be written. It replaces the one that was `seen` while the effect was surely the
   * caller's own, and no other: whoever stood still since would write over a request that has left. Answers the record as it
   * was written, or the `other` one that stands there.
   */
  async open(
    invoice: Invoice,
    seen: Invoice | null = null,
  ): Promise<
    | { readonly opened: Invoice; readonly other?: never }
    | { readonly opened?: never; readonly other: Invoice }
  > {
    const id = docId(invoice.account, invoice.id);
    for (let tries = 0; tries < WRITE_TRIES; tries++) {
      const found = await this.#store.documents.get(COLLECTION, id);
      const other = found && Invoice.parse(found.value);
      if (other && !can(other, { type: "worker.reserve", rev: seen ? revOf(seen) : undefined }))
        return { other };
      await this.#index.note(invoice);
      const opened = other ? writtenAnew(other, invoice) : invoice;
      const put = await this.#store.documents.put(COLLECTION, id, opened, found?.rev ?? 0);
      if (put !== "conflict") return { opened };
    }
    throw new Error("an invoice record was changed by others again and again");
  }

  /**
   * Changes a record, or leaves it (`change` gives null). Answers the record as it stands afterwards, and whether this
   * call changed it; null when there is none. `after`: what a record that is listed no longer still needs done; may be done
   * again, and is when this process dies before its end (`../reports/alarms.ts`).
   */
  async change(
    account: string,
    id: string,
    change: (invoice: Invoice) => Invoice | null,
    after?: (invoice: Invoice) => Promise<void>,
  ): Promise<{ readonly invoice: Invoice; readonly changed: boolean } | null> {
    for (let tries = 0; tries < WRITE_TRIES; tries++) {
      const found = await this.#store.documents.get(COLLECTION, docId(account, id));
      if (!found) return null;
      const invoice = Invoice.parse(found.value);
      const wanted = change(invoice);
      if (!wanted) return { invoice, changed: false };
      const { next, line, isNew } = stayOf(invoice, wanted, after !== undefined);
      // Listed before it stands so and taken off after all is done: a crash in between leaves a line too many, never one too few.
      if (line !== undefined && isNew) await this.#list(next, line);
      await this.#index.note(next, invoice);
      if (next.state === "autorizada" && invoice.state !== "autorizada")
        await this.customers.remember(next);
      const put = await this.#store.documents.put(COLLECTION, docId(account, id), next, found.rev);
      if (put === "conflict") continue;
      if (!isListed(next)) {
        await after?.(next);
        if (line !== undefined && !isKeyless(next))
          await this.#store.documents.remove(UNCERTAIN, line);
      }
      return { invoice: next, changed: true };
    }
    throw new Error("an invoice record was changed by others again and again");
  }

  /** A record that was lost, listed and kept as it has to stand. Answers the one that is there already, where there is one. */
  async restore(lost: Invoice): Promise<Invoice> {
    const invoice = { ...lost, listed: revOf(lost) };
    await this.remember(invoice);
    await this.#index.note(invoice);
    const put = await this.#store.documents.put(
      COLLECTION,
      docId(invoice.account, invoice.id),
      invoice,
      0,
    );
    return (put === "conflict" && (await this.get(invoice.account, invoice.id))) || invoice;
  }

  /** Another note of the same sale that has no end yet: it keeps the sale for longer than its claim lives. */
  async unsettledOf(
    account: string,
    { businessKey, id }: Pick<Invoice, "businessKey" | "id">,
  ): Promise<Invoice | null> {
    for await (const listed of linesOf(this.#store)) {
      const { line } = listed;
      if (line.account !== account || line.invoice === id || line.keyless) continue;
      const note = await this.get(account, line.invoice);
      // They stay listed until somebody tells the key: each issue would read all of them.
      if (note && isKeyless(note)) await markKeyless(this.#store, listed);
      if (note && isListed(note) && note.businessKey === businessKey) return note;
    }
    return null;
  }

  /** Makes sure that a note without an end is listed as one. */
  async remember(invoice: Invoice): Promise<void> {
    await this.#list(invoice, lineOf(invoice), 0);
  }

  async #list(invoice: Invoice, line: string, expect?: number): Promise<void> {
    const { account, id, history } = invoice;
    const since = history.at(-1)?.at ?? invoice.createdAt;
    await putLine(this.#store, line, { account, invoice: id, since }, expect);
  }

  /** Records of an account, by id. `after`: an id of an earlier page. */
  async list(account: string, options: { after?: string; limit: number }): Promise<Page<Invoice>> {
    const page = await this.#store.documents.list(COLLECTION, {
      after: docId(account, options.after ?? ""),
      limit: options.limit,
    });
    const own = page.items.filter(({ id }) => id > docId(account, "") && id < docId(account, LAST));
    const items = own.map(({ value }) => Invoice.parse(value));
    const last = items.at(-1);
    const more = own.length === page.items.length && page.next !== undefined && last !== undefined;
    return { items, next: more ? last.id : undefined };
  }

  /** Every record of an account that `take` wants. */
  async all(account: string, take: (invoice: Invoice) => boolean): Promise<Invoice[]> {
    const found: Invoice[] = [];
    let after: string | undefined;
    do {
      const page = await this.list(account, { limit: 200, after });
      found.push(...page.items.filter(take));
      after = page.next;
    } while (after !== undefined);
    return found;
  }
}

/** Why it was refused, without the authority's own words: they may name somebody. */
function wordless(reason: Invoice["reason"]): Pick<Invoice, "reason"> {
  if (!reason) return {};
  const { words: _words, ...known } = reason;
  return { reason: known };
}

function docId(account: string, id: string): string {
  return `${account}.${id}`;
}

/**
 * What never left begins a history of its own; what people saw of the one before stays another matter. What may have left, and
 * goes again by a person's word without its bytes, stays known for that.
 */
function writtenAnew(before: Invoice, invoice: Invoice): Invoice {
  const next = { ...invoice, rev: revOf(before) + 1 };
  if (!mayHaveLeft(before.history)) return next;
  const { history, names, checks } = before;
  return { ...next, names, checks, history: [...history, ...invoice.history] };
}

/** Id of the line of a note that is listed. */
export function lineOf({ account, id, listed = 0 }: Invoice): string {
  return lineId(account, id, listed);
}

/**
 * The record as it is written next, and the line that stands meanwhile, if any: of its stay on the list, or of what is to be
 * done after the record.
 */
function stayOf(
  before: Invoice,
  { listed: _said, ...wanted }: Invoice,
  hasAfter: boolean,
): { readonly next: Invoice; readonly line?: string; readonly isNew: boolean } {
  const was = isOnList(before);
  const line = was ? lineOf(before) : lineId(before.account, before.id, revOf(wanted));
  if (isOnList(wanted)) {
    const listed = was ? before.listed : revOf(wanted);
    return { next: { ...wanted, listed }, line, isNew: !was };
  }
  return was || hasAfter ? { next: wanted, line, isNew: !was } : { next: wanted, isNew: false };
}
