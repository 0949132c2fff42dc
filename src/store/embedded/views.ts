/** What people and checks look at in the embedded store: sessions, journal, effects, backlog. */
import type { Json } from "../../base/index.ts";
import { cursorOf, pageOf, readCursor } from "../page.ts";
import { MERGES } from "../limits.ts";
import { associatedData } from "../names.ts";
import type {
  Backlog,
  ContactId,
  EffectState,
  EffectView,
  Page,
  SessionView,
  StoreViews,
} from "../port/port.ts";
import { openLine } from "../sealing/journal.ts";
import { contentOf, LETTERS, readableOnly, stateOf } from "../sealing/unreadable.ts";
import type { Base } from "./file/base.ts";
import type { EffectRow } from "./file/schema.ts";

interface SessionRow {
  readonly contact: ContactId;
  readonly account: string;
  readonly rev: number;
  readonly updated: number;
  readonly sealed: string;
  readonly dkey: string;
  readonly queued: number;
}
const SESSION = `SELECT s.contact, s.account, s.rev, s.updated, s.sealed, c.dkey, c.queued
  FROM session s JOIN contact c ON c.id = s.contact`;

export class Views implements StoreViews {
  readonly #base: Base;

  constructor(base: Base) {
    this.#base = base;
  }

  async session(account: string, contact: ContactId): Promise<SessionView | null> {
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

  async sessions(options: {
    account?: string;
    after?: string;
    limit: number;
  }): Promise<Page<SessionView>> {
    const after = readCursor(options.after);
    const rows = this.#base.file.all<SessionRow>(
      `${SESSION} WHERE (?1 IS NULL OR s.account = ?1)
       AND (?2 IS NULL OR s.updated < ?2 OR (s.updated = ?2 AND s.contact < ?3))
       ORDER BY s.updated DESC, s.contact DESC LIMIT ?4`,
      options.account ?? null,
      after?.score ?? null,
      after?.member ?? "",
      options.limit + 1,
    );
    const page = pageOf(rows, options.limit, (last) => cursorOf(last.updated, last.contact));
    const items = page.items.flatMap((row) => readableOnly(() => this.#sessionOf(row)));
    return { ...page, items };
  }

  async journal(account: string, contact: ContactId, limit: number): Promise<readonly Json[]> {
    const row = this.#base.contact(contact);
    if (row?.account !== account) return [];
    const key = this.#base.keys.of(contact, row.dkey);
    return this.#base.file
      .all<{ tag: string; sealed: string }>(
        "SELECT tag, sealed FROM journal WHERE contact = ? ORDER BY n DESC LIMIT ?",
        contact,
        limit,
      )
      .flatMap(({ tag, sealed }) => readableOnly(() => openLine(key, contact, `${tag}|${sealed}`)));
  }

  async effects(options: Parameters<StoreViews["effects"]>[0]): Promise<EffectView[]> {
    const { account, contact, state } = options;
    const filters: [string, string | undefined][] = [
      ["account = ?", account],
      ["contact = ?", contact],
      ["state = ?", state && LETTERS[state]],
    ];
    const used = filters.filter((filter): filter is [string, string] => filter[1] !== undefined);
    const where = used.length > 0 ? `WHERE ${used.map(([sql]) => sql).join(" AND ")}` : "";
    return this.#base.file
      .all<EffectRow>(
        `SELECT * FROM effect ${where} ORDER BY created, place LIMIT ?`,
        ...used.map(([, value]) => value),
        options.limit,
      )
      .map((row) => this.#viewOf(row));
  }

  async held(options: Parameters<StoreViews["held"]>[0]): Promise<Page<EffectView>> {
    const after = readCursor(options.after);
    const rows = this.#base.file.all<EffectRow>(
      `SELECT * FROM effect WHERE state = ?4 AND (?1 IS NULL OR created > ?1 OR (created = ?1 AND id > ?2))
       ORDER BY created, id LIMIT ?3`,
      after?.score ?? null,
      after?.member ?? "",
      options.limit + 1,
      LETTERS[options.state ?? "held"],
    );
    const page = pageOf(rows, options.limit, (last) => cursorOf(last.created, last.id));
    return { ...page, items: page.items.map((row) => this.#viewOf(row)) };
  }

  async effect({
    account,
    contact,
    id,
  }: Parameters<StoreViews["effect"]>[0]): Promise<EffectView | null> {
    const row = this.#base.file.get<EffectRow>(
      "SELECT * FROM effect WHERE id = ? AND contact = ? AND account = ?",
      id,
      contact,
      account,
    );
    return row ? this.#viewOf(row) : null;
  }

  /** By the number of its row, which never changes, while its place changes when it is resent. */
  async effectsOf(options: Parameters<StoreViews["effectsOf"]>[0]): Promise<Page<EffectView>> {
    const { account, contact, states = [], tried, after = "", limit } = options;
    const letters = states.map((state) => LETTERS[state]);
    const rows = this.#base.file.all<EffectRow & { readonly n: number }>(
      `SELECT rowid AS n, * FROM effect INDEXED BY effect_contact
       WHERE contact = ? AND account = ? AND rowid < ? AND attempt >= ?
       ${letters.length > 0 ? `AND state IN (${letters.map(() => "?").join(", ")})` : ""}
       ORDER BY rowid DESC LIMIT ?`,
      contact,
      account,
      /^\d{1,15}$/.test(after) ? Number(after) : Number.MAX_SAFE_INTEGER,
      tried === true ? 1 : 0,
      ...letters,
      limit + 1,
    );
    const page = pageOf(rows, limit, ({ n }) => String(n));
    return { ...page, items: page.items.map((row) => this.#viewOf(row)) };
  }

  async backlog(): Promise<Backlog> {
    const base = this.#base;
    const one = (sql: string, ...values: number[]) =>
      base.file.get<{ n: number | null }>(sql, ...values)?.n ?? 0;
    const now = base.now();
    const oldest = one("SELECT MIN(ready) AS n FROM contact WHERE ready IS NOT NULL");
    return {
      ready: one("SELECT COUNT(*) AS n FROM contact WHERE ready <= ?", now),
      claimed: one("SELECT COUNT(*) AS n FROM contact WHERE ready > ?", now),
      oldestMs: oldest === 0 ? 0 : Math.max(0, now - oldest),
      pendingEffects: this.#count("pending"),
      heldEffects: this.#count("held"),
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
    const session = key.open(associatedData.session(contact, rev), row.sealed);
    return { account, contact, rev, session, queued, updatedAt: row.updated };
  }

  #count(state: EffectState): number {
    const { file } = this.#base;
    return (
      file.get<{ n: number }>("SELECT COUNT(*) AS n FROM effect WHERE state = ?", LETTERS[state])
        ?.n ?? 0
    );
  }

  #viewOf(row: EffectRow): EffectView {
    const { id, account, contact, scope, attempt, rev, sealed, reason } = row;
    return {
      id,
      account,
      contact,
      scope,
      attempt,
      rev,
      class: row.class,
      state: stateOf(row.state),
      notBefore: row.not_before,
      createdAt: row.created,
      ...(row.job === null ? {} : { job: row.job }),
      ...(row.in_place === 1 ? { inPlace: true as const } : {}),
      ...contentOf({ id, contact }, () => this.#base.open(account, contact).key, {
        sealed,
        reason: reason ?? "",
      }),
    };
  }
}
