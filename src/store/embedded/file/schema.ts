/** Tables of the embedded store. A contact's small facts are apart from its session, which is large. */
import type { Begun, ContactId } from "../../port/port.ts";
import type { SqlFile } from "./sql-file.ts";

export const SCHEMA_VERSION = 3;

export const SCHEMA = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counter (name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;

-- epoch: of the live claim, 0 when nobody holds the contact. ready: due time, or lease end while claimed.
-- wake: not-before time of mail that may wait. due: next timer. ids: rows in dedupe.
CREATE TABLE IF NOT EXISTS contact (
  id TEXT PRIMARY KEY, account TEXT NOT NULL, dkey TEXT NOT NULL, forward TEXT,
  epoch INTEGER NOT NULL DEFAULT 0, lease INTEGER NOT NULL DEFAULT 0, rev INTEGER NOT NULL DEFAULT 0,
  failed_claims INTEGER NOT NULL DEFAULT 0, seq INTEGER NOT NULL DEFAULT 0, queued INTEGER NOT NULL DEFAULT 0,
  ids INTEGER NOT NULL DEFAULT 0, ready INTEGER, wake INTEGER, due INTEGER
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS contact_ready ON contact (ready) WHERE ready IS NOT NULL;
CREATE INDEX IF NOT EXISTS contact_wake ON contact (wake) WHERE wake IS NOT NULL;
CREATE INDEX IF NOT EXISTS contact_due ON contact (due) WHERE due IS NOT NULL;

CREATE TABLE IF NOT EXISTS session (
  contact TEXT PRIMARY KEY, account TEXT NOT NULL, rev INTEGER NOT NULL, updated INTEGER NOT NULL, sealed TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS session_recent ON session (updated, contact);

-- sealed NULL: a tick, whose only content is its due time.
CREATE TABLE IF NOT EXISTS mail (
  contact TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, event TEXT NOT NULL, sealed TEXT, due INTEGER,
  PRIMARY KEY (contact, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dedupe (
  contact TEXT NOT NULL, event TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (contact, event)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dead (
  id TEXT PRIMARY KEY, contact TEXT NOT NULL, account TEXT NOT NULL, event TEXT NOT NULL, at INTEGER NOT NULL,
  reason TEXT NOT NULL, sealed TEXT, due INTEGER
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS dead_at ON dead (at, id);
CREATE INDEX IF NOT EXISTS dead_contact ON dead (contact);

-- state: p pending, i in flight, h held, q enqueued. head: an ordered effect may only leave as the first of its contact.
-- place: among its contact's, given once. offered: since when it stands where it may leave, or its own time. rev: decisions so far. in_place: held, and nothing of its contact that stands behind it leaves.
CREATE TABLE IF NOT EXISTS effect (
  id TEXT PRIMARY KEY, contact TEXT NOT NULL, account TEXT NOT NULL, class TEXT NOT NULL, scope TEXT NOT NULL,
  ordered INTEGER NOT NULL, place INTEGER NOT NULL, head INTEGER NOT NULL, state TEXT NOT NULL, attempt INTEGER NOT NULL,
  not_before INTEGER NOT NULL, created INTEGER NOT NULL, lease INTEGER, token TEXT, turn TEXT, reason TEXT, job TEXT,
  sealed TEXT NOT NULL, rev INTEGER NOT NULL DEFAULT 0, in_place INTEGER NOT NULL DEFAULT 0,
  offered INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS effect_due ON effect (not_before) WHERE state = 'p' AND head = 1;
CREATE INDEX IF NOT EXISTS effect_contact ON effect (contact, place);
CREATE INDEX IF NOT EXISTS effect_flight ON effect (lease) WHERE state = 'i';
CREATE INDEX IF NOT EXISTS effect_state ON effect (state, created);
CREATE INDEX IF NOT EXISTS effect_line ON effect (class, scope, offered, created) WHERE state = 'p' AND head = 1;

CREATE TABLE IF NOT EXISTS journal (n INTEGER PRIMARY KEY, contact TEXT NOT NULL, tag TEXT NOT NULL, sealed TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS journal_contact ON journal (contact, n);

CREATE TABLE IF NOT EXISTS alias (
  account TEXT NOT NULL, hash TEXT NOT NULL, contact TEXT NOT NULL, PRIMARY KEY (account, hash)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS alias_contact ON alias (contact);
-- Names that lead to an alias for a while.
CREATE TABLE IF NOT EXISTS lead (
  n INTEGER PRIMARY KEY, account TEXT NOT NULL, hash TEXT NOT NULL, alias TEXT NOT NULL, at INTEGER NOT NULL,
  UNIQUE (account, hash)
);
CREATE INDEX IF NOT EXISTS lead_alias ON lead (account, alias, n);
CREATE INDEX IF NOT EXISTS lead_at ON lead (at);
-- What is left of the erased, in the order of the erasures.
CREATE TABLE IF NOT EXISTS erased (
  n INTEGER PRIMARY KEY, account TEXT NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL, UNIQUE (account, hash)
);
CREATE INDEX IF NOT EXISTS erased_account ON erased (account, n);
CREATE INDEX IF NOT EXISTS erased_at ON erased (at);
CREATE TABLE IF NOT EXISTS person (born INTEGER PRIMARY KEY, contact TEXT NOT NULL UNIQUE, account TEXT NOT NULL);

CREATE TABLE IF NOT EXISTS business_key (id TEXT PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, until INTEGER) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS business_key_until ON business_key (until) WHERE until IS NOT NULL;
CREATE TABLE IF NOT EXISTS pause (scope TEXT PRIMARY KEY, reason TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER, limited INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS collection (name TEXT PRIMARY KEY, dkey TEXT NOT NULL, floor INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS doc (
  collection TEXT NOT NULL, id TEXT NOT NULL, rev INTEGER NOT NULL, sealed TEXT NOT NULL, PRIMARY KEY (collection, id)
);
`;

export interface EffectRow {
  readonly id: string;
  readonly contact: ContactId;
  readonly account: string;
  readonly class: string;
  readonly scope: string;
  readonly ordered: number;
  readonly place: number;
  readonly state: "p" | "i" | "h" | "q";
  readonly attempt: number;
  /** Decisions so far. */
  readonly rev: number;
  /** 1: held in its place; no later message leaves. */
  readonly in_place: number;
  readonly not_before: number;
  readonly created: number;
  readonly token: string | null;
  readonly turn: string | null;
  readonly reason: string | null;
  readonly job: string | null;
  readonly sealed: string;
}

export function effectRow(file: SqlFile, id: string): EffectRow | undefined {
  return file.get<EffectRow>("SELECT * FROM effect WHERE id = ?", id);
}

/** Whether both are of one contact in one account. */
export function sameOwner(
  row: Pick<EffectRow, "account" | "contact">,
  other: Pick<Begun, "account" | "contact">,
): boolean {
  return row.account === other.account && row.contact === other.contact;
}
