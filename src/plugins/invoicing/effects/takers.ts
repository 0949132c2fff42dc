/**
 * `takers.find`: whom the notes were made out to that this very person asked for, so that nobody types the same data twice.
 * Only what the business keeps still is offered: who was forgotten or erased is asked anew.
 */
import { z } from "zod";
import { done, maskDocument, personOf, townByCode, townLabel } from "../../../plugin.ts";
import type { Invoice } from "../note/invoice.ts";
import type { Customer } from "../book/customers.ts";
import type { OwnSpec, Work } from "../context.ts";
import { addressOf, askerOf, offeredStill } from "./notes/note-ask.ts";

/** Takers to choose among, and notes of each name of the contact that are looked through for them. */
const ROWS = 5;
const NOTES = 50;
/** The row of whoever is none of these. */
const OTHER = { id: "other", label: { "pt-BR": "Outra pessoa ou empresa", en: "Somebody else" } };

const Input = z.object({
  /** Of a row that was chosen. */
  id: z.string().max(64).nullish(),
  /** That was said already: then none is proposed. */
  service: z.string().max(64).nullish(),
});

/**
 * `found`: `none`, `one` (its fields beside) or `many` (`rows` to choose from, the last note's first). Of one, `service` is that
 * of its last note, as long as the account offers it; `proposes` tells whether there is any, `serviceLabel` what it is called.
 */
export const takersFind: OwnSpec<typeof Input> = {
  name: "takers.find",
  class: "read",
  version: 2,
  input: Input,
  result: [
    "found",
    "rows",
    "name",
    "document",
    "address",
    "label",
    "proposes",
    "service",
    "serviceLabel",
  ],
  async perform(work, { id, service: said }) {
    const all = await ownTakers(work);
    const meant = id ? all.filter((one) => one.customer.id === id) : all;
    const [first, second] = meant;
    if (!first) return done({ found: "none", rows: [] });
    if (second) {
      const { locale } = await askerOf(work);
      const rows = meant.map(({ customer }) => ({ id: customer.id, label: labelOf(customer) }));
      return done({ found: "many", rows: [...rows, { id: OTHER.id, label: OTHER.label[locale] }] });
    }
    const { name, document, address } = first.customer;
    const service = said ? undefined : offeredStill(work.account, first.last);
    return done({
      found: "one",
      rows: [],
      name,
      document,
      label: labelOf(first.customer),
      ...addressOf(address),
      proposes: service !== undefined,
      ...(service ? { service: service.id, serviceLabel: service.name } : {}),
    });
  },
};

interface Taker {
  readonly customer: Customer;
  /** The last note to it that this contact asked for. */
  readonly last: Invoice;
}

/** The last served first. */
async function ownTakers({ context, begun, account }: Work): Promise<readonly Taker[]> {
  const { book, customers } = context.invoices;
  // A note the business sent here may have been made out to somebody else.
  const { contacts } = await personOf(context, account.id, begun.contact);
  const found = await Promise.all(
    [...contacts].map((contact) =>
      book.find(account.id, { contact }, { states: ["autorizada"] }, { limit: NOTES }),
    ),
  );
  const own = found
    .flatMap(({ notes }) => notes)
    .filter(({ contact }) => contacts.has(contact))
    .sort((a, b) => b.createdAt - a.createdAt);
  const documents = [...new Set(own.map(({ taker }) => taker.document))].slice(0, ROWS);
  const known = await Promise.all(
    documents.map((document) => customers.ofDocument(account.id, document)),
  );
  return known.flatMap((customer) => {
    const last = own.find(({ taker }) => taker.document === customer?.document);
    return customer && last ? [{ customer, last }] : [];
  });
}

/** As much as tells it from another one: the name, the document masked, the town. */
function labelOf({ name, document, address }: Customer): string {
  const town = townByCode(address?.codigo_municipio ?? "");
  return [name, maskDocument(document), ...(town ? [townLabel(town)] : [])].join(" · ");
}
