/** What the parts of the embedded store share: the file, keys, names, limits, clock, counters and listeners for work. */
import { randomBytes } from "node:crypto";
import { Fault } from "../../../base/index.ts";
import { ContactKeys } from "../../sealing/contact-keys.ts";
import type { Limits } from "../../limits.ts";
import { Names } from "../../names.ts";
import type { ContactId } from "../../port/port.ts";
import { type DataKey, isChanged, type KeyRing } from "../../sealing/seal.ts";
import type { Listeners, Work } from "../../listeners.ts";
import { SCHEMA_VERSION } from "./schema.ts";
import type { SqlFile } from "./sql-file.ts";

/** A clock that goes back further than this was set anew, ms; otherwise time stands still until the clock has caught up. */
const JUMP_MS = 5_000;

/** How long one measurement of the file's size is used, ms: no gigabyte is written meanwhile. */
const SIZE_KNOWN_MS = 1_000;

type Counter = "accepted" | "duplicate" | "applied" | "dead" | "epoch" | "guarded";

export interface ContactRow {
  readonly id: ContactId;
  readonly account: string;
  readonly dkey: string;
  readonly forward: string | null;
  readonly epoch: number;
  readonly lease: number;
  readonly rev: number;
  readonly failed_claims: number;
  readonly seq: number;
  readonly queued: number;
  readonly ids: number;
  readonly ready: number | null;
  readonly wake: number | null;
  readonly due: number | null;
}

export class Base {
  readonly file: SqlFile;
  readonly ring: KeyRing;
  readonly keys: ContactKeys;
  readonly names: Names;
  readonly limits: Limits;
  readonly wake: Listeners<Work>;
  /** Names this store, also when an older copy of its file is put in its place. */
  readonly install: string;
  readonly #clock: () => number;
  readonly #contactId: (() => ContactId) | undefined;
  #latest = 0;
  #size = { bytes: 0, at: -Infinity };

  constructor(options: {
    readonly file: SqlFile;
    readonly ring: KeyRing;
    readonly limits: Limits;
    readonly wake: Listeners<Work>;
    readonly now?: (() => number) | undefined;
    readonly contactId?: (() => ContactId) | undefined;
  }) {
    this.file = options.file;
    this.#clock = options.now ?? (() => Date.now());
    this.#contactId = options.contactId;
    this.ring = options.ring;
    this.limits = options.limits;
    this.wake = options.wake;
    this.keys = new ContactKeys(options.ring, (contact, was, wrapped) => {
      void this.file
        .commit(() =>
          this.file.run(
            "UPDATE contact SET dkey = ? WHERE id = ? AND dkey = ?",
            wrapped,
            contact,
            was,
          ),
        )
        // A wrapping that could not be stored is stored the next time the key is used.
        .catch(() => undefined);
    });
    this.names = new Names(this.#indexKey());
    this.install = this.#installName();
  }

  /** Ms. It goes back only when the system's clock jumped, not when it is corrected a little. */
  now(): number {
    const now = this.#clock();
    if (now > this.#latest || this.#latest - now > JUMP_MS) this.#latest = now;
    return this.#latest;
  }

  /** A contact id that was never used. */
  newContact(account: string): ContactId {
    return this.#contactId?.() ?? this.names.newContact(account);
  }

  contact(contact: ContactId): ContactRow | undefined {
    return this.file.get<ContactRow>("SELECT * FROM contact WHERE id = ?", contact);
  }

  /** The contact's row and key; made when there is none. Throws when it belongs to another account. */
  open(account: string, contact: ContactId): { readonly row: ContactRow; readonly key: DataKey } {
    let row = this.contact(contact);
    if (!row) {
      const { wrapped } = this.keys.propose(contact);
      const { file } = this;
      file.run(
        "INSERT INTO contact (id, account, dkey) VALUES (?, ?, ?)",
        contact,
        account,
        wrapped,
      );
      row = this.contact(contact);
    }
    if (row?.account !== account)
      throw new TypeError("A contact was named together with an account it does not belong to.");
    return { row, key: this.keyOf(row) };
  }

  /** The key to seal with for a contact. A changed key that cannot be opened is replaced. */
  keyOf({ id, dkey }: Pick<ContactRow, "id" | "dkey">): DataKey {
    try {
      return this.keys.of(id, dkey);
    } catch (error) {
      if (!isChanged(error)) throw error;
    }
    // The row at hand may be older than what was stored in this very step.
    const stored = this.contact(id)?.dkey ?? dkey;
    if (stored !== dkey) return this.keys.of(id, stored);
    const wrapped = this.ring.replace(id, dkey);
    this.file.run("UPDATE contact SET dkey = ? WHERE id = ?", wrapped, id);
    return this.keys.of(id, wrapped);
  }

  add(counter: Counter, by = 1): void {
    if (by === 0) return;
    this.file.run(
      "INSERT INTO counter (name, n) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET n = n + excluded.n",
      counter,
      by,
    );
  }

  count(counter: Counter): number {
    return this.file.get<{ n: number }>("SELECT n FROM counter WHERE name = ?", counter)?.n ?? 0;
  }

  /** Throws `STORE_FULL`. Only new events and new people are refused; what drains the store is not. */
  refuseWhenFull(): void {
    const now = performance.now();
    if (now - this.#size.at > SIZE_KNOWN_MS) this.#size = { bytes: this.file.bytes(), at: now };
    if (this.#size.bytes >= this.limits.fileBytes)
      throw new Fault("STORE_FULL", "The embedded store has reached its size.");
  }

  #installName(): string {
    this.file.run(
      "INSERT OR IGNORE INTO meta (name, value) VALUES ('install', ?)",
      randomBytes(9).toString("base64url"),
    );
    const named = this.file.get<{ value: string }>("SELECT value FROM meta WHERE name = 'install'");
    return named?.value ?? "";
  }

  /** Made once, wrapped by the active key, wrapped anew after a rotation. */
  #indexKey(): Buffer {
    const { file, ring } = this;
    const read = (name: string) =>
      file.get<{ value: string }>("SELECT value FROM meta WHERE name = ?", name)?.value;
    const write = (name: string, value: string) =>
      file.run("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", name, value);
    const schema = read("schema");
    if (schema !== undefined && schema !== String(SCHEMA_VERSION))
      throw new Fault("STORE_INCOMPATIBLE", `The embedded store has schema ${schema}.`);
    if (schema === undefined) write("schema", String(SCHEMA_VERSION));
    let wrapped = read("index");
    if (wrapped === undefined) {
      wrapped = ring.make("index").wrapped;
      write("index", wrapped);
    } else if (ring.isStale(wrapped)) {
      wrapped = ring.rewrap("index", wrapped);
      write("index", wrapped);
    }
    return ring.secret("index", wrapped);
  }
}
