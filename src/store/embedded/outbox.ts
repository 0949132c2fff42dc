/** Effects of the embedded store: what waits, what is in flight, what rests. Each function runs inside a transaction. */
import { randomBytes } from "node:crypto";
import type { Json } from "../../base/index.ts";
import { turnOf } from "../contact-keys.ts";
import { holdOf, isGuarded } from "../hold.ts";
import { BORN_IN_FLIGHT, LONGEST_WAIT_MS } from "../limits.ts";
import { places } from "../places.ts";
import type { Begun, ContactId, NewEffect, SendEnd, Store } from "../port.ts";
import type { DataKey } from "../seal.ts";
import { afterLease, UNREADABLE } from "../unreadable.ts";
import type { Base, ContactRow } from "./base.ts";
import type { EffectRow } from "./effect-view.ts";
import type { Mailbox } from "./mailbox.ts";
import { Order } from "./order.ts";

type Named = { readonly id: string; readonly account: string; readonly contact: ContactId };

/** The longest call there may be and a margin; what a process renews while its call runs. Ms. */
const LONGEST_LEASE_MS = 620_000;
const RENEWED_LEASE_MS = 10_000;

export class Outbox {
  readonly #base: Base;
  readonly #order: Order;

  constructor(base: Base) {
    this.#base = base;
    this.#order = new Order(base);
  }

