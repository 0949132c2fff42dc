/** What a note's record says of its cancellation, and the key under which it is asked for once. */
import type { Begun } from "../../../plugin.ts";
import type { InvoicingContext } from "../context.ts";
import type { CancelWord, NoteEvent } from "./chart.ts";
import type { Cancellation, Invoice } from "./invoice.ts";
import { releaseSale } from "./issue/sale.ts";
import { can, keyEndsOf } from "./life.ts";

/** Who wants a note cancelled, by which effect, when and why. */
export type Wish = Pick<Cancellation, "code" | "why" | "contact" | "effect" | "at">;

/** What begins a cancellation, or tells of one that was made elsewhere. */
type Beginning = Extract<
  NoteEvent,
  { readonly type: "cancel.ask" | "cancel.wish" | "cancel.elsewhere" }
>;

/** The note with the beginning of its cancellation; null where the chart does not take it. */
export function withWish(note: Invoice, event: Beginning, wish: Wish): Invoice | null {
  return can(note, event) ? { ...note, cancel: begunBy(event, wish, note.cancel) } : null;
}

function begunBy({ type }: Beginning, wish: Wish, before: Cancellation | undefined): Cancellation {
  switch (type) {
    case "cancel.ask": {
      const waited = before?.effect === wish.effect ? before.waited : undefined;
      return { ...wish, state: "enviando", waited };
    }
    case "cancel.wish":
      return { ...wish, state: "pedida" };
    case "cancel.elsewhere": {
      // Somebody may have wished for it here: the record keeps who and why.
      const known: Omit<Cancellation, "state"> = before ?? wish;
      return { ...known, state: "cancelada", givenUp: undefined };
    }
  }
}

type Word = Extract<NoteEvent, CancelWord>["type"];

/** How the record has each word; of one that was given up, with the time. */
const SAID: Readonly<Record<Word, Pick<Cancellation, "state" | "confirmed" | "waited">>> = {
  "cancel.confirmed": { state: "cancelada", confirmed: true },
  "cancel.replaced": { state: "cancelada" },
  "cancel.refused": { state: "recusada" },
  "cancel.lose": { state: "incerta" },
  "cancel.limited": { state: "enviando", waited: true },
  "cancel.close": { state: "recusada" },
  "person.cancelled": { state: "cancelada" },
  "person.kept": { state: "recusada" },
  "person.quit": { state: "incerta" },
};

/** The cancellation with a word that it takes. */
export function worded(cancel: Cancellation, type: Word, at: number, text = ""): Cancellation {
  const { givenUp: _before, confirmed: _said, ...rest } = cancel;
  return {
    ...rest,
    ...SAID[type],
    ...(text === "" ? {} : { text }),
    ...(type === "person.quit" ? { givenUp: at } : {}),
  };
}

/**
 * Writes the word into the record and ends the keys. True: the record says so now. All of it is about the request this note was read with, and nothing about a later one: a
 * person may have let it go again while the process that made the first stood still.
 */
export async function say(
  context: InvoicingContext,
  of: Pick<Begun, "id" | "account">,
  note: Invoice,
  type: Word,
  text?: string,
): Promise<boolean> {
  const { id, account } = of;
  const event = { type, effect: id, asked: note.cancel?.at };
  const at = context.clock.now();
  const changed = await context.invoices.change(account, note.id, (now) =>
    now.cancel && can(now, event) ? { ...now, cancel: worded(now.cancel, type, at, text) } : null,
  );
  const stands = changed?.invoice.cancel;
  const isSaid =
    stands?.effect === id &&
    stands.state === SAID[type].state &&
    (stands.givenUp === undefined) === (type !== "person.quit");
  if (changed && isSaid) await endKeys(context, of, changed.invoice);
  return isSaid;
}

/**
 * What follows from how a cancellation stands; harmless when it happened already. A definite no frees its key, so that it may be
 * asked for again in other words; so does giving it up: the authority itself says whether the note is cancelled already. Once it
 * did, the note's sale may be issued anew; a person's word alone lets no sale go, for the authority's answer may still come and
 * stand above it.
 */
export async function endKeys(
  context: InvoicingContext,
  { id, account }: Pick<Begun, "id" | "account">,
  note: Invoice,
): Promise<void> {
  const { key, cancelKey } = keyEndsOf(note);
  if (key === "release") await releaseSale(context, note);
  if (cancelKey === "settle") await context.store.keys.settle(account, keyOf(context, note), id);
  if (cancelKey === "free") await freeKey(context, { id, account }, note);
}

export async function freeKey(
  context: Pick<InvoicingContext, "keys" | "store">,
  { id, account }: Pick<Begun, "id" | "account">,
  note: Invoice,
): Promise<void> {
  await context.store.keys.free(account, keyOf(context, note), id);
}

export function keyOf(context: Pick<InvoicingContext, "keys">, note: Invoice): string {
  return context.keys.hash(`cancel:${note.id}`);
}
