/**
 * Tombstones of erased people in the embedded store: keyed hashes of their names, and when. Inside a transaction of the
 * caller.
 */
import type { ContactId } from "../../port/port.ts";
import type { Base } from "../file/base.ts";

/** Events tell their time in whole seconds: what was done in the second of an erasure counts as after it. */
const SECOND_MS = 1_000;

export class Tombstones {
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
