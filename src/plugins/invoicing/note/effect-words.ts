/**
 * A person's word about an effect that rests: how it ended, or that it is given up. A note that has a record is decided by that
 * (`issue/settle.ts`).
 */
import {
  type CallEntry,
  type CallResult,
  type EffectView,
  entryOf,
  RATE_LIMITED,
  UNREADABLE,
  type WorkerHooks,
} from "../../../plugin.ts";
import { type InvoicingContext, invoicingContext } from "../context.ts";
import { CancelInput, INVOICE_CANCEL } from "../effects/cancel.ts";
import { INVOICE_ISSUE } from "../effects/invoice-issue.ts";
import { decidedRegistration, ISSUER_REGISTER } from "../issuers/register.ts";
import { uncertain } from "./issue/answer.ts";
import { freeSale, holdSale, settleSale } from "./issue/sale.ts";
import { closedUnrecorded, recordedAnew, unrecordedSale } from "./proof/unrecorded.ts";
import { endKeys, say } from "./cancel-record.ts";
import type { Invoice } from "./invoice.ts";
import { isCancelling } from "./life.ts";

type Decisions = NonNullable<WorkerHooks["decisions"]>;
type Decision = Parameters<NonNullable<Decisions["obstacle"]>>[2];
type Payload = { name?: string; work?: { frozen?: object } };

/** What people may say of notes and cancellations that rest, and of what cannot be opened and may be one. */
export const decisions: Decisions = {
  async obstacle(context, effect, decision) {
    if (mayBeNote(effect) && effect.state === "held")
      if (await isRecorded(invoicingContext(context), effect))
        return "A note is decided with `invoices resolve`, which checks its key first.";
    return obstacle(effect, decision);
  },
  before: (context, effect, word, reason) =>
    before(invoicingContext(context), effect, word, reason),
  after: (context, effect, word) => after(invoicingContext(context), effect, word),
};

