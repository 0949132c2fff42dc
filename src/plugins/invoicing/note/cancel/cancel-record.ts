/** What a note's record says of its cancellation, and the key under which it is asked for once. */
import type { Begun } from "../../../../plugin.ts";
import type { InvoicingContext } from "../../context.ts";
import type { Cancellation, Invoice } from "../invoice.ts";
import { releaseSale } from "../issue/sale.ts";

export type Said = Pick<Cancellation, "state" | "text" | "givenUp" | "waited" | "confirmed">;

export function isGivenUp({ givenUp }: Pick<Cancellation, "givenUp">): boolean {
  return givenUp !== undefined;
}

/** Not sent so far, or nobody said how it ended. */
export function isUndecided(cancel: Cancellation): boolean {
  return cancel.state === "pedida" || isOpen(cancel);
}

/** Sent, or about to be, and nobody said how it ended. */
export function isOpen({ state, givenUp }: Cancellation): boolean {
  return (state === "enviando" || state === "incerta") && givenUp === undefined;
}

/**
 * Whether that is how it stands now. The authority's own answer stands above what was said before; other words are believed
 * only `over` what has no end. All of it is about the request this note was read with, and nothing about a later one: a person
 * may have let it go again while the process that made the first stood still.
 */
export async function say(
  context: InvoicingContext,
  of: Pick<Begun, "id" | "account">,
  note: Invoice,
  said: Said,
  over: (now: Cancellation) => boolean = () => true,
): Promise<boolean> {
  const { id, account } = of;
  const changed = await context.invoices.change(account, note.id, ({ cancel, ...now }) => {
    if (cancel?.effect !== id || cancel.at !== note.cancel?.at || !over(cancel)) return null;
    const { givenUp: _before, confirmed: _said, ...rest } = cancel;
    return { ...now, cancel: { ...rest, ...said } };
  });
  const stands = changed?.invoice.cancel;
  if (stands?.effect !== id || stands.state !== said.state) return false;
  if (isGivenUp(stands) !== isGivenUp(said)) return false;
  await endKey(context, of, note, said);
  return true;
}

/**
 * What follows from such a word; harmless when it happened already. A definite no frees the note's key, so that it may be asked for
 * again in other words; so does giving it up: the authority itself says whether the note is cancelled already. Once it did, the
 * note's sale may be issued anew; a person's word alone lets no sale go, for the authority's answer may still come and stand above it.
 */
export async function endKey(
  context: InvoicingContext,
  { id, account }: Pick<Begun, "id" | "account">,
  note: Invoice,
  said: Said,
): Promise<void> {
  const key = keyOf(context, note);
  if (said.state === "recusada" || isGivenUp(said)) await context.store.keys.free(account, key, id);
  if (said.state !== "cancelada") return;
  if (said.confirmed) await releaseSale(context, note);
  await context.store.keys.settle(account, key, id);
}

export function keyOf(context: Pick<InvoicingContext, "keys">, note: Invoice): string {
  return context.keys.hash(`cancel:${note.id}`);
}
