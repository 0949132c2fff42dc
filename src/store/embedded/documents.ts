/** Small sealed documents, business keys and pauses of the embedded store. Each function runs inside a transaction. */
import type { JsonObject } from "../../base/index.ts";
import { places } from "../associated-data.ts";
import type { KeyClaim, KeyHold, Page, Store } from "../port/port.ts";
import { leftBy, pausedBy, type Standing } from "../rate-limit.ts";
import { type DataKey, unwrapped } from "../sealing/seal.ts";
import { DamagedDocuments } from "../sealing/unreadable.ts";
import type { Base } from "./file/base.ts";

interface DocRow {
  readonly id: string;
  readonly rev: number;
  readonly sealed: string;
}
interface KeyRow {
  readonly owner: string;
  readonly state: "claimed" | "settled";
  readonly until: number | null;
}
interface PauseRow {
  readonly scope: string;
  readonly reason: string;
  readonly since: number;
  readonly until: number | null;
  readonly limited: number | null;
}
interface Doc {
  readonly value: JsonObject;
  readonly rev: number;
}
type Pause = Standing & { readonly since: number };

const DEFAULT_PAGE = 100;

export class Documents {
  readonly #base: Base;
  /** Opened with the key as it was wrapped: a step that is undone takes back a key that was made in it. */
  readonly #keys = new Map<string, { readonly key: DataKey; readonly wrapped: string }>();
  readonly damaged = new DamagedDocuments();

  constructor(base: Base) {
    this.#base = base;
  }

  get(collection: string, id: string): Doc | null {
    const row = this.#row(collection, id);
    return row ? { value: this.#open(collection, row), rev: row.rev } : null;
  }

  put(collection: string, id: string, value: JsonObject, expect?: number): number | "conflict" {
    const { file } = this.#base;
    const key = this.#keyOf(collection, true);
    const rev = this.#row(collection, id)?.rev ?? 0;
    if (expect !== undefined && expect !== rev) return "conflict";
    const floor = file.get<{ floor: number }>(
      "SELECT floor FROM collection WHERE name = ?",
      collection,
    )?.floor;
    const next = (rev === 0 ? (floor ?? 0) : rev) + 1;
    const sealed = key?.seal(places.doc(collection, id), value) ?? "";
    file.run(
      "INSERT OR REPLACE INTO doc (collection, id, rev, sealed) VALUES (?, ?, ?, ?)",
      ...[collection, id, next, sealed],
    );
    return next;
  }

  remove(collection: string, id: string): boolean {
    const { file } = this.#base;
    const row = this.#row(collection, id);
    if (!row) return false;
    file.run("DELETE FROM doc WHERE collection = ? AND id = ?", collection, id);
    // A document made again starts above every revision it ever had, so that an old reader does not mistake it for the one
    // it knew.
    file.run("UPDATE collection SET floor = MAX(floor, ?) WHERE name = ?", row.rev, collection);
    return true;
  }

  list(
    collection: string,
    options: { after?: string; limit?: number } = {},
  ): Page<Doc & { readonly id: string }> {
    const { items, ...next } = this.#rows(collection, options);
    // When the collection's key does not open, the whole list is refused, because no document is at fault.
    if (items.length > 0) this.#keyOf(collection, false);
    const opened = items.flatMap((row) =>
      this.damaged.readable(collection, row.id, () => {
        return { id: row.id, value: this.#open(collection, row), rev: row.rev };
      }),
    );
    return { items: opened, ...next };
  }

  ids(collection: string, options: { after?: string; limit?: number } = {}): Page<string> {
    const { items, ...next } = this.#rows(collection, options);
    return { items: items.map(({ id }) => id), ...next };
  }

  /** A page as it is stored. */
  #rows(
    collection: string,
    { after = "", limit = DEFAULT_PAGE }: { after?: string; limit?: number },
  ): Page<DocRow> {
    const rows = this.#base.file.all<DocRow>(
      "SELECT id, rev, sealed FROM doc WHERE collection = ? AND id > ? ORDER BY id LIMIT ?",
      ...[collection, after, limit + 1],
    );
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return { items, ...(rows.length > limit && last ? { next: last.id } : {}) };
  }

  claimKey(account: string, key: string, owner: string, ttlMs?: number): KeyClaim {
    const { file } = this.#base;
    const now = this.#base.now();
    const id = this.#base.names.businessKey(account, key);
    const row = this.#businessKey(id, now);
    if (row && row.owner !== owner) return { ok: false, owner: row.owner, state: row.state };
    if (row) {
      file.run(
        `UPDATE business_key SET until = MAX(until, ?) WHERE id = ? AND state <> 'settled'`,
        ...[ttlMs === undefined ? null : now + ttlMs, id],
      );
      return { ok: true };
    }
    // Most expired ones are never asked for again, so they are removed here.
    file.run("DELETE FROM business_key WHERE until <= ?", now);
    file.run(
      "INSERT OR REPLACE INTO business_key (id, owner, state, until) VALUES (?, ?, 'claimed', ?)",
      ...[id, owner, ttlMs === undefined ? null : now + ttlMs],
    );
    return { ok: true };
  }

