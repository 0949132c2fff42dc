/** What chat files play of this plugin: notes that exist (`@note`), the effects that look at them, and notes that are issued. */
import type { CallResult, Json, JsonObject, Plugin } from "../../../plugin.ts";
import { invoicingContext } from "../context.ts";
import { effects } from "../effects/index.ts";
import { INVOICE_ISSUE } from "../effects/invoice-issue.ts";
import { explainRejection } from "../fiscal/index.ts";
import { noteOf, seedIn, writeNote } from "./seeds.ts";

type Rehearsal = NonNullable<Plugin["rehearsal"]>;
type Stage = Parameters<NonNullable<Rehearsal["done"]>>[2];
type Call = Parameters<NonNullable<Rehearsal["done"]>>[0];

export const rehearsal: Rehearsal = {
  headers: {
    async note(rest, { context, account, contactOf, serial }) {
      const seed = seedIn(rest);
      const note = noteOf(seed, serial(), account, await contactOf(seed.by));
      await writeNote(invoicingContext(context).invoices, note);
    },
  },
  does: effects
    .map(({ name }) => name)
    .filter((name) => /^(?:notes|customers|takers)\./.test(name)),
  done: issued,
  refused(effect, { code: given, message }, locale): CallResult | undefined {
    if (effect !== INVOICE_ISSUE) return undefined;
    const { duplicateHint, crashed, ...said } = explainRejection(given, message, locale);
    // A hint at a note that stands already is no definite no.
    if (duplicateHint || crashed) return { outcome: "held", out: { text: "", support: "" } };
    const { code, text, slots, fixable } = said;
    return { outcome: "rejected", out: { code, text, slots: [...slots], fixable } };
  },
};

/** A note that was issued in the file stands in the books from then on, as it does on a server. */
async function issued(
  { effect, contact, now }: Call,
  out: JsonObject,
  { context, account, serial }: Stage,
): Promise<void> {
  const number = textOf(out["number"]);
  if (effect.name !== INVOICE_ISSUE || !number) return;
  const { input } = effect;
  const told = {
    document: input["document"],
    name: input["name"],
    value: input["value"],
    service: input["service"],
    description: input["description"],
    key: out["key"],
    link: out["link"],
    month: input["competence"],
  };
  const fields = Object.fromEntries(
    Object.entries(told).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [[name, text]];
    }),
  );
  const note = noteOf({ number, by: "", fields }, serial(), account, contact);
  const history = note.history.map((one) => ({ ...one, at: now }));
  const times = { createdAt: now, settledAt: now };
  await writeNote(invoicingContext(context).invoices, { ...note, history, ...times });
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
