/** What the routes, pages and webhooks of this plugin work with: the services of one worker. */
import type { Context } from "../../plugin.ts";
import { type InvoicingContext, invoicingContext } from "./context.ts";
import { Settling } from "./note/issue/settle.ts";
import { Reports } from "./reports/reports.ts";

export interface Services extends Pick<InvoicingContext, "invoices" | "certificates"> {
  /** Ends of notes that come from outside: notices, lookups, people's decisions. */
  readonly settling: Settling;
  /** Daily reports, and what became of a day's notes and what is open. */
  readonly reports: Reports;
}

/** `context`: of the worker (`worker.context`). The same object each time. */
export function servicesOf(context: Context): Services {
  return context.use(open);
}

function open(context: Context): Services {
  const invoicing = invoicingContext(context);
  const { invoices, certificates } = invoicing;
  return {
    invoices,
    certificates,
    settling: new Settling(invoicing),
    reports: new Reports(invoicing),
  };
}
