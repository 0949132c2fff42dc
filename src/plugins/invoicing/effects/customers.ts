/** `customers.find`, `customers.forget`: people the account issued notes to, found by a name. Operators only. */
import { z } from "zod";
import { done, maskDocument, refused } from "../../../plugin.ts";
import type { OwnSpec } from "../context.ts";
import { addressOf, askerOf } from "./notes/note-ask.ts";

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
