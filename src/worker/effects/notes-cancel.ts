/**
 * `notes.cancel`: records that somebody wants an issued note cancelled, and tells the business's people with a summary. The
 * note stands until they had it cancelled; `invoice.cancel` is what asks the authority.
 */
import { formatBrl } from "../../brazil/index.ts";
import type { Mail } from "../../engine/index.ts";
import { isSeen, statusOf } from "../notes/index.ts";
import { CANCEL_CODES, CancelInput } from "./cancel-input.ts";
import { done, type LocalSpec, type LocalWork, refused } from "./local.ts";
import { type Asker, askerOf } from "./note-ask.ts";
import type { Invoice } from "../invoices/invoice.ts";

export const notesCancel: LocalSpec<typeof CancelInput> = {
  name: "notes.cancel",
  class: "replace",
  version: 1,
  input: CancelInput,
  result: ["number", "code", "text"],
  async perform(work, { note: id, reason, why }) {
    const { desk, account, begun } = work;
    const asker = await askerOf(work);
    const changed = await desk.invoices.change(account.id, id, (note) =>
      isSeen(note, asker.viewer) && ["autorizada", "indefinida"].includes(statusOf(note))
        ? {
            ...note,
            cancel: {
              ...{ state: "pedida", code: CANCEL_CODES[reason], why },
              ...{ contact: begun.contact, effect: begun.id, at: work.at },
            },
          }
        : null,
    );
    const note = changed?.invoice;
    if (!note || !isSeen(note, asker.viewer)) return refused("unknown");
    // A repetition after a crash finds its own record, and tells again what the mailboxes know already.
    if (note.cancel?.effect !== begun.id) return refused(note.cancel ? "already" : "not_issued");
    await tell(work, asker, note, reason);
    return done({ number: note.number ?? "" });
  },
};

/** Everybody of the business but who asked. Each mail has an event of its own effect: it counts once. */
async function tell(
  { desk, account, begun }: LocalWork,
  asker: Asker,
  note: Invoice,
  reason: CancelInput["reason"],
): Promise<void> {
  const vars = {
    ...{ name: asker.name, number: note.number ?? "", value: formatBrl(note.cents) },
    ...{ taker: note.taker.name, reason, why: note.cancel?.why ?? "" },
  };
  for (const { alias } of account.operators) {
    const contact = await desk.store.identify(account.id, [alias]);
    if (contact === begun.contact) continue;
    const mail: Mail = { kind: "notice", key: "cancel-asked", vars, fiscal: true };
    await desk.store.accept([
      { account: account.id, contact, event: `${begun.id}:${contact.slice(0, 8)}`, mail },
    ]);
  }
  desk.wake("turns");
}
