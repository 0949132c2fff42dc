/**
 * `invoice.cancel`: an issued note's fiscal cancellation, asked for once. One key per note, claimed before anything leaves, so
 * that two people who want the same do it once; what was sent without an answer is `incerta` and never sent again by a machine.
 */
import {
  type Account,
  type Begun,
  type CallEntry,
  done,
  type Ending,
  type Mail,
  payloadOf,
  type PreparedCall,
  RATE_LIMITED,
  refused,
  type Session,
} from "../../../plugin.ts";
import type { InvoicingContext } from "../context.ts";
import { CANCEL_CODES, CancelInput } from "../effects/cancel.ts";
import { noteFacts, saysAlready, saysCancelled, saysReplaced } from "./invoice-answer.ts";
import { endKeys, freeKey, keyOf, say, withWish } from "./cancel-record.ts";
import type { Invoice } from "./invoice.ts";
import { can, isCancelling } from "./life.ts";
import { written } from "./issue/answer.ts";
import { invoicingOf } from "../account.ts";

/** One attempt; `send` makes the call. Null = the effect is somebody else's by now. */
export async function performCancel(
  context: InvoicingContext,
  begun: Begun,
  entry: CallEntry,
  account: Account,
  send: (call: PreparedCall) => Promise<Ending | null>,
): Promise<Ending | null> {
  const input = CancelInput.safeParse(entry.input).data;
  const note = input && (await context.invoices.get(account.id, input.note));
  if (!input || !note) return refused("unknown");
  const end = await knownEnd(context, begun, note);
  if (end) return end;
  // Bytes that are frozen passed these before, and may have left.
  const no = entry.work.frozen ? null : await obstacle(context, { begun, entry }, account, note);
  if (no) return turnedDown(context, begun, entry, note, no);
  const key = keyOf(context, note);
  const claimed = await context.store.keys.claim(account.id, key, begun.id);
  if (!claimed.ok) return refused("already");
  const set = await context.invoices.change(account.id, note.id, (now) =>
    withWish(now, asking(begun, entry), {
      code: CANCEL_CODES[input.reason],
      why: input.why,
      contact: begun.contact,
      effect: begun.id,
      at: context.clock.now(),
    }),
  );
  // Who took its effect over, or a later wish, wrote it while this process stood still.
  if (!set?.changed) return null;
  const ending = await send({
    body: {
      emitente_id: note.issuer.emitente_id,
      chave: note.key ?? "",
      codigo_motivo: CANCEL_CODES[input.reason],
      motivo: input.why,
      ...(account.homolog ? { homolog: true } : {}),
    },
    query: {},
  });
  const { frozen } = entry.work;
  return (
    ending && written(() => conclude(context, begun, set.invoice, ending, frozen === undefined))
  );
}

/** What a dead process left: it may have left, so nobody sends it again. */
export async function lostCancel(
  context: InvoicingContext,
  begun: Begun,
  entry: CallEntry,
  ending: Ending,
): Promise<Ending> {
  const input = CancelInput.safeParse(entry.input).data;
  const note = input && (await context.invoices.get(begun.account, input.note));
  if (!note) return ending;
  return (await knownEnd(context, begun, note)) ?? conclude(context, begun, note, ending);
}

/**
 * The end that its record knows already: the answer had arrived and only its telling was lost, or a person said it at the very
 * moment it was let go. Null: it has none.
 */
async function knownEnd(
  context: InvoicingContext,
  begun: Begun,
  note: Invoice,
): Promise<Ending | null> {
  const { cancel } = note;
  if (cancel?.effect !== begun.id) return null;
  if (cancel.state !== "cancelada" && cancel.state !== "recusada") return null;
  // Its process may have died before the note's keys were.
  await endKeys(context, begun, note);
  return cancel.state === "cancelada" ? cancelled(note) : refused("refused", cancel.text);
}

/**
 * What waited meets what it did not meet at first: its wish ends with it, and the note is free to be asked for again. Null: it
 * is somebody else's by now, and may have left.
 */
async function turnedDown(
  context: InvoicingContext,
  begun: Begun,
  entry: CallEntry,
  note: Invoice,
  code: string,
): Promise<Ending | null> {
  const { id, account, contact, token } = begun;
  // Ours still, after the record was read: who takes it over from now on writes the record anew, and is not overwritten.
  const isOurs = await context.store.effects.amend({
    id,
    account,
    contact,
    token,
    payload: payloadOf(entry),
  });
  if (!isOurs) return null;
  if (note.cancel?.effect === id && isCancelling(note))
    return (await say(context, begun, note, "cancel.close")) ? refused(code) : null;
  // Its process may have died between the key and the record.
  await freeKey(context, begun, note);
  return refused(code);
}

