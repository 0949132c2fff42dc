/**
 * The reconciliation of one day: what the store knows of it, and all that is open. Numbers and short codes only, no
 * person's data: it goes to phones. Pure.
 */
import { z } from "zod";
import { type Account, addDays, instantOf, type Notice, type Usage } from "../../../plugin.ts";
import type { Deed } from "./daily-counters.ts";
import { supportCode } from "../note/invoice-answer.ts";
import { type Invoice, InvoiceState } from "../note/invoice.ts";

/** Open notes that are named; beyond it only their number is told. */
const NAMED = 50;
/** An open note younger than this is just on its way. Virtual ms. */
const YOUNG_MS = 3_600_000;
/** Of the plan's calls. */
const MUCH = 0.8;

/** Money of notes in cents, of calls in BRL. Times are ms. */
export const Reconciliation = z.object({
  account: z.string(),
  /** `YYYY-MM-DD` in the account's zone. */
  day: z.string(),
  zone: z.string(),
  from: z.number(),
  to: z.number(),
  madeAt: z.number(),
  issued: z.object({ count: z.number(), cents: z.number() }),
  refused: z.object({ count: z.number(), codes: z.record(z.string(), z.number()) }),
  abandoned: z.number(),
  /** Sales asked for twice, of which the second was not sent. */
  blocked: z.number(),
  /** Notices of the issuer about notes that have no record here. */
  unmatched: z.number(),
  /** Cancellations the issuer told of. */
  cancelled: z.number(),
  /** Notes of which the issuer told another end than they have here. */
  contradicted: z.number(),
  /** Everything without an end when this was made, oldest first. */
  open: z.object({
    counts: z.record(z.string(), z.number()),
    /** Of them without an end for more than an hour. */
    old: z.number(),
    /** Minutes the oldest of each state has been in it. */
    oldest: z.record(z.string(), z.number()),
    notes: z.array(
      z.object({
        id: z.string(),
        support: z.string(),
        state: InvoiceState,
        cents: z.number(),
        minutes: z.number(),
      }),
    ),
  }),
  /** The month so far, with what calls of unknown end may have cost (`unsure`). */
  usage: z.json(),
  /** The store moved or came back from a copy on that day: notes of it may lack here. */
  moved: z.boolean().default(false),
  needsSomebody: z.boolean(),
});
export type Reconciliation = z.output<typeof Reconciliation>;

/** A day's span in the account's zone, ms. */
export function spanOf(day: string, zone: string): { readonly from: number; readonly to: number } {
  return {
    from: instantOf(day, "00:00:00", zone),
    to: instantOf(addDays(day, 1), "00:00:00", zone),
  };
}

interface Facts {
  readonly account: Pick<Account, "id" | "zone">;
  readonly day: string;
  readonly now: number;
  /** Those that ended on the day, and all without an end. */
  readonly invoices: readonly Invoice[];
  readonly deeds: Readonly<Record<Deed, number>>;
  readonly usage: Usage;
  readonly moved: boolean;
}

export function reconcile({
  account,
  day,
  now,
  invoices,
  deeds,
  usage,
  moved,
}: Facts): Reconciliation {
  const { from, to } = spanOf(day, account.zone);
  const ended = invoices.filter(({ settledAt = 0 }) => settledAt >= from && settledAt < to);
  const of = (state: InvoiceState) => ended.filter((invoice) => invoice.state === state);
  const issued = of("autorizada");
  const refused = of("rejeitada");
  const open = invoices
    .filter((invoice) => isOpen(invoice))
    .map((invoice) => ({ invoice, since: sinceOf(invoice) }))
    .sort((a, b) => a.since - b.since);
  const old = open.filter(({ since }) => now - since >= YOUNG_MS).length;
  const minutesOf = (since: number) => Math.max(0, Math.floor((now - since) / 60_000));
  // Of several of one state the last one written stands: the oldest.
  const oldest = open.map(({ invoice, since }) => [invoice.state, minutesOf(since)] as const);
  return {
    account: account.id,
    day,
    zone: account.zone,
    from,
    to,
    madeAt: now,
    issued: { count: issued.length, cents: issued.reduce((sum, { cents }) => sum + cents, 0) },
    refused: { count: refused.length, codes: tally(refused.map((one) => one.reason?.code ?? "")) },
    abandoned: of("abandonada").length,
    ...deeds,
    open: {
      counts: tally(open.map(({ invoice }) => invoice.state)),
      old,
      oldest: Object.fromEntries(oldest.reverse()),
      notes: open.slice(0, NAMED).map(({ invoice, since }) => ({
        id: invoice.id,
        support: supportCode(invoice),
        state: invoice.state,
        cents: invoice.cents,
        minutes: minutesOf(since),
      })),
    },
    usage: { ...usage },
    moved,
    needsSomebody:
      moved ||
      old > 0 ||
      refused.length > 0 ||
      deeds.blocked + deeds.unmatched + deeds.cancelled + deeds.contradicted > 0 ||
      usage.unsure > 0 ||
      usage.plan.used / usage.plan.max >= MUCH,
  };
}

export function isOpen({ state }: Pick<Invoice, "state">): boolean {
  return ["pendente", "enviando", "processando", "incerta"].includes(state);
}

/** Since when a note is in the state it is in. */
function sinceOf({ history, state, createdAt }: Invoice): number {
  let since = createdAt;
  for (const step of history) if (step.state === state) since = step.at;
  return since;
}

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** The report as one message: what there is nothing of is not said. */
export function noticeOf(report: Reconciliation, usage: Usage): Notice {
  const { issued, refused, open, blocked, unmatched, cancelled, contradicted } = report;
  const { incerta = 0, processando = 0, pendente = 0, enviando = 0 } = open.counts;
  const hoursOf = (state: InvoiceState) => Math.floor((open.oldest[state] ?? 0) / 60);
  const lines: NonNullable<Notice["lines"]> = [
    { key: issued.count > 0 ? "report-issued" : "report-none", vars: { ...issued } },
  ];
  if (report.moved) lines.push({ key: "report-moved", vars: {} });
  const add = (count: number, key: string, vars: Notice["vars"] = {}) => {
    if (count > 0) lines.push({ key, vars: { count, ...vars } });
  };
  add(refused.count, "report-refused");
  add(cancelled, "report-cancelled");
  add(incerta, "report-uncertain", { hours: hoursOf("incerta") });
  add(processando + enviando, "report-processing");
  add(pendente, "report-waiting", { hours: hoursOf("pendente") });
  add(contradicted, "report-contradicted");
  add(blocked, "report-blocked");
  add(unmatched, "report-unmatched");
  add(usage.unsure > 0 ? 1 : 0, "report-unsure", { cents: Math.round(usage.unsure * 100) });
  const { plan, balance } = usage;
  lines.push({
    key: balance === undefined ? "report-plan" : "report-plan-balance",
    vars: { used: plan.used, max: plan.max, balance: Math.round((balance ?? 0) * 100) },
  });
  return { kind: "notice", key: "report", vars: { day: report.day }, lines };
}
