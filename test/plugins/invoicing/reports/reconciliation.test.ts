/** What the day's report says of notes without an end: pure, from the notes to the lines. */
import { describe, expect, test } from "vitest";
import type { Invoice } from "../../../../src/plugins/invoicing/note/invoice.ts";
import type { Reconciliation } from "../../../../src/plugins/invoicing/reports/reconciliation.ts";
import { noticeOf, reconcile } from "../../../../src/plugins/invoicing/reports/reconciliation.ts";
import type { Usage } from "../../../../src/worker/alarms/sums.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-20T12:00:00-03:00");
const USAGE = { unsure: 0, plan: { used: 0, max: 1_000 } } as Usage;

const notes = (count: number, state: Invoice["state"], hours: number) =>
  Array.from({ length: count }, (_, index) => {
    const at = NOW - hours * HOUR;
    const history = [{ at, state, by: "worker" }];
    return { id: `${state}${index}`, state, cents: 100, createdAt: at, history } as never;
  });

const reportOf = (...invoices: readonly Invoice[]) =>
  reconcile({
    ...{ account: { id: "demo", zone: "America/Sao_Paulo" }, day: "2026-11-20", now: NOW },
    ...{ invoices, usage: USAGE, moved: false },
    deeds: { blocked: 0, unmatched: 0, cancelled: 0, contradicted: 0 },
  });

/** Count and hours of a line. */
const lineOf = (report: Reconciliation, name: string) => {
  const { lines = [] } = noticeOf(report, USAGE);
  return lines.find(({ key }) => key === name)?.vars;
};

describe("how long the oldest note has been", () => {
  test("in the queue is told of those in the queue, not of an older one that left it", () => {
    const report = reportOf(...notes(1, "incerta", 48), ...notes(2, "pendente", 1.5));

    expect(lineOf(report, "report-waiting")).toEqual({ count: 2, hours: 1 });
    expect(lineOf(report, "report-uncertain")).toEqual({ count: 1, hours: 48 });
  });

  test("is told also where more older ones are open than the report names", () => {
    const report = reportOf(...notes(60, "processando", 72), ...notes(1, "pendente", 30));

    expect(report.open.notes.some(({ state }) => state === "pendente")).toBe(false);
    expect(lineOf(report, "report-waiting")).toEqual({ count: 1, hours: 30 });
  });
});
