/** Everything a flow may ask the world for, by name. */
import { routes } from "../../gateway/index.ts";
import { messagesRecall } from "../backfill/recall.ts";
import { certificateEffects } from "../../plugins/invoicing/certificates/index.ts";
import { notesCancelled } from "../../plugins/invoicing/note/cancelled-elsewhere.ts";
import { issuerEffects, issuerRegister } from "../../plugins/invoicing/issuers/index.ts";
import { erase, exportCopy, overview, ready } from "../privacy/index.ts";
import { creditsResume, creditsState } from "./credits.ts";
import { customersFind, customersForget } from "../../plugins/invoicing/effects/customers.ts";
import { invoiceCancel } from "../../plugins/invoicing/effects/invoice-cancel.ts";
import { invoiceIssue } from "../../plugins/invoicing/effects/invoice-issue.ts";
import type { LocalSpec } from "./local.ts";
import { notesCancel } from "../../plugins/invoicing/effects/notes-cancel.ts";
import { notesDraft } from "../../plugins/invoicing/effects/notes-draft.ts";
import { notesFind } from "../../plugins/invoicing/effects/notes-find.ts";
import { notesMonth } from "../../plugins/invoicing/effects/notes-month.ts";
import { notesShare } from "../../plugins/invoicing/effects/notes-share.ts";
import { notesSimilar } from "../../plugins/invoicing/effects/notes-similar.ts";
import { notesSheet } from "../../plugins/invoicing/effects/notes-sheet.ts";
import { routeEffect } from "./route-effect.ts";
import type { EffectSpec } from "./spec.ts";
import { takersFind } from "../../plugins/invoicing/effects/takers.ts";

export const effects: ReadonlyMap<string, EffectSpec> = new Map(
  [invoiceIssue, invoiceCancel, issuerRegister, ...routes.map(routeEffect)].map((spec) => [
    spec.name,
    spec,
  ]),
);

/** What the house does itself, without the gateway. A new one is one file and one entry here. */
export const locals: ReadonlyMap<string, LocalSpec> = new Map(
  (
    [
      ...[overview, exportCopy, ready, erase],
      ...[
        notesFind,
        notesMonth,
        notesDraft,
        notesSheet,
        notesCancel,
        notesCancelled,
        notesShare,
        notesSimilar,
      ],
      ...[customersFind, customersForget, takersFind, creditsState, creditsResume],
      messagesRecall,
      ...[...issuerEffects, ...certificateEffects],
    ] as unknown as readonly LocalSpec[]
  ).map((spec) => [spec.name, spec]),
);

export { done, refused, type LocalSpec, type LocalWork } from "./local.ts";
export { INVOICE_CANCEL, CancelResult } from "../../plugins/invoicing/effects/invoice-cancel.ts";
export { CANCEL_CODES, CancelInput } from "../../plugins/invoicing/effects/cancel-input.ts";
export { INVOICE_ISSUE, IssueResult } from "../../plugins/invoicing/effects/invoice-issue.ts";
export { businessKey, rawNote } from "../../plugins/invoicing/effects/business-key.ts";
export {
  centsOf,
  dadosOf,
  INSTEAD_OF_ITEMS,
  IssueInput,
  termsOf,
  wordsOf,
  type IssueTerms,
} from "../../plugins/invoicing/effects/issue-input.ts";
export { issueWord, type IssueWord } from "../../plugins/invoicing/effects/words.ts";
export { httpCall, publicLookup } from "./own-http.ts";
export { type Own, type OwnCall, type OwnEffects, type OwnRequest, ownSpec } from "./own.ts";
export type { Answer, Asking, EffectSpec, JudgedSpec, PreparedCall } from "./spec.ts";
