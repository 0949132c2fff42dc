/** Notes that somebody asked for under a name they had before: they are found under the one they have now. */
import type { InvoicingContext } from "../context.ts";
import type { Person } from "../../../plugin.ts";

/** Notes of one former name that are looked through: a person's own are few. */
const MOST = 200;
/** Contacts a record names beside its own. */
const SHARED = 20;

/** Safe to be done again; a note that comes of an old request later is found the next time. */
export async function carryNotes(
  { invoices }: Pick<InvoicingContext, "invoices">,
  account: string,
  { contact, contacts }: Person,
): Promise<void> {
  for (const former of contacts) {
    if (former === contact) continue;
    const { notes } = await invoices.book.find(account, { contact: former }, {}, { limit: MOST });
    for (const { id, shared = [] } of notes) {
      if (shared.includes(contact)) continue;
      await invoices.change(account, id, (now) => ({
        ...now,
        shared: [contact, ...(now.shared ?? []).filter((one) => one !== contact)].slice(0, SHARED),
      }));
    }
  }
}