  holdKey(account: string, key: string, owner: string): KeyHold {
    const id = this.#base.names.businessKey(account, key);
    const row = this.#businessKey(id, this.#base.now());
    if (row?.owner !== owner) return "gone";
    if (row.state === "settled") return "settled";
    this.#base.file.run("UPDATE business_key SET until = NULL WHERE id = ?", id);
    return "held";
  }

  settleKey(account: string, key: string, owner: string, ttlMs?: number): boolean {
    const id = this.#base.names.businessKey(account, key);
    const now = this.#base.now();
    if (this.#businessKey(id, now)?.owner !== owner) return false;
    this.#base.file.run(
      `UPDATE business_key SET state = 'settled', until = IFNULL(?, until)
       WHERE id = ? AND state <> 'settled'`,
      ...[ttlMs === undefined ? null : now + ttlMs, id],
    );
    return true;
  }

  freeKey(account: string, key: string, owner: string, afterMs?: number): boolean {
    const { file } = this.#base;
    const id = this.#base.names.businessKey(account, key);
    const now = this.#base.now();
    const row = this.#businessKey(id, now);
    if (row?.owner !== owner || row.state === "settled") return false;
    if (afterMs === undefined) file.run("DELETE FROM business_key WHERE id = ?", id);
    else {
      const until = now + afterMs;
      file.run(
        "UPDATE business_key SET until = MIN(IFNULL(until, ?), ?) WHERE id = ?",
        ...[until, until, id],
      );
    }
    return true;
  }

  releaseKey(account: string, key: string, owner: string): boolean {
    const id = this.#base.names.businessKey(account, key);
    if (this.#businessKey(id, this.#base.now())?.owner !== owner) return false;
    this.#base.file.run("DELETE FROM business_key WHERE id = ?", id);
    return true;
  }

  pauses(): ReadonlyMap<string, Pause> {
    const rows = this.#base.file.all<PauseRow>("SELECT * FROM pause ORDER BY since, scope");
    return new Map(rows.map((row) => [row.scope, pauseOf(row)]));
  }

  pause(...[scope, reason, how]: Parameters<Store["pause"]>): boolean {
    const known = this.#paused(scope);
    const { until = null, ...next } = pausedBy(known, reason, how);
    this.#base.file.run(
      `INSERT INTO pause (scope, reason, since, until, limited) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT (scope) DO UPDATE SET reason = ?2, until = ?4, limited = ?5`,
      ...[scope, next.reason, this.#base.now(), until, next.limitedUntil ?? null],
    );
    return !known;
  }

  resume(...[scope, only]: Parameters<Store["resume"]>): boolean {
    const known = this.#paused(scope);
    if (!known) return false;
    if (only && (known.reason !== only.reason || known.until !== only.until)) return false;
    const left = only && leftBy(known, this.#base.now());
    if (left)
      this.#base.file.run(
        "UPDATE pause SET reason = ?, until = ?, limited = NULL WHERE scope = ?",
        ...[left.reason, left.until ?? null, scope],
      );
    else this.#base.file.run("DELETE FROM pause WHERE scope = ?", scope);
    return !left;
  }

  #paused(scope: string): Pause | undefined {
    const row = this.#base.file.get<PauseRow>("SELECT * FROM pause WHERE scope = ?", scope);
    return row && pauseOf(row);
  }

  #row(collection: string, id: string): DocRow | undefined {
    return this.#base.file.get<DocRow>(
      "SELECT id, rev, sealed FROM doc WHERE collection = ? AND id = ?",
      collection,
      id,
    );
  }

  #open(collection: string, row: DocRow): JsonObject {
    const key = this.#keyOf(collection, false);
    return key?.open(places.doc(collection, row.id), row.sealed) as JsonObject;
  }

  #keyOf(collection: string, make: boolean): DataKey | undefined {
    const { file, ring } = this.#base;
    const owner = `collection ${collection}`;
    const row = file.get<{ dkey: string }>(
      "SELECT dkey FROM collection WHERE name = ?",
      collection,
    );
    if (!row && !make) return undefined;
    const known = this.#keys.get(collection);
    if (row && row.dkey === known?.wrapped) return known.key;
    const wrapped = row?.dkey ?? ring.make(owner).wrapped;
    const { key, stale } = unwrapped(ring, owner, wrapped);
    this.#keys.set(collection, { key, wrapped });
    if (!row)
      file.run("INSERT INTO collection (name, dkey, floor) VALUES (?, ?, 0)", collection, wrapped);
    if (stale)
      file.run(
        "UPDATE collection SET dkey = ? WHERE name = ?",
        ring.rewrap(owner, wrapped),
        collection,
      );
    return key;
  }

  #businessKey(id: string, now: number): KeyRow | undefined {
    const row = this.#base.file.get<KeyRow>("SELECT * FROM business_key WHERE id = ?", id);
    return row && (row.until === null || row.until > now) ? row : undefined;
  }
}

function pauseOf({ reason, since, until, limited }: PauseRow): Pause {
  return {
    ...{ reason, since },
    ...(until === null ? {} : { until }),
    ...(limited === null ? {} : { limitedUntil: limited }),
  };
}
