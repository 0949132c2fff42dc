/**
 * `customers.find`, `customers.forget`: people the account issued notes to, found by a name. Operators only. `takers.find`: those
 * whom this very person asked notes for, so that nobody types the same data twice.
 */
import { z } from "zod";
import { done, maskDocument, personOf, refused, townByCode, townLabel } from "../../../plugin.ts";
import type { OwnSpec, Work } from "../context.ts";
import { addressOf, askerOf, offeredStill } from "./note-ask.ts";
import type { Invoice } from "../note/invoice.ts";
import type { Customer } from "../book/customers.ts";

/** Namesakes shown to choose among. */
const ROWS = 8;

const Find = z.object({
  name: z.string().max(150).nullish(),
  /** CPF or CNPJ in normal form. */
  document: z.string().max(14).nullish(),
  /** Of a row that was chosen. */
  id: z.string().max(64).nullish(),
});

/** `found`: `none`, `one` (its fields beside) or `many` (`rows` to choose from). */
export const customersFind: OwnSpec<typeof Find> = {
  name: "customers.find",
  class: "read",
  version: 1,
  input: Find,
  result: ["found", "rows", "id", "name", "document", "address", "label"],
  async perform(work, { name, document, id }) {
    const asker = await askerOf(work);
    // A customer must not learn who else is one.
    if (asker.role !== "operator") return done({ found: "none", rows: [] });
    const { customers } = work.context.invoices;
    const account = work.account.id;
    const known = id
      ? await customers.get(account, id)
      : document
        ? await customers.ofDocument(account, document)
        : null;
    const all = known ? [known] : name ? await customers.find(account, name, ROWS) : [];
    const [first, second] = all;
    if (!first) return done({ found: "none", rows: [] });
    const label = (one: typeof first) => `${one.name} · ${maskDocument(one.document)}`;
    if (second)
      return done({ found: "many", rows: all.map((one) => ({ id: one.id, label: label(one) })) });
    return done({
      found: "one",
      rows: [],
      id: first.id,
      name: first.name,
      document: first.document,
      label: label(first),
      ...addressOf(first.address),
    });
  },
};

const Forget = z.object({ id: z.string().max(64) });

export const customersForget: OwnSpec<typeof Forget> = {
  name: "customers.forget",
  class: "replace",
  version: 1,
  input: Forget,
  result: ["code", "text"],
  async perform(work, { id }) {
    if ((await askerOf(work)).role !== "operator") return refused("not_allowed");
    await work.context.invoices.customers.forget(work.account.id, id);
    return done({});
  },
};

/** Takers to choose among, and notes of each name of the contact that are looked through for them. */
const TAKERS = 5;
const NOTES = 50;
/** The row of whoever is none of these. */
const OTHER = { id: "other", label: { "pt-BR": "Outra pessoa ou empresa", en: "Somebody else" } };

const TakerInput = z.object({
  /** Of a row that was chosen. */
  id: z.string().max(64).nullish(),
  /** That was said already: then none is proposed. */
  service: z.string().max(64).nullish(),
});

/**
 * Only what the business keeps still is offered: who was forgotten or erased is asked anew.
 *
 * `found`: `none`, `one` (its fields beside) or `many` (`rows` to choose from, the last note's first). Of one, `service` is that
 * of its last note, as long as the account offers it; `proposes` tells whether there is any, `serviceLabel` what it is called.
 */
export const takersFind: OwnSpec<typeof TakerInput> = {
  name: "takers.find",
  class: "read",
  version: 2,
  input: TakerInput,
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
  const documents = [...new Set(own.map(({ taker }) => taker.document))].slice(0, TAKERS);
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
