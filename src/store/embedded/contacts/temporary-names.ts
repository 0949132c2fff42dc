/** Names that lead to an alias for a while, in the embedded store. Inside a transaction of the caller. */
import type { ContactId } from "../../port/port.ts";
import type { Base } from "../file/base.ts";

export class TemporaryNames {
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
