/** Brazilian service invoices (NFS-e) by chat, imported as `prosa/invoicing`. */
import type { Plugin } from "../../plugin.ts";
import { accountSection } from "./account.ts";
import { documents } from "./book/documents.ts";
import { CERTIFICATE_UPLOADED } from "./certificates/certificates.ts";
import { alarms, chores, metrics } from "./chores.ts";
import { effects } from "./effects/index.ts";
import { rehearsal } from "./rehearsal.ts";
import { commands } from "./commands.ts";
import { decisions } from "./note/effect-words.ts";
import { noteKind } from "./talk/note-wish.ts";
import { invoicingReader } from "./talk/reader.ts";
import { ENGLISH } from "./texts.en.ts";
import { PORTUGUESE } from "./texts.pt-BR.ts";
import { servicesOf } from "./services.ts";
import { noteActions, noteRoutes } from "./http/notes.ts";
import { uploadRoutes } from "./http/uploads.ts";

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
