/**
 * What this plugin keeps of an account and its people: how long, what a person's copy tells, and what an erasure does. Issued notes
 * stand under the account's key and stay, as the law asks.
 */
import {
  type Documents,
  documentsOf,
  type JsonObject,
  type Kept,
  type Person,
  type Account,
  type Session,
} from "../../../plugin.ts";
import { type InvoicingContext, invoicingContext } from "../context.ts";
import { isEnded } from "../note/life.ts";
import type { Invoice } from "../note/invoice.ts";
import { retentionOf } from "../account.ts";

/** Lines of one message; what is older is in the copy. */
const LINES = 10;

/** The notes one person asked for, newest first; refused ones, which are kept as well, among them. */
async function notesOf(
  context: Pick<InvoicingContext, "invoices">,
  account: Account,
  contacts: ReadonlySet<string>,
): Promise<readonly Invoice[]> {
  const own = await context.invoices.all(account.id, (note) => contacts.has(note.contact));
  return own.sort((a, b) => b.createdAt - a.createdAt);
}

/** These notes as lines that the person who asked for them may read. */
function noteLines(notes: readonly Invoice[], locale: Session["locale"]): string {
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

const DAY_MS = 86_400_000;
/** Reports are owed for six days, and people look back a month. */
const KEPT_DAYS = 62;
/** Records of one page, and pages of one round: some seconds of reading. */
const PAGE = 100;
const PAGES = 10;

const short = () => KEPT_DAYS;

const notes: Documents = {
  name: "notes",
  daily: [
    // As long as the notes they tell of.
    {
      collection: "reports",
      days: (account: Kept) => (retentionOf(account).fiscalYears + 2) * 366,
    },
    ...["ceilings", "daily-counters"].map((collection) => ({ collection, days: short })),
  ],
  forgetOld: (context, account, after) => forgetNotes(invoicingContext(context), account, after),
  forgetPerson: (context, account, person) => forgetOwn(invoicingContext(context), account, person),
  exported: async (context, account, contacts) => ({
    notas: (await notesOf(invoicingContext(context), account, contacts)).map(copyOf),
  }),
  overview: {
    names: ["notes", "list"],
    async of(context, account, { contacts, locale }) {
      const own = await notesOf(invoicingContext(context), account, contacts);
      const told = own.filter(({ state }) => state !== "rejeitada");
      return { notes: told.length, list: noteLines(told, locale) };
    },
  },
};

/** Requests of a change to a company whose effect went without an end of its own. */
const updates: Documents = {
  name: "issuer-updates",
  async forgetOld({ store, clock }, account) {
    let count = 0;
    for await (const { id, value } of documentsOf(store, "issuer-updates")) {
      const isOld = clock.now() - Number(value["at"]) > KEPT_DAYS * DAY_MS;
      const isOwn = value["account"] === account.id;
      if (isOwn && isOld && (await store.documents.remove("issuer-updates", id))) count++;
    }
    return { count };
  },
};

export const documents: readonly Documents[] = [notes, updates];

async function forgetNotes(
  { clock, invoices }: Pick<InvoicingContext, "clock" | "invoices">,
  account: Kept,
  from: string | undefined,
): Promise<{ readonly count: number; readonly next?: string }> {
  const now = clock.now();
  const { fiscalYears } = retentionOf(account);
  // The term runs from the first day of the next year on (CTN 173 I).
  const isOver = (at: number) =>
    now >= Date.UTC(new Date(at).getUTCFullYear() + 1 + fiscalYears, 0, 2);
  let count = 0;
  let after = from;
  for (let pages = 0; pages < PAGES; pages++) {
    const page = await invoices.list(account.id, { limit: PAGE, after });
    for (const note of page.items)
      if (isEnded(note) && isOver(note.createdAt) && (await invoices.forget(account.id, note.id)))
        count++;
    after = page.next;
    if (after === undefined) return { count };
  }
  return { count, next: after };
}

/**
 * Certificates they brought and the pages for them, the short cuts to those whom only they had notes made out to, and who and what
 * those requests were for of which no note came.
 */
export async function forgetOwn(
  { invoices, certificates }: Pick<InvoicingContext, "invoices" | "certificates">,
  account: string,
  { contacts, session }: Person,
): Promise<void> {
  for (const contact of contacts) await certificates.forget(account, contact);
  // What the business's people had made out are customers of the business.
  if (session?.role === "operator") return;
  const all = await invoices.all(account, () => true);
  const takersOf = (own: boolean) =>
    new Set(
      all.flatMap((note) => (contacts.has(note.contact) === own ? [note.taker.document] : [])),
    );
  const others = takersOf(false);
  for (const document of takersOf(true))
    if (!others.has(document)) await invoices.customers.forgetDocument(account, document);
  // The law keeps notes, and these are none.
  for (const { contact, id } of all) if (contacts.has(contact)) await invoices.unname(account, id);
}

function copyOf(note: Invoice): JsonObject {
  return {
    situacao: note.state,
    pedida_em: new Date(note.createdAt).toISOString(),
    ...(note.number === undefined ? {} : { numero: note.number }),
    ...(note.key === undefined ? {} : { chave: note.key }),
    quem_recebe: { ...note.taker },
    valor_centavos: note.cents,
    competencia: note.competence,
    descricao: note.description,
  };
}
