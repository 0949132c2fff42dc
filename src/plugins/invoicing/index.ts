/** Brazilian service invoices (NFS-e) by chat, imported as `prosa/invoicing`. */
import type { Plugin, WorkerHooks } from "../../plugin.ts";
import { accountSection } from "./account.ts";
import { documents } from "./book/documents.ts";
import { CERTIFICATE_UPLOADED } from "./certificates/certificates.ts";
import { effects } from "./effects/index.ts";
import { rehearsal } from "./rehearsal.ts";
import { commands } from "./commands.ts";
import { decisions } from "./note/effect-words.ts";
import { noteKind } from "./talk/note-wish.ts";
import { invoicingReader } from "./talk/reader.ts";
import { PORTUGUESE, ENGLISH } from "./texts.ts";
import { servicesOf } from "./services.ts";
import { noteActions, noteRoutes } from "./http/notes.ts";
import { uploadRoutes } from "./http/uploads.ts";
import { invoicingContext } from "./context.ts";
import { NOTICES } from "./note/issue/settle.ts";
import { alarmStuck, alarmExpiring } from "./reports/alarms.ts";

export type { InvoicingEffects, NoteDraft, NoteView } from "./effects/effect-types.ts";

/** `export default defineBot({ plugins: [invoicing()] })`. What it settles for each business is a part of the account. */
export function invoicing(): Plugin {
  return {
    name: "invoicing",
    account: accountSection,
    texts: { "pt-BR": PORTUGUESE, en: ENGLISH },
    kinds: [noteKind],
    events: [CERTIFICATE_UPLOADED],
    readers: [invoicingReader],
    effects,
    documents,
    chores,
    alarms,
    decisions,
    metrics,
    commands,
    rehearsal,
    panels: new URL("./panels/index.tsx", import.meta.url),
    routes: (context) => noteRoutes(noteActions(context)),
    pages: (context) => (app, about) =>
      uploadRoutes(app, { ...about, uploads: servicesOf(context).certificates }),
    webhooks: (context) => ({
      // A claim: it is settled once the key is checked.
      async invoicing(account, body) {
        await servicesOf(context).settling.fromWebhook(account.id, body);
      },
    }),
  };
}

/** What this plugin looks after by the clock. */
const chores: NonNullable<WorkerHooks["chores"]> = [
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

/** Alarms that phones are told of. */
const alarms: NonNullable<WorkerHooks["alarms"]> = {
  "invoice.stuck": { key: "alarm-invoice-stuck", fiscal: true },
  "invoice.unproven": { key: "alarm-invoice-unproven", fiscal: true },
  "invoice.contradicted": { key: "alarm-invoice-contradicted", fiscal: true },
  "certificate.expiring": { key: "alarm-certificate" },
  "certificate.expired": { key: "alarm-certificate-over" },
  "issuer.unkept": { key: "alarm-issuer-unkept" },
};

const metrics: NonNullable<WorkerHooks["metrics"]> = [
  {
    name: NOTICES,
    help: "Notices of the issuer's webhook by what became of them",
    labels: ["end"],
  },
];