function asking({ id }: Begun, { work }: CallEntry) {
  return { type: "cancel.ask", effect: id, isFrozen: work.frozen !== undefined } as const;
}

async function obstacle(
  context: InvoicingContext,
  { begun, entry }: { readonly begun: Begun; readonly entry: CallEntry },
  account: Account,
  note: Invoice,
): Promise<string | null> {
  const view = await context.store.views.session(begun.account, begun.contact);
  const role = (view?.session as Partial<Session> | null | undefined)?.role;
  if (role !== "operator") return "not_allowed";
  if (invoicingOf(account).cancelTipo === undefined) return "not_available";
  if (note.state !== "autorizada" || note.key === undefined) return "not_issued";
  if (note.cancel?.effect === begun.id) return null;
  return can(note, asking(begun, entry)) ? null : "already";
}

/** `isFirst`: no attempt before it can have left. */
async function conclude(
  context: InvoicingContext,
  begun: Begun,
  note: Invoice,
  ending: Ending,
  isFirst = false,
): Promise<Ending> {
  const { result } = ending;
  switch (ending.outcome.kind) {
    case "done": {
      const answer = result?.out["answer"] ?? null;
      const facts = noteFacts(answer);
      if (saysCancelled(answer)) {
        await say(context, begun, note, "cancel.confirmed");
        return { ...ending, ...cancelled(note) };
      }
      // The key is the note's own: what failed is its cancellation.
      if (facts.status === "rejeitada" || facts.status === "incerta") {
        const text = (facts.error?.message ?? "").slice(0, 300);
        if (saysAlready(text)) return wasCancelled(context, begun, note, text);
        await say(context, begun, note, "cancel.refused", text);
        return refused(facts.error?.code ?? "refused", text);
      }
      // Taken in, and not said to be cancelled: a person looks it up.
      return unclear(context, begun, note, "unconfirmed");
    }
    case "failed": {
      const said = result?.out["text"];
      const text = typeof said === "string" ? said.slice(0, 300) : "";
      if (saysAlready(text)) return wasCancelled(context, begun, note, text);
      await say(context, begun, note, "cancel.refused", text);
      return ending;
    }
    case "held":
      if (ending.outcome.reason !== RATE_LIMITED || !isFirst)
        return unclear(context, begun, note, ending.outcome.reason);
      // Turned away unread: nothing is uncertain, it was asked for and not sent.
      await say(context, begun, note, "cancel.limited");
      return { ...ending, result: { outcome: "held", out: { code: "waiting", text: "" } } };
    default:
      return ending;
  }
}

/**
 * A second try of one whose answer was lost, or somebody did it in the town's own system: the note does not stand. Where they
 * replaced it there, its sale has a note that does.
 */
async function wasCancelled(
  context: InvoicingContext,
  begun: Begun,
  note: Invoice,
  text: string,
): Promise<Ending> {
  await say(context, begun, note, saysReplaced(text) ? "cancel.replaced" : "cancel.confirmed");
  return { ...cancelled(note), line: { reason: "cancelled_before" } };
}

function cancelled({ number = "" }: Invoice): Ending {
  return done({ number, text: "" });
}

async function unclear(
  context: InvoicingContext,
  begun: Begun,
  note: Invoice,
  reason: string,
): Promise<Ending> {
  const isSo = await say(context, begun, note, "cancel.lose");
  if (isSo && note.cancel?.waited) await tellUnclear(context, begun, note);
  return {
    outcome: { kind: "held", reason },
    result: { outcome: "held", out: { code: "", text: "" } },
    line: { reason },
  };
}

/** The flow has told that it waits and hears no second `held`: whoever asked would believe that the note stands. Once. */
async function tellUnclear(
  { store, wake }: InvoicingContext,
  { id, account, contact }: Begun,
  { number = "" }: Invoice,
): Promise<void> {
  const mail: Mail = { kind: "notice", key: "cancel-uncertain", vars: { number }, fiscal: true };
  await store.mail.accept([{ account, contact, event: `${id}:uncertain`, mail }]);
  wake("turns");
}
