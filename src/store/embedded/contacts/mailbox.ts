/** Mailboxes, leases and sessions of the embedded store. */
import { sealMail } from "../../sealing/contact-keys.ts";
import { sealTurn } from "../../sealing/journal.ts";
import { type Handed, handover } from "../../merge-handover.ts";
import { SOLO_AFTER } from "../../limits.ts";
import type {
  Acceptance,
  Accepted,
  Claimed,
  Commit,
  Committed,
  ContactId,
  MailStore,
  Take,
} from "../../port/port.ts";
import type { Base, ContactRow } from "../file/base.ts";
import type { Outbox } from "../effects/outbox.ts";
import { holds, MailboxRows } from "./mailbox-rows.ts";
import { OldIds } from "./old-ids.ts";
import { Timers } from "./timers.ts";

const FENCED: Committed = { ok: false, reason: "fenced" };
/** No lease of a contact is longer, ms. */
const AHEAD_MS = 60_000;

const TOO_LARGE: Committed = { ok: false, reason: "too_large" };

export class Mailbox implements MailStore {
  readonly #base: Base;
  readonly #outbox: Outbox;
  readonly #rows: MailboxRows;
  readonly #timers: Timers;
  readonly #oldIds: OldIds;

  constructor(base: Base, outbox: Outbox) {
    this.#base = base;
    this.#outbox = outbox;
    this.#rows = new MailboxRows(base);
    this.#timers = new Timers(base);
    this.#oldIds = new OldIds(base);
  }

  async accept(items: readonly Acceptance[], take?: Take): Promise<readonly Accepted[]> {
    // The last item of a contact leases it, with all mail before it.
    const last = new Map(items.map((item) => [item.contact, item]));
    const { file, wake } = this.#base;
    const answers = await file.commit(
      () => {
        this.#base.refuseWhenFull();
        return items.map((item) =>
          this.acceptOne(item, last.get(item.contact) === item ? take : undefined),
        );
      },
      (accepted) => {
        for (const answer of accepted) if (typeof answer === "object") take?.claimed(answer);
        if (accepted.includes("new")) wake.tell("turns");
      },
    );
    return answers.map((answer) => (typeof answer === "object" ? "new" : answer));
  }

  claim(options: { contacts: number; events: number; leaseMs: number }): Promise<Claimed[]> {
    return this.#base.file.commit(() => this.#claim(options));
  }

