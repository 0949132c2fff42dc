/** What effects about notes have in common: who asks, what they may see, and which note is meant. */
import { z } from "zod";
import { type Account, type Person, personOf } from "../../../plugin.ts";
import type { Invoice } from "../note/invoice.ts";
import type { NoteQuery, Viewer } from "../book/note-book.ts";
import { wordsOf } from "../book/customers.ts";
import { invoicingOf } from "../account.ts";
import type { InvoicingContext, Work } from "../context.ts";
import type { Service } from "../fiscal/issuer.ts";

/** A note as somebody named it; see `talk/note-wish.ts`. */
export const Wish = z.object({
  number: z.string().max(20).optional(),
  key: z.string().max(50).optional(),
  last: z.boolean().optional(),
  month: z.string().max(7).optional(),
  document: z.string().max(14).optional(),
  name: z.string().max(150).optional(),
});
export type Wish = z.output<typeof Wish>;

export interface Asker {
  readonly role: "customer" | "operator";
  readonly locale: "pt-BR" | "en";
  readonly name: string;
  readonly viewer: Viewer;
  /** Whether it is theirs to ask for anew: one that the business sent to a customer may be made out to somebody else. */
  readonly isOwn: (note: Invoice) => boolean;
}

/** Rights hang on what the contact is to the business as of its last turn, never on what a flow hands in. */
export async function askerOf({ context, begun }: Work): Promise<Asker> {
  const person = await personOf(context, begun.account, begun.contact);
  const { session, contacts } = person;
  const role = session?.role === "operator" ? "operator" : "customer";
  if (role === "customer") await carryNotes(context, begun.account, person);
  return {
    role,
    locale: session?.locale === "en" ? "en" : "pt-BR",
    name: session?.name ?? "",
    viewer: role === "operator" ? "all" : { contact: person.contact },
    isOwn: ({ contact }) => role === "operator" || contacts.has(contact),
  };
}

/** An address as a field of a result; nothing where there is none. */
export function addressOf(address: object | undefined): {
  readonly address?: Record<string, string>;
} {
  return address ? { address: JSON.parse(JSON.stringify(address)) as Record<string, string> } : {};
}

/** The service of a note, as long as the account has it: one it has no longer is asked for again. */
export function offeredStill(
  account: Account,
  { serviceId, service }: Invoice,
): Service | undefined {
  const { services } = invoicingOf(account);
  return (
    services.find(({ id }) => id === serviceId) ?? services.find(({ name }) => name === service)
  );
}

/** Notes shown to choose among. */
export const ROWS = 8;
/** People of one name whose notes are looked through. */
const NAMESAKES = 5;

/** Notes a wish fits, the newest first, at most one more than {@link ROWS}. */
export async function meant(
  work: Work,
  asker: Asker,
  wish: Wish,
  states: readonly Invoice["state"][] | undefined,
): Promise<readonly Invoice[]> {
  const { book, customers } = work.context.invoices;
  const account = work.account.id;
  const { name, number, key, document, month } = wish;
  const query: NoteQuery = { number, key, document, month, states };
  const limit = ROWS + 1;
  if (name === undefined) {
    return (await book.find(account, asker.viewer, query, { limit })).notes;
  }
  if (asker.viewer !== "all") {
    // Few notes: their own. Nobody is looked up by name for a customer.
    const { notes } = await book.find(account, asker.viewer, query, { limit: 200 });
    return notes.filter((note) => isCalled(note.taker.name, name)).slice(0, limit);
  }
  const people = await customers.find(account, name, NAMESAKES);
  const pages = await Promise.all(
    people.map(({ document }) => book.find(account, "all", { ...query, document }, { limit })),
  );
  return pages
    .flatMap(({ notes }) => notes)
    .sort((a, b) => b.createdAt - a.createdAt)
    .slice(0, limit);
}

function isCalled(whole: string, name: string): boolean {
  const words = new Set(wordsOf(whole));
  return wordsOf(name).every((word) => words.has(word));
}

/** Notes of one former name that are looked through: a person's own are few. */
const MOST = 200;
/** Contacts a record names beside its own. */
const SHARED = 20;

/**
 * Notes that somebody asked for under a name they had before are found under the one they have now. Safe to be done again; a
 * note that comes of an old request later is found the next time.
 */
async function carryNotes(
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
