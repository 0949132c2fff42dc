/** Who is who in the embedded store: aliases, merges, erasure. */
import type { ContactId, ContactStore } from "../../port/port.ts";
import type { Base } from "../file/base.ts";
import type { Mailbox } from "./mailbox.ts";

interface Identified {
  readonly contact: ContactId | null;
  readonly merged: boolean;
}

export class People implements ContactStore {
  readonly #base: Base;
  readonly #mailbox: Mailbox;
  readonly #tombstones: Tombstones;
  readonly #temporaryNames: TemporaryNames;

  constructor(base: Base, mailbox: Mailbox) {
    this.#base = base;
    this.#mailbox = mailbox;
    this.#tombstones = new Tombstones(base);
    this.#temporaryNames = new TemporaryNames(base);
  }

  // Looked up each time: the file is here, and `recent` only allows an older answer.
  identify(account: string, aliases: readonly string[], recent?: boolean): Promise<ContactId>;
  identify(
    account: string,
    aliases: readonly string[],
    recent: boolean,
    at: number,
  ): Promise<ContactId | null>;
  async identify(account: string, aliases: readonly string[], _recent?: boolean, at?: number) {
    if (aliases.length === 0) throw new TypeError("A contact needs an alias.");
    const { contact } = await this.#base.file.commit(
      () => {
        this.#base.refuseWhenFull();
        return this.#identify(account, aliases, at);
      },
      ({ merged }) => {
        if (merged) this.#base.wake.tell("turns");
      },
    );
    return contact;
  }

  /**
   * Null: the event of time `at` was made before an erasure of one of these names. `merged`: two contacts were merged, and
   * there may be mail.
   */
  #identify(account: string, aliases: readonly string[], at?: number): Identified {
    const { file, names } = this.#base;
    const hashes = aliases.map((alias) => names.alias(account, alias));
    const erased = at === undefined ? 0 : this.#tombstones.latest(account, hashes);
    if (at !== undefined && erased > 0 && erased > at) return { contact: null, merged: false };
    const known = hashes.map((hash) => this.#contactOf(account, hash));
    const found = [...new Set(known.filter((contact) => contact !== null))];
    const winner = this.#oldest(found) ?? this.#make(account);
    for (const loser of found.filter((contact) => contact !== winner)) {
      file.run("UPDATE alias SET contact = ? WHERE contact = ?", winner, loser);
      for (const item of this.#mailbox.forward(account, loser, winner))
        this.#mailbox.acceptOne({ account, contact: winner, ...item });
    }
    for (const [index, hash] of hashes.entries())
      if (known[index] !== winner)
        file.run(
          "INSERT OR REPLACE INTO alias (account, hash, contact) VALUES (?, ?, ?)",
          account,
          hash,
          winner,
        );
    return { contact: winner, merged: found.length > 1 };
  }

  async knew(account: string, contact: ContactId, event: string): Promise<boolean> {
    return this.#base.contact(contact)?.account === account && this.#mailbox.knew(contact, event);
  }

  async lookup(account: string, alias: string): Promise<ContactId | null> {
    const hash = this.#base.names.alias(account, alias);
    return (
      this.#contactOf(account, hash) ??
      this.#contactOf(account, this.#temporaryNames.to(account, hash))
    );
  }

  lead(account: string, name: string, to: readonly string[]): Promise<boolean> {
    return this.#base.file.commit(() => this.#lead(account, name, to));
  }

  #lead(account: string, name: string, to: readonly string[]): boolean {
    const { names } = this.#base;
    const alias = to
      .map((one) => names.alias(account, one))
      .find((hash) => this.#contactOf(account, hash) !== null);
    if (alias === undefined) return false;
    this.#temporaryNames.put(account, names.alias(account, name), alias);
    return true;
  }

  erase(account: string, contact: ContactId): Promise<boolean> {
    const { file, keys } = this.#base;
    return file.commit(
      () => this.#erase(account, contact),
      () => {
        keys.forget(contact);
        file.flushLog();
      },
    );
  }

  #erase(account: string, contact: ContactId): boolean {
    const { file } = this.#base;
    const row = this.#base.contact(contact);
    if ((row?.account ?? this.#accountOf(contact) ?? account) !== account) return false;
    this.#temporaryNames.forget(contact);
    this.#tombstones.put(account, contact);
    // Contacts merged into this one hold older words of the same person.
    const merged = file.all<{ id: ContactId }>("SELECT id FROM contact WHERE forward = ?", contact);
    for (const { id } of merged) this.#erase(account, id);
    this.#base.add("dead", row?.queued ?? 0);
    let gone = file.run("DELETE FROM contact WHERE id = ?", contact);
    for (const table of [
      "session",
      "mail",
      "dedupe",
      "dead",
      "effect",
      "journal",
      "person",
      "alias",
    ])
      gone += file.run(`DELETE FROM ${table} WHERE contact = ?`, contact);
    return gone > 0;
  }

  forgetLines(account: string, contact: ContactId, seen: number, keep: number): Promise<void> {
    return this.#base.file.commit(() => this.#forgetLines(account, contact, seen, keep));
  }

  #forgetLines(account: string, contact: ContactId, seen: number, keep: number): void {
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

  #contactOf(account: string, hash: string): ContactId | null {
    return (
      this.#base.file.get<{ contact: ContactId }>(
        "SELECT contact FROM alias WHERE account = ? AND hash = ?",
        account,
        hash,
      )?.contact ?? null
    );
  }

  #accountOf(contact: ContactId): string | undefined {
    return this.#base.file.get<{ account: string }>(
      "SELECT account FROM person WHERE contact = ?",
      contact,
    )?.account;
  }

  #oldest(contacts: readonly ContactId[]): ContactId | undefined {
    const born = (contact: ContactId) =>
      this.#base.file.get<{ born: number }>("SELECT born FROM person WHERE contact = ?", contact)
        ?.born ?? Infinity;
    return [...contacts].sort((a, b) => born(a) - born(b))[0];
  }

  #make(account: string): ContactId {
    this.#tombstones.forgetOld();
    const contact = this.#base.newContact(account);
    this.#base.file.run("INSERT INTO person (contact, account) VALUES (?, ?)", contact, account);
    return contact;
  }
}

