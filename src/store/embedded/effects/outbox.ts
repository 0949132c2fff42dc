/** Effects of the embedded store: how they are stored, begun, ended and held. */
import { turnOf } from "../../sealing/contact-keys.ts";
import type { GuardMarks } from "../../guard-marks.ts";
import { holdOf, isGuarded } from "../../pauses.ts";
import { BORN_IN_FLIGHT, LONGEST_WAIT_MS } from "../../limits.ts";
import { associatedData } from "../../names.ts";
import type { Begun, EffectStore, NewEffect, SendEnd } from "../../port/port.ts";
import { lineOf, type SealedTurn } from "../../sealing/journal.ts";
import type { DataKey } from "../../sealing/seal.ts";
import type { Base, ContactRow } from "../file/base.ts";
import { type EffectRow, effectRow, sameOwner } from "../file/schema.ts";
import { MailboxRows } from "../contacts/mailbox-rows.ts";
import { InFlight } from "./in-flight.ts";
import { DueQueues, Order } from "./queues.ts";

export class Outbox implements EffectStore {
  readonly #base: Base;
  readonly #marks: GuardMarks;
  readonly #rows: MailboxRows;
  readonly #inFlight: InFlight;
  readonly #queues: DueQueues;
  readonly #order: Order;

  constructor(base: Base, marks: GuardMarks) {
    this.#base = base;
    this.#marks = marks;
    this.#rows = new MailboxRows(base);
    this.#queues = new DueQueues(base);
    this.#order = new Order(base, this.#queues);
    this.#inFlight = new InFlight(base, this.#order);
    this.#inFlight.orphan();
  }

  async begin(options: Parameters<EffectStore["begin"]>[0]): Promise<readonly Begun[]> {
    const begun = await this.#base.file.commit<readonly Begun[]>(() => this.#begin(options));
    if (begun.some((one) => isGuarded(one.class)))
      await this.#marks.raise(0, this.#base.count("guarded"));
    return begun;
  }

  amend(input: Parameters<EffectStore["amend"]>[0]): Promise<boolean> {
    return this.#base.file.commit(() => this.#inFlight.amend(input));
  }

  renew(items: Parameters<EffectStore["renew"]>[0], leaseMs: number): Promise<readonly boolean[]> {
    return this.#base.file.commit(() => items.map((item) => this.#inFlight.renew(item, leaseMs)));
  }

  /** Every answer followed an fsync already. */
  async confirm(effectClass = ""): Promise<boolean> {
    return !isGuarded(effectClass) || !this.#isHeld(effectClass);
  }

