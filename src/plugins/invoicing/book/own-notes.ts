/** The notes one person asked for, as lines that person may read. */
import type { Account, Session } from "../../../plugin.ts";
import type { InvoicingContext } from "../context.ts";
import type { Invoice } from "../note/invoice.ts";

/** Lines of one message; what is older is in the copy. */
const LINES = 10;

/** Newest first; with what was refused, which is kept as well. */
export async function notesOf(
  context: Pick<InvoicingContext, "invoices">,
  account: Account,
  contacts: ReadonlySet<string>,
): Promise<readonly Invoice[]> {
  const own = await context.invoices.all(account.id, (note) => contacts.has(note.contact));
  return own.sort((a, b) => b.createdAt - a.createdAt);
}

export function noteLines(notes: readonly Invoice[], locale: Session["locale"]): string {
  const lines = notes.slice(0, LINES).map((note) => `• ${noteLine(note, locale)}`);
  const more = notes.length - lines.length;
  if (more > 0) lines.push(locale === "en" ? `• and ${more} more` : `• e mais ${more}`);
  return lines.join("\n");
}

function noteLine({ number, competence, cents }: Invoice, locale: Session["locale"]): string {
  const [year = "", month = ""] = competence.split("-");
  const brl = (cents / 100).toLocaleString("pt-BR", { style: "currency", currency: "BRL" });
  const open = locale === "en" ? "not issued yet" : "ainda sem número";
  return `${number ?? open} · ${month}/${year} · ${brl.replace(/\u00a0/g, " ")}`;
}
