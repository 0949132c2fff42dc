/** What is said about notes beside flows, in English. */
import type { AddedTexts } from "../../plugin.ts";

export const ENGLISH: AddedTexts = {
  say: {
    "no-email":
      "I do not send e-mail, but the invoice comes here with a link that you can forward to whoever you like.",
    "not-about-notes":
      "I cannot answer that: I only take care of invoices here. To ask a person, write *agent*.",
    "note-later":
      "I cannot put an invoice off for another day. Just write to me then; to make it now, write *new invoice*.",
    "one-note":
      "I make one invoice at a time. Let us begin with the first; at the end, just ask for the other.",
    "cancel-invoice": "Cancelling an issued note takes a person of the business. I have told them.",
    "cancel-which":
      "Do you want to give up the request we are making now, or cancel an invoice that is already out? Answer *give up*, or *cancel invoice* with its number.",
    "cancel-asked":
      "{{name}} asks to *cancel invoice {{number}}* ({{value}}, for {{taker}}).\nReason: {{why}}\nIt still counts. Once it is cancelled in the town's system, tell the customer; if cancelling from here is set up, write *cancel invoice {{number}}*.",
    "cancel-told":
      "{{name}} says that *invoice {{number}}* ({{value}}, for {{taker}}) was cancelled in the town's system.\nHere it still stands as issued. Please check and confirm it in the console, or write *I cancelled invoice {{number}}* here, and I will look it up.",
    "cancel-uncertain":
      "I sent the cancellation of invoice *{{number}}* and got no confirmation. *I will not send it again*; please check in the town's system and record it in the console.",
    "note-waits": {
      by: "role",
      operator:
        "Issuing is stopped for now. This invoice waits in line: it goes out as soon as that is over, and I will tell you here. If the balance is used up, top it up and write *topped up*.",
      other:
        "Issuing is stopped for now, on the business's side. Your invoice waits in line: it goes out as soon as that is over, and I will tell you here. No need to ask again.",
    },
    "note-exists": {
      by: "numbered",
      yes: "The tax authority confirmed invoice *{{number}}* of {{value}}, which it had called not issued before: it *stands*. There is no need to ask again.\n{{link}}",
      other:
        "The tax authority confirmed the invoice of {{value}} that it had called not issued before: it *stands*. There is no need to ask again.\n{{link}}",
    },
    "note-not-taken": {
      by: "role",
      operator:
        "*I did not take* that other invoice: I make one at a time, and the one before it is not confirmed yet. Once it is out, send that one again. If the balance is used up, top it up and write *topped up*.",
      other:
        "*I did not take* that other invoice: I make one at a time, and the one before it is not confirmed yet. Once it is out, send that one again.",
    },
    "note-for-you":
      "Hello! {{business}} has sent you your invoice *{{number}}*, of {{value}}.\nKey: {{key}}\n{{link}}",
    "fiscal-held": {
      by: "code",
      uncertain:
        "Note asked for by {{name}}. {{text}} {{support}} Do not issue it again; follow it under Notes in the console.",
      other:
        "Note asked for by {{name}}. {{text}} Do not issue it again; follow it under Notes in the console.",
    },
    "town-words": "The town said: “{{words}}”",
    "support-code": "Code for support: *{{code}}*.",
    "fiscal-failed": "Note asked for by {{name}} without a confirmed issue. {{text}} {{support}}",
    "fiscal-rejected": "The note asked for by {{name}} was not issued. {{text}} {{support}}",
    "fiscal-done": {
      by: "own",
      true: "Note {{number}} issued for {{name}}.",
      other: "Note {{number}} issued for {{recipient}}, as {{name}} asked.",
    },
    "alarm-fiscal-waiting":
      "Requests to issue or cancel an invoice that have waited for more than an hour until a person decides: {{count}}. See Sends in the console.",
    "alarm-invoice-stuck":
      "Invoices being processed for more than an hour, without confirmation: {{count}}. Do not issue them again; decide under Sends in the console.",
    "alarm-invoice-unproven":
      "Notices about invoices that I could not confirm: {{count}}. See Invoices in the console.",
    "alarm-invoice-contradicted":
      "Invoices that exist at the tax authority although they were closed here: {{count}}. See Invoices in the console.",
    "alarm-certificate": {
      by: "days",
      one: "The certificate of {{company}} ends tomorrow. Without a new one no invoice can be issued; to send it, write *certificate*.",
      other:
        "The certificate of {{company}} ends in {{days}} days. To send the new one, write *certificate*.",
    },
    "alarm-certificate-over":
      "The certificate of {{company}} is over: invoices will be refused until there is a new one. To send it, write *certificate*.",
    "alarm-issuer-unkept":
      "A company was registered, but its id did not come. Add it in the console before you issue.",
    "report-none": "No invoice issued.",
    "report-issued": "Issued: {{count}}, {{cents | brl}} in all.",
    "report-moved":
      "The database moved or came back from a copy: invoices may be missing here. Compare with the tax authority.",
    "report-refused": "Not accepted by the town: {{count}}.",
    "report-cancelled": "Cancelled: {{count}}.",
    "report-uncertain":
      "Being processed, without confirmation: {{count}} (the oldest for {{hours}} h). Do not issue them again; see Invoices in the console.",
    "report-processing": "Being processed by the town: {{count}}.",
    "report-waiting": "In the queue, not sent yet: {{count}} (the oldest for {{hours}} h).",
    "report-contradicted":
      "Invoices that ended otherwise at the tax authority than here: {{count}}. See Invoices in the console.",
    "report-blocked": "Repeated requests that were not sent again: {{count}}.",
    "report-unmatched": "Notices of invoices nobody asked for here: {{count}}.",
  },
  bad: { note: { default: "I did not get which invoice. Could you send its number?" } },
};
