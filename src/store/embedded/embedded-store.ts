/** The store in one SQLite file, for the first run and for one small process. Same promises as on Redis. */
import { GUARDED, holdOf } from "../pauses.ts";
import { LIMITS, type Limits } from "../limits.ts";
import { GuardMarks } from "../guard-marks.ts";
import type { ContactId, KeyCensus, Store, StoreInfo } from "../port/port.ts";
import { KeyRing } from "../sealing/seal.ts";
import { Listeners, type Work } from "../listeners.ts";
import { BusinessKeys } from "./business-keys.ts";
import { DeadLetters } from "./contacts/dead-letters.ts";
import { Mailbox } from "./contacts/mailbox.ts";
import { People } from "./contacts/people.ts";
import { Documents } from "./documents.ts";
import { Outbox } from "./effects/outbox.ts";
import { Base } from "./file/base.ts";
import { SCHEMA } from "./file/schema.ts";
import { SqlFile } from "./file/sql-file.ts";
import { takeCensus } from "./key-census.ts";
import { Scopes } from "./scopes.ts";
import { Views } from "./views.ts";

/** A database in memory, with the time and the names that its owner gives. Opened again it is what another process would find. */
export interface Memory {
  readonly file: SqlFile;
  /** Ms. */
  readonly now: () => number;
  readonly contactId: () => ContactId;
}

export class EmbeddedStore implements Store {
  readonly mail: Mailbox;
  readonly deadLetters: DeadLetters;
  readonly contacts: People;
  readonly effects: Outbox;
  readonly keys: BusinessKeys;
  readonly scopes: Scopes;
  readonly documents: Documents;
  readonly views: Views;
  readonly #file: SqlFile;
  readonly #base: Base;

  /** Throws `STORE_LOCKED`, `KEY_UNKNOWN`, `STORE_INCOMPATIBLE`, `SETTING_INVALID`. */
  constructor(options: {
    /**
     * Folder of the file and of its mark, by which an older copy of the file is noticed. Absent: a database in memory,
     * without a mark.
     */
    readonly folder?: string;
    readonly memory?: Memory;
    readonly keys: string;
    readonly limits?: Partial<Limits>;
  }) {
    const { folder, memory } = options;
    const ring = new KeyRing(options.keys);
    this.#file = memory?.file ?? new SqlFile(folder, SCHEMA);
    const limits = { ...LIMITS, ...options.limits };
    const { now, contactId } = memory ?? {};
    const wake = new Listeners<Work>();
    try {
      this.#base = new Base({ file: this.#file, ring, limits, wake, now, contactId });
    } catch (error) {
      if (!memory) this.#file.close();
      throw error;
    }
    const { install } = this.#base;
    const marks = new GuardMarks(
      folder === undefined ? undefined : { folder, install, origin: "embedded" },
    );
    this.effects = new Outbox(this.#base, marks);
    this.mail = new Mailbox(this.#base, this.effects);
    this.deadLetters = new DeadLetters(this.#base);
    this.contacts = new People(this.#base, this.mail);
    this.keys = new BusinessKeys(this.#base);
    this.scopes = new Scopes(this.#base);
    this.documents = new Documents(this.#base);
    this.views = new Views(this.#base);
    this.#holdWhenOlder(marks);
  }

  async info(): Promise<StoreInfo> {
    const row = this.#file.get<{ version: string }>("SELECT sqlite_version() AS version");
    return {
      kind: "embedded",
      version: `SQLite ${row?.version ?? "unknown"}`,
      durability: "D1",
      sentence:
        "Every answer follows an fsync of the embedded file; it survives the process and the system, not the disk.",
    };
  }

  async now(): Promise<number> {
    return this.#base.now();
  }

  async close(): Promise<void> {
    this.#file.close();
  }

  census(options?: { readonly rewrap?: boolean }): Promise<KeyCensus> {
    return takeCensus(this.#base, options?.rewrap === true);
  }

  onKeyMissing(listener: (entry: string) => void) {
    return this.#base.ring.missing.add(listener);
  }

  onDamaged(listener: (collection: string, id: string) => void) {
    return this.documents.damaged.listeners.add(({ collection, id }) => listener(collection, id));
  }

  onUnconfirmed() {
    return () => undefined;
  }

  onWake(listener: (what: Work) => void) {
    return this.#base.wake.add(listener);
  }

  /**
   * The file knows fewer calls than were begun: an older one was put in its place. Noticed only while the folder's own mark
   * was not restored with it.
   */
  #holdWhenOlder(marks: GuardMarks): void {
    const missing = marks.of(0) - this.#base.count("guarded");
    if (missing <= 0) return;
    for (const one of GUARDED) this.scopes.pauseNow(holdOf(one), "restored");
    this.#base.add("guarded", missing);
  }
}