  create(
    row: ContactRow,
    key: DataKey,
    effects: readonly NewEffect[],
    now: number,
  ): readonly Begun[] {
    if (effects.length === 0) return [];
    const { file } = this.#base;
    let place = this.#order.last(row.id);
    const fresh: NewEffect[] = [];
    for (const effect of effects) {
      if (file.get("SELECT 1 FROM effect WHERE id = ?", effect.id)) continue;
      place += 1;
      const turn = turnOf(effect.payload);
      file.run(
        `INSERT INTO effect (id, contact, account, class, scope, ordered, place, head, state, attempt,
         not_before, created, turn, sealed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'p', 0, ?, ?, ?, ?)`,
        ...[effect.id, row.id, row.account, effect.class, effect.scope],
        ...[effect.ordered ? 1 : 0, place, effect.ordered ? 0 : 1, effect.notBefore ?? 0, now],
        turn === undefined ? null : this.#base.names.turn(row.id, turn),
        key.seal(places.effect(effect.id), effect.payload),
      );
      fresh.push(effect);
    }
    this.#order.advance(row.id);
    return fresh.flatMap((effect) => {
      if (!effect.begin || !BORN_IN_FLIGHT.has(effect.class)) return [];
      if (file.get("SELECT 1 FROM pause WHERE scope = ?", holdOf(effect.class))) return [];
      const stored = this.#row(effect.id);
      if (!stored || !this.#order.mayLeave(stored) || stored.not_before > now) return [];
      return this.#start(stored, now + effect.begin.leaseMs) ?? [];
    });
  }

  begin(options: Parameters<Store["beginSend"]>[0]): Begun[] {
    const { file } = this.#base;
    const now = this.#base.now();
    const { paused, classes } = options;
    // The clock jumped back: what was to wait for seconds is far ahead now.
    file.run(
      "UPDATE effect SET not_before = ?1 WHERE state = 'p' AND head = 1 AND not_before > ?1 + ?2",
      now + options.offsetMs,
      LONGEST_WAIT_MS,
    );
    const scopes = paused.length > 0 ? `AND scope NOT IN (${marks(paused)})` : "";
    const wanted = classes ? `AND class IN (${marks(classes)})` : "";
    const some = `FROM effect WHERE state = 'p' AND head = 1 AND not_before <= ? ${scopes} ${wanted}
       AND class NOT IN (SELECT substr(scope, 6) FROM pause WHERE scope LIKE 'hold:%')`;
    const values = [now + options.offsetMs, ...paused, ...(classes ?? [])];
    const due = options.shares
      ? file.all<EffectRow>(
          `SELECT one.* FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY scope ORDER BY not_before, created) AS nth ${some}) AS one
           JOIN json_each(?) AS share ON share.key = one.scope
           WHERE one.nth <= share.value ORDER BY one.nth, one.not_before LIMIT ?`,
          ...[...values, JSON.stringify(Object.fromEntries(options.shares)), options.limit],
        )
      : file.all<EffectRow>(
          `SELECT * ${some} ORDER BY not_before, created LIMIT ?`,
          ...[...values, options.limit],
        );
    this.#base.add("guarded", due.filter((row) => isGuarded(row.class)).length);
    return due.flatMap((row) => this.#start(row, now + options.leaseMs) ?? []);
  }

  amend(input: Parameters<Store["amend"]>[0]): boolean {
    const row = this.#inFlight(input);
    if (!row) return false;
    const sealed = this.#keyOf(row).seal(places.effect(row.id), input.payload);
    this.#base.file.run("UPDATE effect SET sealed = ? WHERE id = ?", sealed, row.id);
    return true;
  }

  renew(item: Named & { token: string }, leaseMs: number): boolean {
    const renewed = this.#base.file.run(
      `UPDATE effect SET lease = MAX(lease, ?)
       WHERE id = ? AND account = ? AND contact = ? AND state = 'i' AND token = ?`,
      ...[this.#base.now() + leaseMs, item.id, item.account, item.contact, item.token],
    );
    return renewed === 1;
  }

  end(end: SendEnd, mailbox: Mailbox): "ok" | "stale" {
    const row = this.#inFlight(end);
    const contact = row && this.#base.contact(row.contact);
    if (!row || !contact) return "stale";
    const key = this.#base.keyOf(contact);
    this.#settle(row, key, end);
    if (end.holdTurn !== undefined)
      for (const id of this.#order.behind(row, end.holdTurn)) this.#hold(id, key, "turn");
    if (end.yields !== undefined && row.ordered === 1) this.#order.yield(row, end.yields);
    if (end.result) mailbox.acceptResult(contact, key, end.result);
    if (end.journal !== undefined)
      mailbox.writeJournal(contact.id, key, [end.journal], `e${row.attempt}`);
    this.#order.advance(row.contact);
    return "ok";
  }

  /**
   * What is in flight when the file is opened was in flight in a process that is dead: nobody else may open it. Its
   * leases end now, so that a reply which a crash cut off is judged at once and not after the call's time-out.
   */
  orphan(): void {
    this.#base.file.run("UPDATE effect SET lease = 0 WHERE state = 'i'");
  }

  reap(options: { limit: number; leaseMs: number }): Begun[] {
    const { file } = this.#base;
    const now = this.#base.now();
    // The clock jumped back: no lease is longer than the longest call, and those of classes that are renewed are short.
    file.run(
      `UPDATE effect SET lease = ?1 + CASE WHEN class IN ('fiscal', 'costly', 'destructive') THEN ?2 ELSE ?3 END
       WHERE state = 'i' AND lease > ?1 + ?2`,
      ...[now, LONGEST_LEASE_MS, RENEWED_LEASE_MS],
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

  resolve(input: Parameters<Store["resolve"]>[0], mailbox: Mailbox): boolean {
    const row = this.#row(input.id);
    const contact = this.#base.contact(input.contact);
    if (!row || !contact || !sameOwner(row, input)) return false;
    if (row.state !== "h" && row.state !== "q") return false;
    if (input.rev !== undefined && input.rev !== row.rev) return false;
    if (input.action === "resend") this.#resend(row, input.behind ?? []);
    else {
      if (input.action === "hold" && row.state !== "q" && row.in_place !== 1) return false;
      const key = this.#base.keyOf(contact);
      if (input.action === "hold") this.#rest(row, key, input.reason ?? "");
      else this.#base.file.run("DELETE FROM effect WHERE id = ?", row.id);
      if (input.result) mailbox.acceptResult(contact, key, input.result);
      if (input.journal !== undefined)
        mailbox.writeJournal(contact.id, key, [input.journal], `e${row.attempt}`);
    }
    this.#order.advance(row.contact);
    return true;
  }

  /** Each stands where it was asked for. Of those that go with it only what is of its order, and rests as well. */
  #resend(row: EffectRow, behind: readonly string[]): void {
    this.#again(row.id);
    if (row.ordered !== 1) return;
    for (const id of behind) {
      const other = this.#row(id);
      if (other?.state === "h" && other.ordered === 1 && sameOwner(other, row)) this.#again(id);
    }
  }

  /** Somebody decided, so attempts start anew. */
  #again(id: string): void {
    this.#base.file.run(
      `UPDATE effect SET state = 'p', attempt = 0, rev = rev + 1, not_before = 0, reason = NULL, job = NULL, in_place = 0
       WHERE id = ?`,
      id,
    );
  }

  #settle(row: EffectRow, key: DataKey, { outcome }: SendEnd): void {
    const { file } = this.#base;
    switch (outcome.kind) {
      case "done":
      case "failed":
        file.run("DELETE FROM effect WHERE id = ?", row.id);
        return;
      case "retry":
      case "not_sent":
        file.run(
          `UPDATE effect SET state = 'p', token = NULL, lease = NULL,
           not_before = MAX(not_before, ?), attempt = ? WHERE id = ?`,
          ...[outcome.at, row.attempt - (outcome.kind === "not_sent" ? 1 : 0), row.id],
        );
        return;
      case "held":
        this.#hold(row.id, key, outcome.reason, row.ordered === 1 && outcome.inPlace === true);
        return;
      case "enqueued":
        file.run(
          "UPDATE effect SET state = 'q', token = NULL, lease = NULL, job = ? WHERE id = ?",
          outcome.job,
          row.id,
        );
    }
  }

  /** Its job is over, and said nothing good; or it gave its place up: another matter than it was. */
  #rest(row: EffectRow, key: DataKey, reason: string): void {
    this.#base.file.run("UPDATE effect SET rev = rev + 1 WHERE id = ?", row.id);
    this.#hold(row.id, key, reason);
  }