/** What cannot be opened may be a request for a note. */
function mayBeNote({ class: callClass, payload }: EffectView): boolean {
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

/** Whether a request for a note has a record; a lost one is written anew where that can be done, and people are told. */
export async function isRecorded(context: InvoicingContext, effect: EffectView): Promise<boolean> {
  const { account, id } = effect;
  if (await context.invoices.ofEffect(account, id)) return true;
  const call = callOf(effect);
  const anew = call && (await recordedAnew(context, effect, call));
  if (!anew) return false;
  await uncertain(context, anew, "record_missing");
  return true;
}

/**
 * Before the effect goes: what another record has to say of it is written first. Answers what the flow that waits is told;
 * null: another word stands there already; undefined: it is none of this plugin.
 */
async function before(
  context: InvoicingContext,
  effect: EffectView,
  word: EffectWord,
  reason: string,
): Promise<CallResult | null | undefined> {
  const call = callOf(effect);
  if (call?.name === INVOICE_CANCEL) {
    const stands = await decidedCancel(context, effect, word);
    return stands ? cancelDecided(effect, word, reason) : null;
  }
  if (call?.name !== INVOICE_ISSUE) return undefined;
  const sale = await unrecordedSale(context, effect);
  // A process that dies before `after` leaves the sale to end with its window. One that dies before the effect went leaves
  // the effect held: `holdUnrecorded` takes that end back.
  if (sale) await context.store.keys.free(sale.account, sale.businessKey, effect.id, sale.window);
  return closedUnrecorded(context, effect, call, isUnsent(effect, word));
}

/** Of a held effect without a record: its sale stands until somebody decides. */
export async function holdUnrecorded(context: InvoicingContext, effect: EffectView): Promise<void> {
  const sale = await unrecordedSale(context, effect);
  if (!sale) return;
  await holdSale(context, sale);
  const { account, contact, id } = effect;
  const now = await context.store.views.effect({ account, contact, id });
  // Somebody decided since it was read: the sale ends with its window, as they left it. One that is sent again keeps the hold.
  if (!now) await context.store.keys.free(account, sale.businessKey, id, sale.window);
}

/** After it went: what was kept for it is free, or settled. */
async function after(
  context: InvoicingContext,
  effect: EffectView,
  word: EffectWord,
): Promise<void> {
  const call = callOf(effect);
  const sale = call?.name === INVOICE_ISSUE ? await unrecordedSale(context, effect) : null;
  if (sale && isUnsent(effect, word)) await freeSale(context, sale);
  else if (sale) await settleSale(context, sale);
  if (call?.name !== ISSUER_REGISTER) return;
  const of = { account: effect.account, effect: effect.id, input: call.input };
  // Given up, it may be asked for again: the gateway's list is looked at before anything is paid.
  await decidedRegistration(context, of, word === "done" ? "done" : "failed");
}

function callOf({ payload }: EffectView): CallEntry | null {
  const entry = entryOf(payload);
  return entry.type === "call" ? entry : null;
}

/** Whether a request for a note, closed by such a word, certainly became none. One that cannot be opened may have left. */
function isUnsent({ payload, reason }: EffectView, word: EffectWord): boolean {
  if (word === "failed") return true;
  return word === "discard" && reason !== UNREADABLE && entryOf(payload).work.frozen === undefined;
}

/** What a person may say of an effect that rests. */
type EffectWord = "done" | "failed" | "discard";

/**
 * A person said how a held one ended. To be called before its effect goes: were the record written afterwards, a crash in
 * between would leave the note uncertain for ever; now {@link repairCancel} ends what is left. False: another word stands
 * there already.
 */
async function decidedCancel(
  context: InvoicingContext,
  effect: EffectView,
  word: EffectWord,
): Promise<boolean> {
  const note = await noteOf(context, effect);
  return note === null || say(context, effect, note, eventOf(effect, word));
}

function eventOf(effect: EffectView, word: EffectWord) {
  if (word === "done") return "person.cancelled";
  return word === "failed" || neverLeft(effect) ? "person.kept" : "person.quit";
}

/**
 * Turned away unread, or not sent at all: whatever becomes of it, the note stands. Bytes that are kept tell of an attempt that
 * may have left, however the last one ended.
 */
function neverLeft({ payload }: EffectView): boolean {
  return entryOf(payload).work.frozen === undefined;
}

/** What the flow that waits is told of a person's word. `abandoned`: nobody knows whether the note is cancelled. */
function cancelDecided(effect: EffectView, word: EffectWord, text: string): CallResult {
  if (word === "done") return { outcome: "done", out: { number: "", text } };
  const code = word === "discard" && !neverLeft(effect) ? "abandoned" : "";
  return { outcome: "failed", out: { code, text } };
}

/** The record knows the end, the effect still rests: a crash between the two. */
export async function repairCancel(context: InvoicingContext, effect: EffectView): Promise<void> {
  const note = await noteOf(context, effect);
  if (!note?.cancel || isCancelling(note)) return;
  const { cancel } = note;
  // Whoever wrote it may have died before the note's keys were, and its sale.
  await endKeys(context, effect, note);
  const end = cancel.state === "cancelada" ? "done" : "failed";
  const word = cancel.givenUp === undefined ? end : "discard";
  const entry = entryOf(effect.payload);
  const waiter = entry.type === "call" ? entry.waiter : undefined;
  const { id, account, contact, rev } = effect;
  const result = cancelDecided(effect, word, "");
  const mail = waiter && { kind: "result" as const, effect: id, waiter, result };
  await context.store.effects.resolve({
    id,
    account,
    contact,
    rev,
    action: "finish",
    result: mail && { event: `r:${id}:decided`, mail },
  });
  context.wake("turns");
}

/** The note a held cancellation is about, while its record still says that it is this one's. */
async function noteOf(
  context: InvoicingContext,
  { id, account, payload }: EffectView,
): Promise<Invoice | null> {
  const entry = entryOf(payload);
  if (entry.type !== "call" || entry.name !== INVOICE_CANCEL) return null;
  const input = CancelInput.safeParse(entry.input).data;
  const note = input && (await context.invoices.get(account, input.note));
  return note?.cancel?.effect === id ? note : null;
}
