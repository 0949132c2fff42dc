/** Invoices as the bot knows them, and people's decisions about unknown ones: what operators may see and do, and its routes. */
import { Readable } from "node:stream";
import { z } from "zod";
import {
  ABSENT,
  type Account,
  AccountId,
  AccountPath,
  answerOf,
  type ApiRoute,
  type Context,
  declined,
  type Done,
  flag,
  isDay,
  type JsonObject,
  masked,
  NOT_FOUND,
  Reason,
  refuse,
  Rev,
  reveal,
  route,
  SENT,
  stale,
  type Store,
} from "../../../plugin.ts";
import { EXPORT_LIMIT } from "../book/note-book.ts";
import { sheetParts } from "../book/sheet.ts";
import { type Invoice, revOf } from "../note/invoice.ts";
import { openNotes } from "../note/open-notes.ts";
import { servicesOf } from "../services.ts";

/** Only the length and the alphabet: since 2026 the issuer's part may hold letters, and the worker checks the key itself. */
const ACCESS_KEY = /^(?:[0-9A-Za-z]{44}|[0-9A-Za-z]{50})$/;

const InvoicePath = z.object({ account: AccountId, id: z.string().min(1).max(300) });

/** Of the service. */
const Month = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/);

export const noteRoutes = (actions: NoteActions): readonly ApiRoute[] => [
  route({
    method: "GET",
    path: "/accounts/:id/reconciliation",
    summary:
      "A day's notes by their ends, and all that is open; `day` is the account's, default today",
    params: AccountPath,
    query: z.object({ day: z.string().refine(isDay, "a day, such as 2026-11-21").optional() }),
    handle: async ({ params, query }, { deps }) => {
      const found = await deps.accounts.get(params.id);
      return found ? actions.reconciliation(found.account, query.day) : NOT_FOUND;
    },
  }),
  route({
    method: "GET",
    path: "/invoices",
    summary: "Invoices, newest first",
    query: z.object({
      account: AccountId.optional(),
      month: Month.optional(),
      number: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional(),
      open: flag.describe(
        "only notes that a person may have to decide about: those without an end, and those issued without their access key; the longest waiting first; `month` and `number` do not count",
      ),
      reveal,
    }),
    deed: "invoices.reveal",
    handle: async ({ query }) => {
      const { month, number, open } = query;
      const items = await actions.invoices(query.account, { month, number, open });
      return { items: items.map((item) => masked(item, query.reveal)) };
    },
  }),
  route({
    method: "GET",
    path: "/invoices/:account/export",
    summary:
      "A month's notes as the accountant's table: CSV with `;`, decimal commas and whole documents",
    params: z.object({ account: AccountId }),
    query: z.object({ month: Month }),
    answers: "text/csv",
    deed: "invoices.export",
    handle: async ({ params: { account }, query: { month }, reply }, { deps }) => {
      if (!(await deps.accounts.get(account))) return NOT_FOUND;
      const parts = await actions.sheet(account, month);
      if (!parts) return refuse("TOO_MANY", "That month has more notes than one table holds.");
      // Half a table must not look like a whole one: what fails on the way breaks the connection off.
      void reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="notas-${month}.csv"`)
        .send(Readable.from(parts));
      return SENT;
    },
  }),
  route({
    method: "GET",
    path: "/invoices/:account/:id",
    summary: "One invoice",
    params: InvoicePath,
    query: z.object({ reveal }),
    deed: "invoices.reveal",
    handle: async ({ params, query }) => {
      const invoice = await actions.invoice(params);
      return invoice ? masked(invoice, query.reveal) : NOT_FOUND;
    },
  }),
  route({
    method: "POST",
    path: "/invoices/:account/:id/resolve",
    summary:
      "A person's decision about an invoice whose outcome is unknown; `not_issued` of one given up frees its sale",
    params: InvoicePath,
    body: z.object({
      decision: z.enum(["issued", "not_issued", "abandon"]),
      chave: z.string().regex(ACCESS_KEY).optional(),
      reason: Reason,
      rev: Rev,
    }),
    deed: "invoices.resolve",
    handle: async ({ params, body, actor }) => {
      const chave = body.chave ? { chave: body.chave } : {};
      const by = { actor, reason: body.reason, rev: body.rev, ...chave };
      return answerOf(await actions.resolveInvoice(params, body.decision, by));
    },
  }),
];

interface NoteRef {
  readonly account: string;
  readonly id: string;
}

export interface NoteActions {
  /**
   * The newest first. `month`: `YYYY-MM` of the service. `open`: those alone that have no end and that a person may have to
   * decide about, the longest waiting first.
   */
  invoices(
    account: string | undefined,
    query?: { readonly month?: string; readonly number?: string; readonly open?: boolean },
  ): Promise<readonly JsonObject[]>;
  invoice(ref: NoteRef): Promise<JsonObject | null>;
  /** The notes of a month (`YYYY-MM`) as CSV, a part after the other; null when there are more than one table holds. */
  sheet(account: string, month: string): Promise<AsyncIterable<string> | null>;
  /**
   * `rev`: the note's own, as the person saw it. `not_issued` has an open note sent once more; of one that was given up it says
   * that there is none: the record stays closed, its sale may be issued anew.
   */
  resolveInvoice(
    ref: NoteRef,
    decision: "issued" | "not_issued" | "abandon",
    by: {
      readonly actor: string;
      readonly reason: string;
      readonly rev: number;
      readonly chave?: string;
    },
  ): Promise<Done>;
  /** What became of a day's notes (`YYYY-MM-DD` of the account's zone, default today), and all that is open. */
  reconciliation(account: Account, day: string | undefined): Promise<JsonObject>;
}

/** Notes shown at once. */
const SHOWN = 500;
/** A note with what names the state it is in. */
const shown = (note: Invoice): JsonObject => ({ ...note, rev: revOf(note) });

export function noteActions(context: Context): NoteActions {
  const { store } = context;
  const services = servicesOf(context);
  return {
    async invoices(account, query = {}) {
      if (query.open === true) {
        const kept = { store, invoices: services.invoices };
        return (await openNotes(kept, account, SHOWN)).map(shown);
      }
      const accounts = account === undefined ? await accountIds(store) : [account];
      const pages = await Promise.all(
        accounts.map((id) => services.invoices.book.find(id, "all", query, { limit: SHOWN })),
      );
      return pages.flatMap((page) => page.notes.map(shown));
    },
    async invoice(ref) {
      const note = await services.invoices.get(ref.account, ref.id);
      return note && shown(note);
    },
    async sheet(account, month) {
      const { book } = services.invoices;
      const { parts, whole } = await book.parts(account, "all", { month }, EXPORT_LIMIT);
      return whole ? sheetParts(parts) : null;
    },
    async resolveInvoice(ref, decision, by) {
      const decided = await services.settling.decide(ref.account, ref.id, {
        decision,
        actor: by.actor,
        reason: by.reason,
        rev: by.rev,
        key: by.chave,
      });
      if (decided.ok) return { ok: true, detail: { state: decided.invoice.state } };
      if (decided.why === "unknown") return ABSENT;
      if (decided.why === "stale") {
        const { invoice } = decided;
        return stale(`The note is ${invoice.state} with`, revOf(invoice));
      }
      const why = {
        "not-open": "The note is settled already.",
        gone: "What asked for this note is erased with its person, so it cannot be sent again: close it as given up (abandon). Once it was looked up and does not exist, decide not_issued of it as it is then: its sale is free, and may be issued anew.",
        "under-way":
          "The request of this note is on its way still, also if it was given up: look it up once it is back.",
        answered:
          "The gateway said that this note was issued, and only its key was lost: look it up there and decide issued with its key. It is not sent again.",
        "key-missing": "An issued note needs its access key.",
        "key-mismatch": "That key is not of this issuer, month or form.",
        "key-unknown": "The authority knows no note of that key; look at it again.",
        "key-other": "That key is of another note: its value or its name is not this one's.",
        "key-refused":
          "The authority refused the note of that key, so it proves none. The note stays open: give the key of the one that was issued, or decide that none was.",
        "key-cancelled":
          "The note of that key was issued and cancelled since. The note stays open: close it as given up, or decide that none stands.",
        "key-processing": "The authority still works on the note of that key; look again later.",
        "lookup-failed": "Nobody answered about that key; nothing changed. Try again later.",
      }[decided.why];
      return declined(why, decided.why);
    },
    reconciliation: async (account, day) => ({ ...(await services.reports.of(account, day)) }),
  };
}

async function accountIds(store: Store): Promise<readonly string[]> {
  return (await store.documents.ids("accounts", { limit: 1_000 })).items;
}
