/** Rows of a contact: mail that waits, event ids that are known, dead letters, journal. Runs inside a transaction. */
import { Fault, type Json } from "../../../base/index.ts";
import { openMail, sealMail, tickMail } from "../../sealing/contact-keys.ts";
import { parted } from "../../sealing/journal.ts";
import type { Claimed, ContactId, MailItem } from "../../port/port.ts";
import { associatedData } from "../../names.ts";
import type { DataKey } from "../../sealing/seal.ts";
import type { Base, ContactRow } from "../file/base.ts";

interface MailRow {
  readonly seq: number;
  readonly at: number;
  readonly event: string;
  /** Null for a tick, whose only content is `due`. */
  readonly sealed: string | null;
  readonly due: number | null;
}

export class MailboxRows {
  readonly #base: Base;

  constructor(base: Base) {
    this.#base = base;
  }

  head(contact: ContactId, limit: number): MailRow[] {
    return this.#base.file.all<MailRow>(
      "SELECT seq, at, event, sealed, due FROM mail WHERE contact = ? ORDER BY seq LIMIT ?",
      contact,
      limit,
    );
  }

  /** What a claim hands out. A contact that cannot be opened does not stop the others of the claim. */
  opened(row: ContactRow, events: number): Pick<Claimed, "session" | "mail" | "broken"> {
    const stored = this.#base.file.get<{ rev: number; sealed: string }>(
      "SELECT rev, sealed FROM session WHERE contact = ?",
      row.id,
    );
    const mail: MailItem[] = [];
    let session: Claimed["session"] = null;
    let broken: "session" | "mail" = "session";
    try {
      const key = this.#base.keyOf(row);
      if (stored) session = key.open(associatedData.session(row.id, stored.rev), stored.sealed);
      broken = "mail";
      for (const one of this.head(row.id, events)) mail.push(itemOf(row.id, key, one));
      return { session, mail };
    } catch {
      return { session, mail, broken };
    }
  }

  writeSession(row: ContactRow, key: DataKey, rev: number, session: Json): void {
    this.#base.file.run(
      `INSERT INTO session (contact, account, rev, updated, sealed) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT (contact) DO UPDATE SET rev = ?3, updated = ?4, sealed = ?5`,
      row.id,
      row.account,
      rev,
      this.#base.now(),
      key.seal(associatedData.session(row.id, rev), session),
    );
  }

  push(row: ContactRow, mail: Omit<MailRow, "seq">): void {
    const { file } = this.#base;
    file.run("UPDATE contact SET seq = seq + 1, queued = queued + 1 WHERE id = ?", row.id);
    file.run(
      `INSERT INTO mail (contact, seq, at, event, sealed, due)
       SELECT id, seq, ?, ?, ?, ? FROM contact WHERE id = ?`,
      mail.at,
      mail.event,
      mail.sealed,
      mail.due,
      row.id,
    );
  }

  putInPlace(
    row: ContactRow,
    key: DataKey,
    seq: number,
    notice: { readonly event: string; readonly mail: Json },
    now: number,
  ): void {
    const { event, sealed } = this.sealed(row, key, { seq, at: now }, notice);
    this.#base.add("accepted");
    this.#base.file.run(
      "INSERT INTO mail (contact, seq, at, event, sealed) VALUES (?, ?, ?, ?, ?)",
      row.id,
      seq,
      now,
      event,
      sealed,
    );
  }

  /** Replaces mail by other mail in its place. */
  sealed(
    row: ContactRow,
    key: DataKey,
    { seq, at }: Pick<MailRow, "seq" | "at">,
    item: { readonly event: string; readonly mail: Json },
  ): MailRow {
    const event = this.#base.names.event(row.id, item.event);
    return { seq, at, event, sealed: sealMail(key, row.id, event, item), due: null };
  }

  /** Whether dead letters have room for an event that cannot be applied. */
  hasRoomForDead(row: ContactRow): boolean {
    const { file, limits } = this.#base;
    const count = (sql: string, ...of: string[]) => file.get<{ n: number }>(sql, ...of)?.n ?? 0;
    return (
      count("SELECT COUNT(*) AS n FROM dead") < limits.deadLetters &&
      count("SELECT COUNT(*) AS n FROM dead WHERE contact = ?", row.id) < limits.deadLettersOfOne
    );
  }

  makeReady(contact: ContactId, now: number): void {
    const { file } = this.#base;
    file.run("UPDATE contact SET ready = ? WHERE id = ? AND ready IS NULL", now, contact);
  }

  isKnown(row: ContactRow, event: string, now: number): boolean {
    const { file, limits } = this.#base;
    const seen = file.get<{ at: number }>(
      "SELECT at FROM dedupe WHERE contact = ? AND event = ?",
      row.id,
      event,
    );
    if (seen && seen.at > now - limits.dedupeMs) return true;
    // Past the number of ids that can be remembered the dead letter itself is the memory.
    return file.get("SELECT 1 FROM dead WHERE id = ?", `${row.id}.${event}`) !== undefined;
  }

  remember(row: ContactRow, event: string, now: number): void {
    const { file } = this.#base;
    const added = file.run(
      "INSERT OR IGNORE INTO dedupe (contact, event, at) VALUES (?, ?, ?)",
      row.id,
      event,
      now,
    );
    if (added === 0)
      file.run("UPDATE dedupe SET at = ? WHERE contact = ? AND event = ?", now, row.id, event);
    else file.run("UPDATE contact SET ids = ids + 1 WHERE id = ?", row.id);
  }

  /** Drops ids past the window, now and then; answers how many are left. */
  forgetOld(row: ContactRow, now: number): number {
    const { file, limits } = this.#base;
    // Each 16th time: the sweep looks through all ids of the contact.
    if (row.ids < limits.dedupe && row.ids % 16 !== 15) return row.ids;
    const gone = file.run(
      "DELETE FROM dedupe WHERE contact = ? AND at <= ?",
      row.id,
      now - limits.dedupeMs,
    );
    if (gone > 0) file.run("UPDATE contact SET ids = ids - ? WHERE id = ?", gone, row.id);
    return row.ids - gone;
  }

  addDeadLetter(row: ContactRow, mail: MailRow, reason: string, now: number): void {
    const { file, limits } = this.#base;
    const many = file.get<{ n: number }>("SELECT COUNT(*) AS n FROM dead")?.n ?? 0;
    if (reason === "mailbox_full" && many >= limits.dead)
      throw new Fault("STORE_FULL", "Dead letters have reached their limit.");
    this.#base.add("dead");
    // Letters of one millisecond keep their order, too: each is a little later than the last.
    const last = file.get<{ at: number | null }>("SELECT MAX(at) AS at FROM dead")?.at ?? 0;
    const at = Math.max(now, last + 1);
    file.run(
      `INSERT OR REPLACE INTO dead (id, contact, account, event, at, reason, sealed, due)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      `${row.id}.${mail.sealed === null ? `tick${mail.seq}` : mail.event}`,
      row.id,
      row.account,
      mail.event,
      at,
      reason,
      mail.sealed,
      mail.due,
    );
  }

  /** Result mail, in the step that ended its effect: never refused for want of room, because it could not be sent again. */
  acceptResult(row: ContactRow, key: DataKey, item: { event: string; mail: Json }): void {
    const base = this.#base;
    const now = base.now();
    const event = base.names.event(row.id, item.event);
    if (this.isKnown(row, event, now)) return base.add("duplicate");
    base.add("accepted");
    this.remember(row, event, now);
    this.push(row, {
      at: now,
      event,
      sealed: sealMail(key, row.id, event, item),
      due: null,
    });
    this.makeReady(row.id, now);
  }

  writeJournal(contact: ContactId, lines: readonly string[]): void {
    const { file, limits } = this.#base;
    for (const line of lines) {
      const { tag, rest } = parted(line);
      file.run("INSERT INTO journal (contact, tag, sealed) VALUES (?, ?, ?)", contact, tag, rest);
    }
    if (lines.length > 0)
      file.run(
        `DELETE FROM journal WHERE contact = ?1 AND n <=
         (SELECT n FROM journal WHERE contact = ?1 ORDER BY n DESC LIMIT 1 OFFSET ?2)`,
        contact,
        limits.journal,
      );
  }
}

function itemOf(contact: ContactId, key: DataKey, row: MailRow): MailItem {
  const { event, mail } =
    row.sealed === null ? tickMail(row.due ?? 0) : openMail(key, contact, row.event, row.sealed);
  return { seq: row.seq, event, mail, acceptedAt: row.at };
}

/** Whether the claim that a commit brings back still stands. */
export function holds(
  row: ContactRow,
  claim: { readonly account: string; readonly epoch: number; readonly rev: number },
): boolean {
  return (
    row.account === claim.account &&
    claim.epoch > 0 &&
    row.epoch === claim.epoch &&
    row.rev === claim.rev
  );
}
