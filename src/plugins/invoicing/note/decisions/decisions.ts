/** What people may say of notes and cancellations that rest, and of what cannot be opened and may be one. */
import { type EffectView, RATE_LIMITED, type WorkerHooks } from "../../../../plugin.ts";
import { INVOICE_CANCEL } from "../../effects/invoice-cancel.ts";
import { INVOICE_ISSUE } from "../../effects/invoice-issue.ts";
import { servicesOf } from "../../services.ts";

type Decisions = NonNullable<WorkerHooks["decisions"]>;
type Decision = Parameters<NonNullable<Decisions["obstacle"]>>[2];
type Payload = { name?: string; work?: { frozen?: object } };

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
