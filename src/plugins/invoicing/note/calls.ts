/**
 * The two effects that file with the authority: a note and its cancellation. Each leads its own request (`issue/issue.ts`,
 * `cancel/cancel.ts`).
 */
import type { EffectSpec } from "../../../plugin.ts";
import { invoicingContext } from "../context.ts";
import { invoiceCancel } from "../effects/invoice-cancel.ts";
import { invoiceIssue } from "../effects/invoice-issue.ts";
import { servicesOf } from "../services.ts";
import { lostCancel, performCancel } from "./cancel/cancel.ts";
import { isStuck, lostIssue, performIssue } from "./issue/issue.ts";
import { restsUnrecorded } from "./proof/unrecorded.ts";

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

export const calls: readonly EffectSpec[] = [issue, cancel];
