/** What a claim hands out, opened: session and head of the mailbox. */
import { openMail, tickMail } from "../../sealing/contact-keys.ts";
import { associatedData } from "../../names.ts";
import type { Claimed, ContactId, MailItem } from "../../port/port.ts";
import type { DataKey } from "../../sealing/seal.ts";
import type { Base, ContactRow } from "../file/base.ts";
import type { MailRow, MailboxRows } from "./mailbox-rows.ts";

/** A contact that cannot be opened does not stop the others of the claim. */
export function open(
  base: Base,
  rows: MailboxRows,
  row: ContactRow,
  events: number,
): Pick<Claimed, "session" | "mail" | "broken"> {
  const stored = base.file.get<{ rev: number; sealed: string }>(
    "SELECT rev, sealed FROM session WHERE contact = ?",
    row.id,
  );
  const mail: MailItem[] = [];
  let session: Claimed["session"] = null;
  let broken: "session" | "mail" = "session";
  try {
    const key = base.keyOf(row);
    if (stored) session = key.open(associatedData.session(row.id, stored.rev), stored.sealed);
    broken = "mail";
    for (const one of rows.head(row.id, events)) mail.push(itemOf(row.id, key, one));
    return { session, mail };
  } catch {
    return { session, mail, broken };
  }
}

function itemOf(contact: ContactId, key: DataKey, row: MailRow): MailItem {
  const { event, mail } =
    row.sealed === null ? tickMail(row.due ?? 0) : openMail(key, contact, row.event, row.sealed);
  return { seq: row.seq, event, mail, acceptedAt: row.at };
}
