/** Who is who in the embedded store: aliases, merges, erasure. */
import type { ContactId, ContactStore } from "../../port/port.ts";
import type { Base } from "../file/base.ts";
import { TemporaryNames } from "./temporary-names.ts";
import type { Mailbox } from "./mailbox.ts";
import { Tombstones } from "./tombstones.ts";

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
