/** Effects in flight: which worker has them, by token, and until when. Each function runs inside a transaction. */
import { randomBytes } from "node:crypto";
import type { Json } from "../../../base/index.ts";
import { SOLO_AFTER } from "../../limits.ts";
import type { Begun, EffectStore } from "../../port/port.ts";
import { openPayload, sealPayload } from "../../sealing/journal.ts";
import { afterLease, UNREADABLE } from "../../sealing/unreadable.ts";
import type { Base } from "../file/base.ts";
import { type EffectRow, effectRow, sameOwner } from "../file/schema.ts";
import type { Order } from "./queues.ts";

type Named = Pick<Begun, "id" | "account" | "contact" | "token">;

/** Longest leases: that of the longest call with a margin, and that of a call whose lease is renewed. Ms. */
const LONGEST_LEASE_MS = 620_000;
const RENEWED_LEASE_MS = 10_000;

export class InFlight {
  readonly #base: Base;
  readonly #order: Order;

  constructor(base: Base, order: Order) {
    this.#base = base;
    this.#order = order;
  }

  /** Null: its bytes cannot be opened. It is left to its lease, and the others of the step leave. */
  start(row: EffectRow, lease: number): Begun | null {
    return this.#lease(row, lease, row.attempt + 1);
  }

  /** Undefined: the token is stale; another worker has the effect, or it is settled. */
  of(input: Named): EffectRow | undefined {
    const row = effectRow(this.#base.file, input.id);
    if (!row || !sameOwner(row, input)) return undefined;
    return row.state === "i" && row.token === input.token ? row : undefined;
  }

  amend(input: Parameters<EffectStore["amend"]>[0]): boolean {
    const row = this.of(input);
    if (!row) return false;
    const { key } = this.#base.open(row.account, row.contact);
    const sealed = sealPayload(key, row.id, input.payload);
    this.#base.file.run("UPDATE effect SET sealed = ? WHERE id = ?", sealed, row.id);
    return true;
  }

  renew(item: Named, leaseMs: number): boolean {
    const renewed = this.#base.file.run(
      `UPDATE effect SET lease = MAX(lease, ?)
       WHERE id = ? AND account = ? AND contact = ? AND state = 'i' AND token = ?`,
      this.#base.now() + leaseMs,
      item.id,
      item.account,
      item.contact,
      item.token,
    );
    return renewed === 1;
  }

  /**
   * Effects in flight when the file is opened belonged to a process that is dead, because only one may open it. Their
   * leases end now, so that a call that a crash cut off is judged at once and not after its time-out.
   * Claims of contacts end with them, so that their mail is due at once. A poison candidate waits for the end of its lease:
   * others are served before it kills the process again.
   */
  orphan(): void {
    this.#base.file.run("UPDATE effect SET lease = 0 WHERE state = 'i'");
    this.#base.file.run(
      "UPDATE contact SET epoch = 0, ready = 0 WHERE epoch > 0 AND failed_claims < ?",
      SOLO_AFTER,
    );
  }

  reap(options: { limit: number; leaseMs: number }): Begun[] {
    const { file } = this.#base;
    const now = this.#base.now();
    // The clock jumped back: no lease is longer than the longest call, and renewed leases are short.
    file.run(
      `UPDATE effect SET lease = ?1 + CASE WHEN class IN ('fiscal', 'costly', 'destructive') THEN ?2 ELSE ?3 END
       WHERE state = 'i' AND lease > ?1 + ?2`,
      now,
      LONGEST_LEASE_MS,
      RENEWED_LEASE_MS,
    );
    const late = file.all<EffectRow>(
      "SELECT * FROM effect WHERE state = 'i' AND lease <= ? ORDER BY lease LIMIT ?",
      now,
      options.limit,
    );
    return late.flatMap((row) => {
      const begun = this.#lease(row, now + options.leaseMs, row.attempt);
      if (!begun) this.#putBy(row);
      return begun ?? [];
    });
  }

  /** An effect that cannot be opened here: tried again, or held for a person. */
  #putBy(row: EffectRow): void {
    const { file } = this.#base;
    const state = afterLease(row) === "held" ? "h" : "p";
    file.run(
      "UPDATE effect SET state = ?, token = NULL, lease = NULL, reason = ?, in_place = 0 WHERE id = ?",
      state,
      state === "h" ? UNREADABLE : null,
      row.id,
    );
    this.#order.advance(row.contact);
  }

  #lease(row: EffectRow, lease: number, attempt: number): Begun | null {
    const token = randomBytes(12).toString("base64url");
    this.#base.file.run(
      "UPDATE effect SET state = 'i', head = 1 - ordered, token = ?, lease = ?, attempt = ? WHERE id = ?",
      token,
      lease,
      attempt,
      row.id,
    );
    const { id, account, contact, scope } = row;
    const payload = this.#opened(row);
    if (payload === undefined) return null;
    return {
      id,
      account,
      contact,
      scope,
      token,
      attempt,
      payload,
      class: row.class,
      ordered: row.ordered === 1,
      createdAt: row.created,
    };
  }

  #opened(row: EffectRow): Json | undefined {
    try {
      const { key } = this.#base.open(row.account, row.contact);
      return openPayload(key, row, row.sealed);
    } catch {
      return undefined;
    }
  }
}
