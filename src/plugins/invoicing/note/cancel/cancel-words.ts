/** A person's word about a cancellation that rests: that it happened, that it did not, that it is given up. */
import { type CallResult, type EffectView, entryOf } from "../../../../plugin.ts";
import type { InvoicingContext } from "../../context.ts";
import { CancelInput } from "../../effects/cancel-input.ts";
import { INVOICE_CANCEL } from "../../effects/invoice-cancel.ts";
import { endKeys, say } from "./cancel-record.ts";
import type { Invoice } from "../invoice.ts";
import { isCancelling } from "../life.ts";

/** What a person may say of an effect that rests. */
export type EffectWord = "done" | "failed" | "discard";

/**
 * A person said how a held one ended. To be called before its effect goes: were the record written afterwards, a crash in
 * between would leave the note uncertain for ever; now {@link repairCancel} ends what is left. False: another word stands
 * there already.
 */
export async function decidedCancel(
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
 * Turned away unread, or not sent at all: whatever becomes of it, the note stands. Bytes that are kept tell of an attempt that may have
 * left, however the last one ended.
 */
function neverLeft({ payload }: EffectView): boolean {
  return entryOf(payload).work.frozen === undefined;
}

/** What the flow that waits is told of a person's word. `abandoned`: nobody knows whether the note is cancelled. */
export function cancelDecided(effect: EffectView, word: EffectWord, text: string): CallResult {
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
    ...(mail ? { result: { event: `r:${id}:decided`, mail } } : {}),
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
