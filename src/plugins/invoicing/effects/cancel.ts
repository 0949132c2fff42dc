/**
 * `invoice.cancel`: asks the authority. Its life (key, record, the answer) is led by `../note/cancel.ts`.
 *
 * `notes.cancel`: records that somebody wants an issued note cancelled, and tells the business's people with a summary. The
 * note stands until they had it cancelled.
 *
 * `notes.cancelled`: somebody says that a note was cancelled outside, in the town's own system. For people of the business it is
 * looked up by its key, which is charged. What is not proved so is recorded as a wish, which people confirm, and they are told.
 */
import { z } from "zod";
import {
  done,
  formatBrl,
  refused,
  tellOperators,
  type CallResult,
  type EffectSpec,
  type JsonObject,
} from "../../../plugin.ts";
import { isSeen } from "../book/note-book.ts";
import { statusOf } from "../book/note-view.ts";
import { withWish } from "../note/cancel-record.ts";
import type { OwnSpec, Work } from "../context.ts";
import { type Asker, askerOf } from "./note-ask.ts";
import type { Invoice } from "../note/invoice.ts";
import { elsewhere } from "../note/proof/proved-key.ts";
import { provedBy } from "../note/proof/proving.ts";
import { knownCode } from "../fiscal/rejection.ts";

export const INVOICE_CANCEL = "invoice.cancel";

/** Reasons of the national cancellation event (101101), as flows name them. */
export const CANCEL_CODES = { error: "1", undone: "2", other: "9" } as const;

export const CancelInput = z.object({
  /** Id of the note's record. */
  note: z.string().max(64),
  reason: z.enum(["error", "undone", "other"]),
  why: z.string().min(15).max(255),
});
export type CancelInput = z.output<typeof CancelInput>;

const CancelResult = {
  done: z.object({ number: z.string(), text: z.string() }),
  rejected: z.object({ code: z.string(), text: z.string() }),
  /** `code` `waiting`: turned away unread by a rate limit; it goes later. */
  held: z.object({ code: z.string(), text: z.string() }),
  failed: z.object({ code: z.string(), text: z.string() }),
} as const;

export const invoiceCancel: EffectSpec = {
  name: INVOICE_CANCEL,
  class: "fiscal",
  version: 1,
  route: "invoicing.cancelamento",
  input: CancelInput,
  results: CancelResult,
  // The body needs the note's record; it is made where that is read.
  prepare: (input: JsonObject) =>
    CancelInput.safeParse(input).success ? { body: input, query: {} } : null,
  interpret: (answer): CallResult => {
    if (answer.kind === "done")
      return { outcome: "done", out: { answer: answer.data as CallResult["out"] } };
    const text = answer.message.slice(0, 300);
    return { outcome: "rejected", out: { code: knownCode(answer) ?? "", text } };
  },
};

export const notesCancel: OwnSpec<typeof CancelInput> = {
  name: "notes.cancel",
  class: "replace",
  version: 1,
  input: CancelInput,
  result: ["number", "code", "text"],
  async perform(work, { note: id, reason, why }) {
    const { context, account, begun } = work;
    const asker = await askerOf(work);
    const wish = {
      code: CANCEL_CODES[reason],
      why,
      contact: begun.contact,
      effect: begun.id,
      at: work.at,
    };
    const changed = await context.invoices.change(account.id, id, (note) =>
      isSeen(note, asker.viewer) ? withWish(note, { type: "cancel.wish" }, wish) : null,
    );
    const note = changed?.invoice;
    if (!note || !isSeen(note, asker.viewer)) return refused("unknown");
    // A repetition after a crash finds its own record, and tells again what the mailboxes know already.
    if (note.cancel?.effect !== begun.id) return refused(note.cancel ? "already" : "not_issued");
    const vars = {
      name: asker.name,
      number: note.number ?? "",
      value: formatBrl(note.cents),
      taker: note.taker.name,
      reason,
      why,
    };
    const mail = { kind: "notice", key: "cancel-asked", vars, fiscal: true } as const;
    await tellOperators(context, account, `${begun.id}:asked`, mail, begun.contact);
    return done({ number: note.number ?? "" });
  },
};

const Input = z.object({ note: z.string().max(64) });

/** `stands`: the authority calls it issued. `told`: nobody knows, people look. */
type How = "cancelled" | "stands" | "told";

export const notesCancelled: OwnSpec<typeof Input> = {
  name: "notes.cancelled",
  class: "replace",
  version: 1,
  input: Input,
  result: ["how", "number", "code", "text"],
  async perform(work, { note: id }) {
    const asker = await askerOf(work);
    const note = await work.context.invoices.get(work.account.id, id);
    if (!note || !isSeen(note, asker.viewer) || note.state !== "autorizada")
      return refused("unknown");
    const how = await found(work, asker, note);
    return done({ how, number: note.number ?? "" });
  },
};

async function found(work: Work, asker: Asker, note: Invoice): Promise<How> {
  if (statusOf(note) === "cancelada") return "cancelled";
  const proved = asker.role === "operator" ? await lookedUp(work, note) : "told";
  if (proved === "told") await recordWish(work, asker, note);
  if (proved === "cancelled") await record(work, note);
  return proved;
}

async function lookedUp({ context, begun }: Work, note: Invoice): Promise<How> {
  const claim = { sure: true, by: begun.contact };
  const proof = await provedBy(context, note, note.key, claim);
  if (proof.ok) return "stands";
  return proof.why === "key-cancelled" ? "cancelled" : "told";
}

/** As the authority says it: totals, second copies and lists follow the record. */
async function record({ context, account, at }: Work, note: Invoice): Promise<void> {
  await context.dailyCounters.note(account, "cancelled", note.id);
  await context.invoices.change(account.id, note.id, (now) =>
    withWish(now, { type: "cancel.elsewhere" }, elsewhere(now, at)),
  );
}

/** A wish that somebody had before stays theirs. */
async function recordWish(work: Work, asker: Asker, note: Invoice): Promise<void> {
  const { context, account, begun, at } = work;
  const { locale } = note;
  const wish = elsewhere({ locale, contact: begun.contact, effect: begun.id }, at);
  await context.invoices.change(account.id, note.id, (now) =>
    withWish(now, { type: "cancel.wish" }, wish),
  );
  const vars = {
    name: asker.name,
    number: note.number ?? "",
    value: formatBrl(note.cents),
    taker: note.taker.name,
  };
  const mail = { kind: "notice", key: "cancel-told", vars, fiscal: true } as const;
  await tellOperators(context, account, `${begun.id}:told`, mail, begun.contact);
}
