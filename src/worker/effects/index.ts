/** Everything a flow may ask the world for, by name. */
import { routes } from "../../gateway/index.ts";
import { messagesRecall } from "../backfill/recall.ts";
import { certificateEffects } from "../certificates/index.ts";
import { notesCancelled } from "../invoices/cancelled-elsewhere.ts";
import { issuerEffects, issuerRegister } from "../issuers/index.ts";
import { erase, exportCopy, overview, ready } from "../privacy/index.ts";
import { creditsResume, creditsState } from "./credits.ts";
import { customersFind, customersForget } from "./customers.ts";
import { invoiceCancel } from "./invoice-cancel.ts";
import { invoiceIssue } from "./invoice-issue.ts";
import type { LocalSpec } from "./local.ts";
import { notesCancel } from "./notes-cancel.ts";
import { notesDraft } from "./notes-draft.ts";
import { notesFind } from "./notes-find.ts";
import { notesMonth } from "./notes-month.ts";
import { notesShare } from "./notes-share.ts";
import { notesSimilar } from "./notes-similar.ts";
import { notesSheet } from "./notes-sheet.ts";
import { routeEffect } from "./route-effect.ts";
import type { EffectSpec } from "./spec.ts";
import { takersFind } from "./takers.ts";

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
export { INVOICE_CANCEL, CancelResult } from "./invoice-cancel.ts";
export { CANCEL_CODES, CancelInput } from "./cancel-input.ts";
export { INVOICE_ISSUE, IssueResult } from "./invoice-issue.ts";
export { businessKey, rawNote } from "./business-key.ts";
export {
  centsOf,
  dadosOf,
  INSTEAD_OF_ITEMS,
  IssueInput,
  termsOf,
  wordsOf,
  type IssueTerms,
} from "./issue-input.ts";
export { issueWord, type IssueWord } from "./words.ts";
export { httpCall, publicLookup } from "./own-http.ts";
export { type Own, type OwnCall, type OwnEffects, type OwnRequest, ownSpec } from "./own.ts";
export type { Answer, Asking, EffectSpec, JudgedSpec, PreparedCall } from "./spec.ts";
