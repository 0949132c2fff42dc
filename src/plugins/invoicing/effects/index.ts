/** The effects of this plugin, as flows name them. A new one is one entry here. */
import type { EffectSpec, LocalSpec, WorkerHooks } from "../../../plugin.ts";
import { certificateEffects } from "../certificates/effects.ts";
import { invoicingContext, type OwnSpec, withServices } from "../context.ts";
import { issuerList, issuerShow, issuerUpdate } from "../issuers/issuer-effects.ts";
import { issuerRegister, registerByRoute } from "../issuers/register.ts";
import { notesCancel, notesCancelled, invoiceCancel } from "./cancel.ts";
import { customersFind, customersForget, takersFind } from "./customers.ts";
import { notesDraft, notesFind, notesSimilar } from "./notes-find.ts";
import { notesMonth, notesSheet } from "./notes-month.ts";
import { notesShare } from "./notes-share.ts";
import { invoiceIssue } from "./invoice-issue.ts";
import { servicesOf } from "../services.ts";
import { lostCancel, performCancel } from "../note/cancel.ts";
import { isStuck, lostIssue, performIssue } from "../note/issue/issue.ts";
import { restsUnrecorded } from "../note/proof/unrecorded.ts";

/** Files a note. It leads its own request, as the cancellation does. */
const issue: EffectSpec = {
  ...invoiceIssue,
  perform: (context, { begun, entry, account }) =>
    performIssue(invoicingContext(context), begun, entry, account),
  lost: (context, { begun, entry }) => lostIssue(invoicingContext(context), begun, entry),
  unhandled: (context, effect, mayHaveLeft) =>
    restsUnrecorded(invoicingContext(context), effect, mayHaveLeft),
  repair: (context, effect) => servicesOf(context).settling.repair(effect),
  isToldElsewhere: (context, effect) => isStuck(invoicingContext(context), effect),
  goesAgain: "all",
};

const cancel: EffectSpec = {
  ...invoiceCancel,
  perform: (context, { begun, entry, account, send }) =>
    performCancel(invoicingContext(context), begun, entry, account, send),
  lost: async (context, { begun, entry, judge }) =>
    lostCancel(invoicingContext(context), begun, entry, await judge()),
  unhandled: async (_context, _effect, mayHaveLeft) => ({
    outcome: "held",
    out: { code: mayHaveLeft ? "" : "waiting", text: "" },
  }),
  repair: (context, effect) => servicesOf(context).settling.repair(effect),
  // Asked for twice it is answered as what it is by then.
  goesAgain: "messages",
};

const OWN = [
  notesFind,
  notesMonth,
  notesDraft,
  notesSheet,
  notesCancel,
  notesCancelled,
  notesShare,
  notesSimilar,
  customersFind,
  customersForget,
  takersFind,
  ...certificateEffects,
] as unknown as readonly OwnSpec[];

const ISSUERS = [issuerList, issuerShow, issuerUpdate] as unknown as readonly LocalSpec[];

export const effects: NonNullable<WorkerHooks["effects"]> = [
  issue,
  cancel,
  issuerRegister,
  registerByRoute,
  ...ISSUERS,
  ...OWN.map(withServices),
];
