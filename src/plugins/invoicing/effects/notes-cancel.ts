/**
 * `notes.cancel`: records that somebody wants an issued note cancelled, and tells the business's people with a summary. The
 * note stands until they had it cancelled; `invoice.cancel` is what asks the authority.
 *
 * `notes.cancelled`: somebody says that a note was cancelled outside, in the town's own system. For people of the business it is
 * looked up by its key, which is charged. What is not proved so is recorded as a wish, which people confirm, and they are told.
 */
import { done, formatBrl, refused, tellOperators } from "../../../plugin.ts";
import { isSeen } from "../book/note-book.ts";
import { statusOf } from "../book/note-view.ts";
import { withWish } from "../note/cancel-record.ts";
import { CANCEL_CODES, CancelInput } from "./invoice-cancel.ts";
import type { OwnSpec, Work } from "../context.ts";
import { type Asker, askerOf } from "./note-ask.ts";
import { z } from "zod";
import type { Invoice } from "../note/invoice.ts";
import { elsewhere } from "../note/proof/proved-key.ts";
import { provedBy } from "../note/proof/proving.ts";

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
