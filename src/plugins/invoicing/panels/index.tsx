/** The invoice parts of the console: the list of invoices, and those without an end, which wait for a person. */
import type { OpenPanels } from "prosa/plugin";
import { adviceOf } from "./invoices.ts";
import { invoiceList } from "./invoice-list.tsx";
import { openInvoices } from "./open-invoices.tsx";
import "./style.css";
import { PORTUGUESE, ENGLISH } from "./texts.ts";

const ISSUE = "invoicing.nfseEnvio";

const fault = (name: string, kind: string) => ({
  name: `fault.${name}`,
  hint: `fault.${name}.hint`,
  fault: { route: ISSUE, effect: { kind }, times: 1 },
});

const open: OpenPanels = (kit) => ({
  texts: { "pt-BR": PORTUGUESE, en: ENGLISH },
  panels: [invoiceList(kit)],
  waiting: { ...openInvoices(kit), ofEffect: adviceOf },
  suggestions: ["chat.suggest.invoice"],
  faults: [
    fault("lost", "accepted_then_lost"),
    fault("reject", "business_error"),
    fault("balance", "no_balance"),
  ],
});

export default open;