  end(ends: readonly SendEnd[]): Promise<readonly ("ok" | "stale")[]> {
    const { file, wake } = this.#base;
    return file.commit(
      () => ends.map((end) => this.#end(end)),
      () => {
        if (ends.some((end) => end.result)) wake.tell("turns");
        wake.tell("outbox");
      },
    );
  }

  reap(options: { limit: number; leaseMs: number }): Promise<readonly Begun[]> {
    return this.#base.file.commit<readonly Begun[]>(() => this.#inFlight.reap(options));
  }

  resolve(input: Parameters<EffectStore["resolve"]>[0]): Promise<boolean> {
    const { file, wake } = this.#base;
    return file.commit(
      () => this.#resolve(input),
      (done) => {
        if (done) for (const what of ["turns", "outbox"] as const) wake.tell(what);
      },
    );
  }

  /** Effects of a turn. Inside a transaction of the caller. */
  create(
    row: ContactRow,
    effects: readonly NewEffect[],
    turn: SealedTurn,
    now: number,
  ): readonly Begun[] {
    if (effects.length === 0) return [];
    const { file } = this.#base;
    let place = this.#order.last(row.id);
    const fresh: NewEffect[] = [];
    for (const [at, effect] of effects.entries()) {
      if (file.get("SELECT 1 FROM effect WHERE id = ?", effect.id)) continue;
      place += 1;
      const answers = turnOf(effect.payload);
      const sealed = turn.payloads[at];
      file.run(
        `INSERT INTO effect (id, contact, account, class, scope, ordered, place, head, state, attempt,
         not_before, offered, created, turn, sealed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'p', 0, ?, ?, ?, ?, ?)`,
        effect.id,
        row.id,
        row.account,
        effect.class,
        effect.scope,
        effect.ordered ? 1 : 0,
        place,
        effect.ordered ? 0 : 1,
        effect.notBefore ?? 0,
        effect.notBefore ?? now,
        now,
        answers === undefined ? null : this.#base.names.turn(row.id, answers),
        (sealed === "" ? turn.lines.at(-1) : sealed) ?? "",
      );
      fresh.push(effect);
    }
    this.#order.advance(row.id);
    return fresh.flatMap((effect) => {
      if (!effect.begin || !BORN_IN_FLIGHT.has(effect.class)) return [];
      if (this.#isHeld(effect.class)) return [];
      const stored = effectRow(file, effect.id);
      if (!stored || !this.#order.mayLeave(stored) || stored.not_before > now) return [];
      return this.#inFlight.start(stored, now + effect.begin.leaseMs) ?? [];
    });
  }

  #begin(options: Parameters<EffectStore["begin"]>[0]): Begun[] {
    const { file } = this.#base;
    const now = this.#base.now();
    // The clock jumped back: a wait of seconds now seems far longer.
    file.run(
      `UPDATE effect SET not_before = ?1, offered = ?1
       WHERE state = 'p' AND head = 1 AND not_before > ?1 + ?2`,
      now + options.offsetMs,
      LONGEST_WAIT_MS,
    );
    const due = this.#queues.take(options);
    this.#base.add("guarded", due.filter((row) => isGuarded(row.class)).length);
    return due.flatMap((row) => this.#inFlight.start(row, now + options.leaseMs) ?? []);
  }

  #end(end: SendEnd): "ok" | "stale" {
    const row = this.#inFlight.of(end);
    const contact = row && this.#base.contact(row.contact);
    if (!row || !contact) return "stale";
    const key = this.#base.keyOf(contact);
    this.#settle(row, key, end);
    if (end.holdTurn !== undefined)
      for (const id of this.#order.behind(row, end.holdTurn)) this.#hold(id, key, "turn");
    if (end.yields !== undefined && row.ordered === 1) this.#order.yield(row, end.yields);
    if (end.result) this.#rows.acceptResult(contact, key, end.result);
    if (end.journal !== undefined)
      this.#rows.writeJournal(contact.id, [lineOf(key, end, end.journal)]);
    this.#order.advance(row.contact);
    return "ok";
  }

  #resolve(input: Parameters<EffectStore["resolve"]>[0]): boolean {
    const row = effectRow(this.#base.file, input.id);
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
      if (input.result) this.#rows.acceptResult(contact, key, input.result);
      if (input.journal !== undefined)
        this.#rows.writeJournal(contact.id, [lineOf(key, input, input.journal)]);
    }
    this.#order.advance(row.contact);
    return true;
  }

  #isHeld(effectClass: string): boolean {
    const held = this.#base.file.get("SELECT 1 FROM pause WHERE scope = ?", holdOf(effectClass));
    return held !== undefined;
  }

  /** Each keeps the place at which it was asked for. Of those that go with it only ordered and held ones. */
  #resend(row: EffectRow, behind: readonly string[]): void {
    this.#again(row.id);
    if (row.ordered !== 1) return this.#queues.offer(row.id);
    for (const id of behind) {
      const other = effectRow(this.#base.file, id);
      if (other?.state === "h" && other.ordered === 1 && sameOwner(other, row)) this.#again(id);
    }
  }

  /** A person decided, so attempts are counted anew. */
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
          outcome.at,
          row.attempt - (outcome.kind === "not_sent" ? 1 : 0),
          row.id,
        );
        if (row.ordered !== 1) this.#queues.offer(row.id);
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

  /** Its job is over without success, or it gave its place up: the effect has changed. */
  #rest(row: EffectRow, key: DataKey, reason: string): void {
    this.#base.file.run("UPDATE effect SET rev = rev + 1 WHERE id = ?", row.id);
    this.#hold(row.id, key, reason);
  }

  /** An effect that keeps its place lets no later message of its contact leave. */
  #hold(id: string, key: DataKey, reason: string, inPlace = false): void {
    this.#base.file.run(
      "UPDATE effect SET state = 'h', token = NULL, lease = NULL, job = NULL, reason = ?, in_place = ? WHERE id = ?",
      key.sealText(associatedData.why(id), reason),
      inPlace ? 1 : 0,
      id,
    );
  }
}
