/** The worker's context with what this plugin keeps for it. Opened once for each worker. */
import type { z } from "zod";
import type { Context, Ending, LocalSpec, LocalWork } from "../../plugin.ts";
import { Certificates } from "./certificates/certificates.ts";
import { DailyCounters } from "./reports/daily-counters.ts";
import { Invoices } from "./note/invoices.ts";

export interface InvoicingContext extends Context {
  readonly invoices: Invoices;
  /** One-time pages and what they bring. */
  readonly certificates: Certificates;
  readonly dailyCounters: DailyCounters;
}

export function invoicingContext(context: Context): InvoicingContext {
  return context.use(open);
}

function open(context: Context): InvoicingContext {
  return {
    ...context,
    invoices: new Invoices(context.store, context.keys),
    certificates: new Certificates(context),
    dailyCounters: new DailyCounters(context.store, context.keys, () => context.clock.now()),
  };
}

export type Work = Omit<LocalWork, "context"> & { readonly context: InvoicingContext };

/** An effect that is done with the services of this plugin. */
export type OwnSpec<I extends z.ZodObject = z.ZodObject> = Omit<LocalSpec<I>, "perform"> & {
  perform(work: Work, input: z.output<I>): Promise<Ending | null>;
};

/** The same as the worker knows it. */
export function withServices<I extends z.ZodObject>(spec: OwnSpec<I>): LocalSpec {
  const perform: LocalSpec<I>["perform"] = (work, input) =>
    spec.perform({ ...work, context: invoicingContext(work.context) }, input);
  return { ...spec, perform };
}
