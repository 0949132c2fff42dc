/** What people and checks look at in the embedded store: sessions, journal, dead letters, backlog. */
import type { Json } from "../../base/index.ts";
import { openMail, tickMail } from "../sealing/contact-keys.ts";
import { cursorOf, readCursor } from "../cursor.ts";
import { MERGES } from "../limits.ts";
import { places } from "../associated-data.ts";
import type {
  Backlog,
  ContactId,
  Dead,
  EffectView,
  Page,
  SessionView,
  Store,
} from "../port/port.ts";
import { letterOf, readableOnly } from "../sealing/unreadable.ts";
import type { Base } from "./file/base.ts";
import { EffectViews } from "./effect-view.ts";
import type { Mailbox } from "./mailbox.ts";

interface SessionRow {
  readonly contact: ContactId;
  readonly account: string;
  readonly rev: number;
  readonly updated: number;
  readonly sealed: string;
  readonly dkey: string;
  readonly queued: number;
}
interface DeadRow {
  readonly id: string;
  readonly contact: ContactId;
  readonly account: string;
  readonly event: string;
  readonly at: number;
  readonly reason: string;
  readonly sealed: string | null;
  readonly due: number | null;
  readonly dkey: string;
}

const SESSION = `SELECT s.contact, s.account, s.rev, s.updated, s.sealed, c.dkey, c.queued
  FROM session s JOIN contact c ON c.id = s.contact`;

export class Views {
  readonly #base: Base;
  readonly #mailbox: Mailbox;
  readonly #effects: EffectViews;

  constructor(base: Base, mailbox: Mailbox) {
    this.#base = base;
    this.#mailbox = mailbox;
    this.#effects = new EffectViews(base);
  }

