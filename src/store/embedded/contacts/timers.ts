/** Timers of the embedded store, and mail that waits for its hour. Runs inside a transaction of its caller. */
import { LONGEST_WAIT_MS } from "../../limits.ts";
import type { ContactId } from "../../port/port.ts";
import type { Base, ContactRow } from "../file/base.ts";
import { MailboxRows } from "./mailbox-rows.ts";

export class Timers {
  readonly #base: Base;
  readonly #rows: MailboxRows;

  constructor(base: Base) {
    this.#base = base;
    this.#rows = new MailboxRows(base);
  }

  /** Each timer that is due becomes mail of its contact. Answers how many moved. */
  tick(options: { offsetMs: number; limit: number }): number {
    const base = this.#base;
    const now = base.now();
    const virtual = now + options.offsetMs;
    const due = this.#dueNow(virtual, now, options.limit);
    for (const row of due) {
      base.add("accepted");
      this.#rows.push(row, { at: now, event: "tick", sealed: null, due: row.due });
      base.file.run("UPDATE contact SET due = NULL WHERE id = ?", row.id);
      this.#rows.makeReady(row.id, now);
    }
    // The clock jumped back: no mail waits for so long.
    base.file.run("UPDATE contact SET wake = ?1 WHERE wake > ?1 + ?2", virtual, LONGEST_WAIT_MS);
    const waiting = base.file.all<{ id: ContactId }>(
      "SELECT id FROM contact WHERE wake <= ? ORDER BY wake LIMIT ?",
      virtual,
      options.limit,
    );
    for (const { id } of waiting) {
      base.file.run("UPDATE contact SET wake = NULL WHERE id = ?", id);
      this.#rows.makeReady(id, now);
    }
    return due.length + waiting.length;
  }

  /**
   * Timers that move now: as many as the ready contacts leave room for, at least one. Of too many the earliest and the
   * latest, because a person may be writing right now.
   */
  #dueNow(virtual: number, now: number, limit: number): ContactRow[] {
    const { file } = this.#base;
    const busy = file.get<{ n: number }>(
      "SELECT COUNT(*) AS n FROM (SELECT 1 FROM contact WHERE ready <= ? LIMIT ?)",
      now,
      limit,
    );
    const room = Math.max(1, limit - (busy?.n ?? 0));
    const rows = (order: "ASC" | "DESC", count: number): ContactRow[] =>
      file.all(
        "SELECT * FROM contact WHERE due <= ? ORDER BY due " + order + " LIMIT ?",
        virtual,
        count,
      );
    const earliest = rows("ASC", room + 1);
    if (earliest.length <= room) return earliest;
    const latest = rows("DESC", Math.floor(room / 2));
    const taken = new Set(latest.map(({ id }) => id));
    const others = earliest.filter(({ id }) => !taken.has(id));
    return [...others.slice(0, room - latest.length), ...latest];
  }
}
