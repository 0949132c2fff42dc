/**
 * `takers.find`: whom the notes were made out to that this very contact asked for, so that nobody types the same data twice.
 * Only what the business keeps still is offered: who was forgotten or erased is asked anew.
 */
import { z } from "zod";
import { maskDocument, townByCode, townLabel } from "../../brazil/index.ts";
import type { Customer } from "../notes/customers.ts";
import { done, type LocalSpec, type LocalWork } from "./local.ts";
import { addressOf, askerOf } from "./note-ask.ts";

/** Takers to choose among, and notes of the contact that are looked through for them. */
const ROWS = 5;
const NOTES = 50;
/** The row of whoever is none of these. */
const OTHER = { id: "other", label: { "pt-BR": "Outra pessoa ou empresa", en: "Somebody else" } };

const Input = z.object({
  /** Of a row that was chosen. */
  id: z.string().max(64).nullish(),
});

/** `found`: `none`, `one` (its fields beside) or `many` (`rows` to choose from, the last note's first). */
export const takersFind: LocalSpec<typeof Input> = {
  name: "takers.find",
  class: "read",
  version: 1,
  input: Input,
  result: ["found", "rows", "name", "document", "address", "label"],
  async perform(work, { id }) {
    const all = await ownTakers(work);
    const meant = id ? all.filter((one) => one.id === id) : all;
    const [first, second] = meant;
    if (!first) return done({ found: "none", rows: [] });
    if (second) {
      const { locale } = await askerOf(work);
      const rows = meant.map((one) => ({ id: one.id, label: labelOf(one) }));
      return done({ found: "many", rows: [...rows, { id: OTHER.id, label: OTHER.label[locale] }] });
    }
    const { name, document, address } = first;
    return done({
      ...{ found: "one", rows: [], name, document, label: labelOf(first) },
      ...addressOf(address),
    });
  },
};

/** The last served first. */
async function ownTakers({ desk, begun, account }: LocalWork): Promise<readonly Customer[]> {
  const { book, customers } = desk.invoices;
  const viewer = { contact: begun.contact };
  const { notes } = await book.find(
    account.id,
    viewer,
    { states: ["autorizada"] },
    { limit: NOTES },
  );
  // A note the business sent here may have been made out to somebody else.
  const own = notes.filter(({ contact }) => contact === begun.contact);
  const documents = [...new Set(own.map(({ taker }) => taker.document))].slice(0, ROWS);
  const known = await Promise.all(
    documents.map((document) => customers.ofDocument(account.id, document)),
  );
  return known.flatMap((one) => (one ? [one] : []));
}

/** As much as tells it from another one: the name, the document masked, the town. */
function labelOf({ name, document, address }: Customer): string {
  const town = townByCode(address?.codigo_municipio ?? "");
  return [name, maskDocument(document), ...(town ? [townLabel(town)] : [])].join(" · ");
}
