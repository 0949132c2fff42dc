/** Business keys of the embedded store. */
import type { KeyClaim, KeyHold, KeyStore } from "../port/port.ts";
import type { Base } from "./file/base.ts";

interface KeyRow {
  readonly owner: string;
  readonly state: "claimed" | "settled";
  readonly until: number | null;
}

export class BusinessKeys implements KeyStore {
  readonly #base: Base;

  constructor(base: Base) {
    this.#base = base;
  }

  claim(account: string, key: string, owner: string, ttlMs?: number): Promise<KeyClaim> {
    return this.#base.file.commit(() => this.#claim(account, key, owner, ttlMs));
  }

  #claim(account: string, key: string, owner: string, ttlMs?: number): KeyClaim {
    const { file } = this.#base;
    const now = this.#base.now();
    const id = this.#base.names.businessKey(account, key);
    const row = this.#businessKey(id, now);
    if (row && row.owner !== owner) return { ok: false, owner: row.owner, state: row.state };
    if (row) {
      file.run(
        `UPDATE business_key SET until = MAX(until, ?) WHERE id = ? AND state <> 'settled'`,
        ttlMs === undefined ? null : now + ttlMs,
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
      ttlMs === undefined ? null : now + ttlMs,
    );
    return { ok: true };
  }

  hold(account: string, key: string, owner: string): Promise<KeyHold> {
    return this.#base.file.commit(() => this.#hold(account, key, owner));
  }

  #hold(account: string, key: string, owner: string): KeyHold {
    const id = this.#base.names.businessKey(account, key);
    const row = this.#businessKey(id, this.#base.now());
    if (row?.owner !== owner) return "gone";
    if (row.state === "settled") return "settled";
    this.#base.file.run("UPDATE business_key SET until = NULL WHERE id = ?", id);
    return "held";
  }

  settle(account: string, key: string, owner: string, ttlMs?: number): Promise<boolean> {
    return this.#base.file.commit(() => this.#settle(account, key, owner, ttlMs));
  }

  #settle(account: string, key: string, owner: string, ttlMs?: number): boolean {
    const id = this.#base.names.businessKey(account, key);
    const now = this.#base.now();
    if (this.#businessKey(id, now)?.owner !== owner) return false;
    this.#base.file.run(
      `UPDATE business_key SET state = 'settled', until = IFNULL(?, until)
       WHERE id = ? AND state <> 'settled'`,
      ttlMs === undefined ? null : now + ttlMs,
      id,
    );
    return true;
  }

  free(account: string, key: string, owner: string, afterMs?: number): Promise<boolean> {
    return this.#base.file.commit(() => this.#free(account, key, owner, afterMs));
  }

  #free(account: string, key: string, owner: string, afterMs?: number): boolean {
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
        until,
        until,
        id,
      );
    }
    return true;
  }

  release(account: string, key: string, owner: string): Promise<boolean> {
    return this.#base.file.commit(() => this.#release(account, key, owner));
  }

  #release(account: string, key: string, owner: string): boolean {
    const id = this.#base.names.businessKey(account, key);
    if (this.#businessKey(id, this.#base.now())?.owner !== owner) return false;
    this.#base.file.run("DELETE FROM business_key WHERE id = ?", id);
    return true;
  }

  #businessKey(id: string, now: number): KeyRow | undefined {
    const row = this.#base.file.get<KeyRow>("SELECT * FROM business_key WHERE id = ?", id);
    return row && (row.until === null || row.until > now) ? row : undefined;
  }
}
