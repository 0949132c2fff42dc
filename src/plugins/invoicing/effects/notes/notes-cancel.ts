/**
 * `notes.cancel`: records that somebody wants an issued note cancelled, and tells the business's people with a summary. The
 * note stands until they had it cancelled; `invoice.cancel` is what asks the authority.
 */
import { done, formatBrl, refused, tellOperators } from "../../../../plugin.ts";
import { isSeen } from "../../book/index.ts";
import { withWish } from "../../note/cancel/cancel-record.ts";
import { CANCEL_CODES, CancelInput } from "../cancel-input.ts";
import type { OwnSpec } from "../../context.ts";
import { askerOf } from "./note-ask.ts";

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
