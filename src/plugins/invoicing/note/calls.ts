/** The two effects that file with the authority: a note and its cancellation. Each leads its own request (`issue.ts`, `cancel.ts`). */
import {
  type EffectSpec,
  type EffectView,
  RATE_LIMITED,
  type WorkerHooks,
} from "../../../plugin.ts";
import { invoicingContext } from "../context.ts";
import { INVOICE_CANCEL, invoiceCancel } from "../effects/invoice-cancel.ts";
import { INVOICE_ISSUE, invoiceIssue } from "../effects/invoice-issue.ts";
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

type Decisions = NonNullable<WorkerHooks["decisions"]>;
type Decision = Parameters<NonNullable<Decisions["obstacle"]>>[2];
type Payload = { name?: string; work?: { frozen?: object } };

/** What people may say of notes and cancellations that rest, and of what cannot be opened and may be one. */
export const decisions: Decisions = {
  async obstacle(context, effect, decision) {
    const { words } = servicesOf(context).settling;
    if (isNote(effect) && effect.state === "held" && (await words.isRecorded(effect)))
      return "A note is decided with `invoices resolve`, which checks its key first.";
    return obstacle(effect, decision);
  },
  before: (context, effect, decision, reason) =>
    servicesOf(context).settling.words.before(effect, decision, reason),
  after: (context, effect, decision) => servicesOf(context).settling.words.after(effect, decision),
};

/** A request for a note; what cannot be opened may be one. */
function isNote({ class: callClass, payload }: EffectView): boolean {
  const { name } = payload as Payload;
  return callClass === "fiscal" && (name === undefined || name === INVOICE_ISSUE);
}

/** A note that comes here has no record. */
function obstacle(effect: EffectView, decision: Decision): string | null | undefined {
  const { name, work } = effect.payload as Payload;
  const isUnsent = work?.frozen === undefined;
  // Turned away unread, it may go: nothing of it is at the authority.
  if (name === INVOICE_CANCEL && effect.reason === RATE_LIMITED && isUnsent) return null;
  if (name !== INVOICE_ISSUE) return undefined;
  if (decision === "done")
    return "This note has no record that a key could be checked against. Look it up at the authority, then resolve it as failed, or discard it and say what you found.";
  return decision === "retry" && !isUnsent
    ? "It may have left, and its record cannot be made again: its company or its service is not in the account any more. Look it up at the authority, then resolve it as failed, or discard it."
    : null;
}