  /** One that keeps its place lets none of its contact's leave that stands behind it. */
  #hold(id: string, key: DataKey, reason: string, inPlace = false): void {
    this.#base.file.run(
      "UPDATE effect SET state = 'h', token = NULL, lease = NULL, job = NULL, reason = ?, in_place = ? WHERE id = ?",
      ...[key.sealText(places.note(id), reason), inPlace ? 1 : 0, id],
    );
  }

  /** What nobody here can open, and nobody else had in hand: again, or held for a person. */
  #putBy(row: EffectRow): void {
    const { file } = this.#base;
    const state = afterLease(row) === "held" ? "h" : "p";
    file.run(
      "UPDATE effect SET state = ?, token = NULL, lease = NULL, reason = ?, in_place = 0 WHERE id = ?",
      ...[state, state === "h" ? UNREADABLE : null, row.id],
    );
    this.#order.advance(row.contact);
  }

  #start(row: EffectRow, lease: number): Begun | null {
    return this.#lease(row, lease, row.attempt + 1);
  }

  /** Null: its bytes cannot be opened. It is left to its lease, and the others of the step leave. */
  #lease(row: EffectRow, lease: number, attempt: number): Begun | null {
    const token = randomBytes(12).toString("base64url");
    this.#base.file.run(
      "UPDATE effect SET state = 'i', head = 1 - ordered, token = ?, lease = ?, attempt = ? WHERE id = ?",
      ...[token, lease, attempt, row.id],
    );
    const { id, account, contact, scope } = row;
    const payload = this.#opened(row);
    if (payload === undefined) return null;
    return {
      ...{ id, account, contact, scope, token, attempt, payload },
      class: row.class,
      ordered: row.ordered === 1,
      createdAt: row.created,
    };
  }

  #opened(row: EffectRow): Json | undefined {
    try {
      return this.#keyOf(row).open(places.effect(row.id), row.sealed);
    } catch {
      return undefined;
    }
  }

  #row(id: string): EffectRow | undefined {
    return this.#base.file.get<EffectRow>("SELECT * FROM effect WHERE id = ?", id);
  }

  #inFlight(input: Named & { token: string }): EffectRow | undefined {
    const row = this.#row(input.id);
    if (!row || !sameOwner(row, input)) return undefined;
    return row.state === "i" && row.token === input.token ? row : undefined;
  }

  #keyOf(row: EffectRow): DataKey {
    return this.#base.open(row.account, row.contact).key;
  }
}

function sameOwner(row: EffectRow, input: Named): boolean {
  return row.account === input.account && row.contact === input.contact;
}

function marks(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}
