/** Dead letters of the embedded store. */
import type {
  ContactId,
  DeadLetter,
  DeadLettered,
  DeadLetterStore,
  NewDeadLetter,
  Page,
} from "../../port/port.ts";
import { associatedData } from "../../names.ts";
import { cursorOf, pageOf, readCursor } from "../../page.ts";
import { openMail, tickMail } from "../../sealing/contact-keys.ts";
import { letterOf } from "../../sealing/unreadable.ts";
import type { Base } from "../file/base.ts";
import { holds, MailboxRows } from "./mailbox-rows.ts";

const FENCED: DeadLettered = { ok: false, reason: "fenced" };
const FULL: DeadLettered = { ok: false, reason: "full" };

interface DeadRow {
  readonly id: string;
  readonly contact: ContactId;
  readonly account: string;
  readonly event: string;
  readonly at: number;
  readonly reason: string;
  readonly sealed: string | null;
  readonly due: number | null;
  readonly dkey: string;
}

export class DeadLetters implements DeadLetterStore {
  readonly #base: Base;
  readonly #rows: MailboxRows;

  constructor(base: Base) {
    this.#base = base;
    this.#rows = new MailboxRows(base);
  }

  add(input: NewDeadLetter): Promise<DeadLettered> {
    const { file, wake } = this.#base;
    return file.commit<DeadLettered>(
      () => this.#add(input),
      (answer) => {
        if (answer.ok && answer.left > 0) wake.tell("turns");
      },
    );
  }

  #add(input: NewDeadLetter): DeadLettered {
    const base = this.#base;
    const row = base.contact(input.contact);
    if (!row || !holds(row, input)) return FENCED;
    const [head] = this.#rows.head(row.id, 1);
    if (!head) return FENCED;
    if (!this.#rows.hasRoomForDead(row)) return FULL;
    const key = base.keyOf(row);
    const now = base.now();
    const { notice, letter, newSession, due = "same" } = input;
    const reason = key.sealText(associatedData.reason(row.id), input.reason);
    this.#rows.addDeadLetter(
      row,
      letter ? this.#rows.sealed(row, key, head, letter) : head,
      reason,
      now,
    );
    base.file.run("DELETE FROM mail WHERE contact = ? AND seq = ?", row.id, head.seq);
    if (notice) this.#rows.putInPlace(row, key, head.seq, notice, now);
    const rev = newSession === undefined ? row.rev : row.rev + 1;
    if (newSession !== undefined) this.#rows.writeSession(row, key, rev, newSession);
    const left = row.queued - 1 + (notice ? 1 : 0);
    base.file.run(
      "UPDATE contact SET rev = ?, queued = ?, epoch = 0, failed_claims = 0, ready = ?, wake = ?, due = ? WHERE id = ?",
      rev,
      left,
      left > 0 ? now : null,
      left > 0 ? row.wake : null,
      due === "same" ? row.due : due,
      row.id,
    );
    return { ok: true, rev, left, begun: [] };
  }

  async list(options: Parameters<DeadLetterStore["list"]>[0]): Promise<Page<DeadLetter>> {
    const after = readCursor(options.after);
    const rows = this.#base.file.all<DeadRow>(
      `SELECT d.*, c.dkey FROM dead d JOIN contact c ON c.id = d.contact
       WHERE (?1 IS NULL OR d.account = ?1) AND (?2 IS NULL OR d.at > ?2 OR (d.at = ?2 AND d.id > ?3))
       AND (?5 IS NULL OR d.id = ?5)
       ORDER BY d.at, d.id LIMIT ?4`,
      options.account ?? null,
      after?.score ?? null,
      after?.member ?? "",
      options.limit + 1,
      options.id ?? null,
    );
    const page = pageOf(rows, options.limit, ({ at, id }) => cursorOf(at, id));
    return { ...page, items: page.items.map((row) => this.#letterOf(row)) };
  }

  resolve(id: string, action: "release" | "drop"): Promise<boolean> {
    const { file, wake } = this.#base;
    return file.commit(
      () => this.#resolve(id, action),
      (done) => {
        if (done && action === "release") wake.tell("turns");
      },
    );
  }

  #resolve(id: string, action: "release" | "drop"): boolean {
    const { file } = this.#base;
    const row = file.get<DeadRow>("SELECT * FROM dead WHERE id = ?", id);
    const contact = row && this.#base.contact(row.contact);
    if (!row || !contact) return false;
    file.run("DELETE FROM dead WHERE id = ?", id);
    const now = this.#base.now();
    // The dead letter was the memory of its event; a tick has no event that could come again.
    if (row.sealed !== null) this.#rows.remember(contact, row.event, now);
    if (action === "drop") return true;
    // After the mail that waits there.
    this.#rows.push(contact, { ...row, at: now });
    this.#base.add("dead", -1);
    this.#rows.makeReady(contact.id, now);
    return true;
  }

  #letterOf(row: DeadRow): DeadLetter {
    const { id, contact, account, at, event, sealed, due } = row;
    const key = () => this.#base.keys.of(contact, row.dkey);
    const opened = letterOf({
      mail: () => (sealed === null ? tickMail(due ?? 0) : openMail(key(), contact, event, sealed)),
      reason: () =>
        row.reason === "mailbox_full"
          ? row.reason
          : key().openText(associatedData.reason(contact), row.reason),
    });
    return { id, account, contact, ...opened, at };
  }
}
