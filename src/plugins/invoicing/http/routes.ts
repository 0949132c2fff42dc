/** Invoices as the bot knows them, and people's decisions about unknown ones. */
import { Readable } from "node:stream";
import { z } from "zod";
import {
  AccountId,
  AccountPath,
  answerOf,
  type ApiRoute,
  flag,
  isDay,
  masked,
  NOT_FOUND,
  Reason,
  refuse,
  Rev,
  reveal,
  route,
  SENT,
} from "../../../plugin.ts";
import type { NoteActions } from "./actions.ts";

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
      const items = await actions.invoices(query.account, {
        ...(month === undefined ? {} : { month }),
        ...(number === undefined ? {} : { number }),
        ...(open ? { open } : {}),
      });
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