  session(account: string, contact: ContactId): SessionView | null {
    let current = contact;
    for (let hops = 0; hops < MERGES; hops++) {
      const forward = this.#base.contact(current)?.forward ?? null;
      if (forward === null) break;
      current = forward;
    }
    const row = this.#base.file.get<SessionRow>(
      `${SESSION} WHERE s.contact = ? AND s.account = ?`,
      current,
      account,
    );
    return row ? this.#sessionOf(row) : null;
  }

  sessions(options: { account?: string; after?: string; limit: number }): Page<SessionView> {
    const after = readCursor(options.after);
    const rows = this.#base.file.all<SessionRow>(
      `${SESSION} WHERE (?1 IS NULL OR s.account = ?1)
       AND (?2 IS NULL OR s.updated < ?2 OR (s.updated = ?2 AND s.contact < ?3))
       ORDER BY s.updated DESC, s.contact DESC LIMIT ?4`,
      ...[options.account ?? null, after?.score ?? null, after?.member ?? "", options.limit + 1],
    );
    const shown = rows.slice(0, options.limit);
    const last = shown.at(-1);
    const more = rows.length > options.limit && last;
    const items = shown.flatMap((row) => readableOnly(() => this.#sessionOf(row)));
    return { items, ...(more ? { next: cursorOf(last.updated, last.contact) } : {}) };
  }

  journal(account: string, contact: ContactId, limit: number): readonly Json[] {
    const row = this.#base.contact(contact);
    if (row?.account !== account) return [];
    const key = this.#base.keys.of(contact, row.dkey);
    return this.#base.file
      .all<{ tag: string; sealed: string }>(
        "SELECT tag, sealed FROM journal WHERE contact = ? ORDER BY n DESC LIMIT ?",
        contact,
        limit,
      )
      .flatMap(({ tag, sealed }) =>
        readableOnly(() => key.open(places.journal(contact, tag), sealed)),
      );
  }

  forgetLines(account: string, contact: ContactId, seen: number, keep: number): void {
    const { file } = this.#base;
    if (this.#base.contact(contact)?.account !== account) return;
    const row = file.get<{ n: number }>(
      "SELECT COUNT(*) AS n FROM journal WHERE contact = ?",
      contact,
    );
    file.run(
      `DELETE FROM journal WHERE contact = ?1 AND n NOT IN
       (SELECT n FROM journal WHERE contact = ?1 ORDER BY n DESC LIMIT ?2)`,
      contact,
      Math.max(0, (row?.n ?? 0) - seen) + keep,
    );
  }

  dead(options: Parameters<Store["dead"]>[0]): Page<Dead> {
    const after = readCursor(options.after);
    const rows = this.#base.file.all<DeadRow>(
      `SELECT d.*, c.dkey FROM dead d JOIN contact c ON c.id = d.contact
       WHERE (?1 IS NULL OR d.account = ?1) AND (?2 IS NULL OR d.at > ?2 OR (d.at = ?2 AND d.id > ?3))
       AND (?5 IS NULL OR d.id = ?5)
       ORDER BY d.at, d.id LIMIT ?4`,
      ...[options.account ?? null, after?.score ?? null, after?.member ?? "", options.limit + 1],
      options.id ?? null,
    );
    const items = rows.slice(0, options.limit).map((row) => this.#deadOf(row));
    const last = items.at(-1);
    const more = rows.length > options.limit && last;
    return { items, ...(more ? { next: cursorOf(last.at, last.id) } : {}) };
  }

  bury(id: string, action: "release" | "drop"): boolean {
    const { file } = this.#base;
    const row = file.get<DeadRow>("SELECT * FROM dead WHERE id = ?", id);
    const contact = row && this.#base.contact(row.contact);
    if (!row || !contact) return false;
    file.run("DELETE FROM dead WHERE id = ?", id);
    this.#mailbox.remember(contact, row);
    if (action === "release") this.#mailbox.revive(contact, { ...row, at: this.#base.now() });
    return true;
  }

  effects(options: Parameters<Store["effects"]>[0]): readonly EffectView[] {
    return this.#effects.view(options);
  }

  effect(of: Parameters<Store["effect"]>[0]): EffectView | null {
    return this.#effects.one(of);
  }

  effectsOf(options: Parameters<Store["effectsOf"]>[0]): Page<EffectView> {
    return this.#effects.of(options);
  }

  held(options: Parameters<Store["held"]>[0]): Page<EffectView> {
    return this.#effects.held(options);
  }

  backlog(): Backlog {
    const base = this.#base;
    const one = (sql: string, ...values: number[]) =>
      base.file.get<{ n: number | null }>(sql, ...values)?.n ?? 0;
    const now = base.now();
    const oldest = one("SELECT MIN(ready) AS n FROM contact WHERE ready IS NOT NULL");
    return {
      ready: one("SELECT COUNT(*) AS n FROM contact WHERE ready <= ?", now),
      claimed: one("SELECT COUNT(*) AS n FROM contact WHERE ready > ?", now),
      oldestMs: oldest === 0 ? 0 : Math.max(0, now - oldest),
      pendingEffects: this.#effects.count("pending"),
      heldEffects: this.#effects.count("held"),
      dead: one("SELECT COUNT(*) AS n FROM dead"),
      counters: {
        accepted: base.count("accepted"),
        duplicate: base.count("duplicate"),
        applied: base.count("applied"),
        dead: base.count("dead"),
        queued: one("SELECT COUNT(*) AS n FROM mail"),
      },
    };
  }

  #sessionOf(row: SessionRow): SessionView {
    const { account, contact, rev, queued } = row;
    const key = this.#base.keys.of(contact, row.dkey);
    const session = key.open(places.session(contact, rev), row.sealed);
    return { account, contact, rev, session, queued, updatedAt: row.updated };
  }

  #deadOf(row: DeadRow): Dead {
    const { id, contact, account, at, event, sealed, due } = row;
    const key = () => this.#base.keys.of(contact, row.dkey);
    const opened = letterOf({
      mail: () => (sealed === null ? tickMail(due ?? 0) : openMail(key(), contact, event, sealed)),
      reason: () =>
        row.reason === "mailbox_full"
          ? row.reason
          : key().openText(places.reason(contact), row.reason),
    });
    return { id, account, contact, ...opened, at };
  }
}
