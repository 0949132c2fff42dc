/** Business keys of the embedded store. */
import type { KeyClaim, KeyHold, KeyStore } from "../port/port.ts";
import type { Base } from "./file/base.ts";

interface KeyRow {
  readonly owner: string;
  readonly state: "claimed" | "settled";
  readonly until: number | null;
}

/** A key as one step finds it. */
interface Found {
  readonly id: string;
  readonly now: number;
  readonly row: KeyRow | undefined;
}

export class BusinessKeys implements KeyStore {
  readonly #base: Base;

  constructor(base: Base) {
    this.#base = base;
  }

  claim(account: string, key: string, owner: string, ttlMs?: number): Promise<KeyClaim> {
    const { file } = this.#base;
    return this.#step<KeyClaim>(account, key, ({ id, now, row }) => {
      const until = ttlMs === undefined ? null : now + ttlMs;
      if (row && row.owner !== owner) return { ok: false, owner: row.owner, state: row.state };
      if (row) {
        file.run(
          `UPDATE business_key SET until = MAX(until, ?) WHERE id = ? AND state <> 'settled'`,
          until,
          id,
        );
        return { ok: true };
      }
      // Most expired ones are never asked for again, so they are removed here.
      file.run("DELETE FROM business_key WHERE until <= ?", now);
      file.run(
        "INSERT OR REPLACE INTO business_key (id, owner, state, until) VALUES (?, ?, 'claimed', ?)",
        id,
        owner,
        until,
      );
      return { ok: true };
    });
  }

  hold(account: string, key: string, owner: string): Promise<KeyHold> {
    return this.#step<KeyHold>(account, key, ({ id, row }) => {
      if (row?.owner !== owner) return "gone";
      if (row.state === "settled") return "settled";
      this.#base.file.run("UPDATE business_key SET until = NULL WHERE id = ?", id);
      return "held";
    });
  }

  settle(account: string, key: string, owner: string, ttlMs?: number): Promise<boolean> {
    return this.#step(account, key, ({ id, now, row }) => {
      if (row?.owner !== owner) return false;
      this.#base.file.run(
        `UPDATE business_key SET state = 'settled', until = IFNULL(?, until)
         WHERE id = ? AND state <> 'settled'`,
        ttlMs === undefined ? null : now + ttlMs,
        id,
      );
      return true;
    });
  }

  free(account: string, key: string, owner: string, afterMs?: number): Promise<boolean> {
    return this.#step(account, key, ({ id, now, row }) => {
      if (row?.owner !== owner || row.state === "settled") return false;
      if (afterMs === undefined) return this.#remove(id);
      this.#base.file.run(
        "UPDATE business_key SET until = MIN(IFNULL(until, ?1), ?1) WHERE id = ?2",
        now + afterMs,
        id,
      );
      return true;
    });
  }

  release(account: string, key: string, owner: string): Promise<boolean> {
    return this.#step(account, key, ({ id, row }) => row?.owner === owner && this.#remove(id));
  }

  #step<T>(account: string, key: string, step: (found: Found) => T): Promise<T> {
    const { file, names } = this.#base;
    const id = names.businessKey(account, key);
    return file.commit(() => {
      const now = this.#base.now();
      const row = file.get<KeyRow>("SELECT * FROM business_key WHERE id = ?", id);
      const isThere = row && (row.until === null || row.until > now);
      return step({ id, now, row: isThere ? row : undefined });
    });
  }

  #remove(id: string): boolean {
    return this.#base.file.run("DELETE FROM business_key WHERE id = ?", id) > 0;
  }
}