  commit(commits: readonly Commit[]): Promise<readonly Committed[]> {
    const { file, wake } = this.#base;
    return file.commit(
      () => commits.map((commit) => this.#commit(commit)),
      (answers) => {
        if (answers.some((answer) => answer.ok && answer.left > 0)) wake.tell("turns");
        if (commits.some((commit) => commit.effects.length > 0)) wake.tell("outbox");
      },
    );
  }

  async tick(options: { offsetMs: number; limit: number }): Promise<number> {
    const { file, wake } = this.#base;
    const { moved } = await file.commit(
      () => ({ place: this.#oldIds.forget(), moved: this.#timers.tick(options) }),
      ({ place, moved: count }) => {
        this.#oldIds.wentTo(place);
        if (count > 0) wake.tell("turns");
      },
    );
    return moved;
  }

  /** Inside a transaction of the caller. */
  acceptOne(item: Acceptance, take?: Omit<Take, "claimed">): Accepted | Claimed {
    const base = this.#base;
    const now = base.now();
    if (this.#hasMoved(item)) return "moved";
    const { row, key } = base.open(item.account, item.contact);
    const event = base.names.event(item.contact, item.event);
    if (this.#rows.isKnown(row, event, now)) {
      base.add("duplicate");
      return "duplicate";
    }
    const ids = this.#rows.forgetOld(row, now);
    const sealed = sealMail(key, item.contact, event, item);
    base.add("accepted");
    const full = row.queued >= base.limits.mailbox || ids >= base.limits.dedupe;
    if (full && item.handed !== true) {
      this.#rows.addDeadLetter(
        row,
        { seq: 0, at: now, event, sealed, due: null },
        "mailbox_full",
        now,
      );
      if (ids < base.limits.dedupe) this.#rows.remember(row, event, now);
      return "dead";
    }
    this.#rows.remember(row, event, now);
    this.#rows.push(row, { at: now, event, sealed, due: null });
    if (item.notBefore !== undefined) {
      base.file.run(
        "UPDATE contact SET wake = MIN(IFNULL(wake, ?1), ?1) WHERE id = ?2",
        item.notBefore,
        item.contact,
      );
      return "new";
    }
    if (take && this.#isNext(row, now)) return this.#lease(row, take, now);
    this.#rows.makeReady(item.contact, now);
    return "new";
  }

  /** Whether a claim would hand it out next: it is not leased, no other contact waits, and it need not come alone. */
  #isNext(row: ContactRow, now: number): boolean {
    if (row.failed_claims >= SOLO_AFTER || row.forward !== null) return false;
    if (row.ready !== null && row.ready > now) return false;
    const { file } = this.#base;
    return !file.get("SELECT 1 FROM contact WHERE ready <= ? AND id <> ? LIMIT 1", now, row.id);
  }

  /** Merged into another contact, or erased: a contact without a row has an alias only before its first mail. */
  #hasMoved({ contact, found }: Acceptance): boolean {
    const row = this.#base.contact(contact);
    if (row) return found === true && row.forward !== null;
    const { file } = this.#base;
    return file.get("SELECT 1 FROM alias WHERE contact = ? LIMIT 1", contact) === undefined;
  }

  #claim(options: { contacts: number; events: number; leaseMs: number }): Claimed[] {
    const { file } = this.#base;
    const now = this.#base.now();
    // The clock jumped back: no lease is that long, so these contacts are due.
    file.run("UPDATE contact SET ready = ?1 WHERE ready > ?1 + ?2", now, AHEAD_MS);
    const due = file.all<ContactRow>(
      "SELECT * FROM contact WHERE ready <= ? ORDER BY ready LIMIT ?",
      now,
      options.contacts,
    );
    const claimed: Claimed[] = [];
    for (const row of due) {
      if (row.queued === 0) {
        file.run("UPDATE contact SET ready = NULL, epoch = 0 WHERE id = ?", row.id);
        continue;
      }
      const alone = row.failed_claims >= SOLO_AFTER;
      if (alone && claimed.length > 0) continue;
      claimed.push(this.#lease(row, options, now));
      if (alone) break;
    }
    return claimed;
  }

  #commit(commit: Commit): Committed {
    const base = this.#base;
    const { file } = base;
    const row = base.contact(commit.contact);
    if (!row || !holds(row, commit) || commit.applied > row.queued) return FENCED;
    if (JSON.stringify(commit.session).length > base.limits.session) return TOO_LARGE;
    const key = base.keyOf(row);
    const now = base.now();
    const rev = commit.session === null ? row.rev : row.rev + 1;
    if (commit.session !== null) this.#rows.writeSession(row, key, rev, commit.session);
    if (commit.applied > 0)
      file.run(
        `DELETE FROM mail WHERE contact = ?1 AND seq IN
         (SELECT seq FROM mail WHERE contact = ?1 ORDER BY seq LIMIT ?2)`,
        row.id,
        commit.applied,
      );
    base.add("applied", commit.applied);
    const left = row.queued - commit.applied;
    const backOff = left > 0 && commit.againAt !== undefined;
    file.run(
      `UPDATE contact SET rev = ?, queued = ?, epoch = 0, ready = ?, wake = ?, due = ?, failed_claims = ?
       WHERE id = ?`,
      rev,
      left,
      left > 0 && !backOff ? now : null,
      left === 0 ? null : backOff ? (commit.againAt ?? null) : row.wake,
      commit.due === "same" ? row.due : commit.due,
      failedClaimsAfter(row, commit),
      row.id,
    );
    const turn = sealTurn(key, commit, rev);
    this.#rows.writeJournal(row.id, turn.lines);
    const begun = this.#outbox.create(row, commit.effects, turn, now);
    return { ok: true, rev, left, begun };
  }

  /**
   * From now on mail of `loser` is handed out with the winner's name on it, and no turn of it is committed. Answers what is
   * to be handed over; what cannot be opened stays where it is.
   */
  forward(account: string, loser: ContactId, winner: ContactId): Handed[] {
    const base = this.#base;
    const { file } = base;
    const { row } = base.open(account, loser);
    const { session, mail, broken } = this.#rows.opened(row, row.queued);
    const left = broken === undefined ? 0 : row.queued;
    file.run(
      `UPDATE contact SET forward = ?, due = NULL, wake = NULL, epoch = 0, failed_claims = 0, queued = ?, ready = ?
       WHERE id = ?`,
      winner,
      left,
      left > 0 ? base.now() : null,
      loser,
    );
    if (broken !== undefined) return [];
    file.run("DELETE FROM session WHERE contact = ?", loser);
    file.run("DELETE FROM mail WHERE contact = ?", loser);
    base.add("applied", row.queued);
    return handover(loser, row.rev, session, mail);
  }

  /** Whether this very contact was given the event. */
  knew(contact: ContactId, event: string): boolean {
    const base = this.#base;
    const row = base.contact(contact);
    return (
      row !== undefined && this.#rows.isKnown(row, base.names.event(contact, event), base.now())
    );
  }

  #lease(row: ContactRow, options: { events: number; leaseMs: number }, now: number): Claimed {
    const base = this.#base;
    base.add("epoch");
    const epoch = base.count("epoch");
    base.file.run(
      "UPDATE contact SET epoch = ?, lease = ?, ready = ?, failed_claims = failed_claims + 1 WHERE id = ?",
      epoch,
      options.leaseMs,
      now + options.leaseMs,
      row.id,
    );
    return {
      account: row.account,
      contact: row.id,
      epoch,
      rev: row.rev,
      failedClaims: row.failed_claims,
      ...this.#rows.opened(row, options.events),
      ...(row.forward === null ? {} : { forward: row.forward }),
    };
  }
}

/** Claims without progress. A clean release is no failed try; a back-off is one. */
function failedClaimsAfter(row: ContactRow, commit: Commit): number {
  if (commit.applied > 0) return 0;
  return commit.againAt === undefined || commit.blameless
    ? Math.max(0, row.failed_claims - 1)
    : row.failed_claims;
}
