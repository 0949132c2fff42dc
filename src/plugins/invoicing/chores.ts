/** What this plugin looks after by the clock, which of its alarms phones are told of, and what it counts. */
import type { WorkerHooks } from "../../plugin.ts";
import { alarmExpiring } from "./certificates/expiring.ts";
import { invoicingContext } from "./context.ts";
import { NOTICES } from "./note/issue/settle.ts";
import { alarmStuck } from "./reports/stuck.ts";
import { servicesOf } from "./services.ts";

export const chores: NonNullable<WorkerHooks["chores"]> = [
  {
    name: "notes without an end",
    run: (context, owner) => alarmStuck(invoicingContext(context), owner),
  },
  { name: "certificates that end", run: (context, owner) => alarmExpiring(context, owner) },
  { name: "daily reports", run: (context) => servicesOf(context).reports.round() },
  {
    name: "certificates on their way",
    run: (context) => invoicingContext(context).certificates.sweep().then(none),
  },
];

const none = () => 0;

export const alarms: NonNullable<WorkerHooks["alarms"]> = {
  "invoice.stuck": { key: "alarm-invoice-stuck", fiscal: true },
  "invoice.unproven": { key: "alarm-invoice-unproven", fiscal: true },
  "invoice.contradicted": { key: "alarm-invoice-contradicted", fiscal: true },
  "certificate.expiring": { key: "alarm-certificate" },
  "certificate.expired": { key: "alarm-certificate-over" },
  "issuer.unkept": { key: "alarm-issuer-unkept" },
};

export const metrics: NonNullable<WorkerHooks["metrics"]> = [
  {
    name: NOTICES,
    help: "Notices of the issuer's webhook by what became of them",
    labels: ["end"],
  },
];
