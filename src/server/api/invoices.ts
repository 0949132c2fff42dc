/** Invoices as the bot knows them, and people's decisions about unknown ones. */
import { z } from "zod";
import { masked } from "../mask.ts";
import { NOT_FOUND } from "../problem.ts";
import { answerOf } from "./outbox.ts";
import { AccountId, Reason, reveal } from "./shapes.ts";
import { route, type ApiRoute } from "./route.ts";

/** Only the length and the alphabet: since 2026 the issuer's part may hold letters, and the worker checks the key itself. */
const ACCESS_KEY = /^(?:[0-9A-Za-z]{44}|[0-9A-Za-z]{50})$/;

const InvoicePath = z.object({ account: AccountId, id: z.string().min(1).max(300) });

export const invoiceRoutes: readonly ApiRoute[] = [
  route({
    method: "GET",
    path: "/invoices",
    summary: "Invoices, newest first",
    query: z.object({
      account: AccountId.optional(),
      month: z
        .string()
        .regex(/^\d{4}-\d{2}$/)
        .optional(),
      number: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional(),
      reveal,
    }),
    deed: "invoices.reveal",
    handle: async ({ query }, { deps }) => {
      const { month, number } = query;
      const items = await deps.actions.invoices(query.account, {
        ...(month === undefined ? {} : { month }),
        ...(number === undefined ? {} : { number }),
      });
      return { items: items.map((item) => masked(item, query.reveal)) };
    },
  }),
  route({
    method: "GET",
    path: "/invoices/:account/:id",
    summary: "One invoice",
    params: InvoicePath,
    query: z.object({ reveal }),
    deed: "invoices.reveal",
    handle: async ({ params, query }, { deps }) => {
      const invoice = await deps.actions.invoice(params);
      return invoice ? masked(invoice, query.reveal) : NOT_FOUND;
    },
  }),
  route({
    method: "POST",
    path: "/invoices/:account/:id/resolve",
    summary: "A person's decision about an invoice whose outcome is unknown",
    params: InvoicePath,
    body: z.object({
      decision: z.enum(["issued", "not_issued", "abandon"]),
      chave: z.string().regex(ACCESS_KEY).optional(),
      reason: Reason,
    }),
    deed: "invoices.resolve",
    handle: async ({ params, body, actor }, { deps }) => {
      const chave = body.chave ? { chave: body.chave } : {};
      const by = { actor, reason: body.reason, ...chave };
      return answerOf(await deps.actions.resolveInvoice(params, body.decision, by));
    },
  }),
];