/** Events tell their time in whole seconds: what was done in the second of an erasure counts as after it. */
const SECOND_MS = 1_000;

/** Keyed hashes of the names of erased people, and when. Inside a transaction of the caller. */
class Tombstones {
  readonly #base: Base;

  constructor(base: Base) {
    this.#base = base;
  }

  /** The second of the last erasure of a person with one of these names, ms; 0 when none is remembered. */
  latest(account: string, hashes: readonly string[]): number {
    const times = hashes.map(
      (hash) =>
        this.#base.file.get<{ at: number }>(
          "SELECT at FROM erased WHERE account = ? AND hash = ?",
          account,
          hash,
        )?.at ?? 0,
    );
    const latest = Math.max(0, ...times);
    return latest - (latest % SECOND_MS);
  }

  /** For all names of a contact that is erased now. */
  put(account: string, contact: ContactId): void {
    const { file, limits } = this.#base;
    file.run(
      "INSERT OR REPLACE INTO erased (account, hash, at) SELECT account, hash, ? FROM alias WHERE contact = ?",
      this.#base.now(),
      contact,
    );
    this.forgetOld();
    file.run(
      `DELETE FROM erased WHERE account = ?1 AND n <=
       (SELECT n FROM erased WHERE account = ?1 ORDER BY n DESC LIMIT 1 OFFSET ?2)`,
      account,
      limits.erased,
    );
  }

  forgetOld(): void {
    const { file, limits } = this.#base;
    file.run("DELETE FROM erased WHERE at <= ?", this.#base.now() - limits.dedupeMs);
  }
}

/** Names that lead to an alias for a while. Inside a transaction of the caller. */
class TemporaryNames {
  readonly #base: Base;

  constructor(base: Base) {
    this.#base = base;
  }

  /** The alias this name leads to; '' when it leads nowhere. */
  to(account: string, hash: string): string {
    const { file, limits } = this.#base;
    const found = file.get<{ alias: string }>(
      "SELECT alias FROM lead WHERE account = ? AND hash = ? AND at > ?",
      account,
      hash,
      this.#base.now() - limits.leadMs,
    );
    return found?.alias ?? "";
  }

  put(account: string, hash: string, alias: string): void {
    const { file, limits } = this.#base;
    const now = this.#base.now();
    if (this.to(account, hash) === alias) return;
    file.run("DELETE FROM lead WHERE at <= ?", now - limits.leadMs);
    file.run(
      "INSERT OR REPLACE INTO lead (account, hash, alias, at) VALUES (?, ?, ?, ?)",
      account,
      hash,
      alias,
      now,
    );
    file.run(
      `DELETE FROM lead WHERE account = ?1 AND alias = ?2 AND n <=
       (SELECT n FROM lead WHERE account = ?1 AND alias = ?2 ORDER BY n DESC LIMIT 1 OFFSET ?3)`,
      account,
      alias,
      limits.leads,
    );
  }

  /** All names that lead to a person who is erased now. */
  forget(contact: ContactId): void {
    this.#base.file.run(
      `DELETE FROM lead WHERE (account, alias) IN (SELECT account, hash FROM alias WHERE contact = ?)`,
      contact,
    );
  }
}
