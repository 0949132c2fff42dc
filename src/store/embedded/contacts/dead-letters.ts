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
import type { Mailbox } from "./mailbox.ts";

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
  readonly #mailbox: Mailbox;

  constructor(base: Base, mailbox: Mailbox) {
    this.#base = base;
    this.#mailbox = mailbox;
  }

  add(input: NewDeadLetter): Promise<DeadLettered> {
    const { file, wake } = this.#base;
    return file.commit<DeadLettered>(
      () => this.#mailbox.deadLetter(input),
      (answer) => {
        if (answer.ok && answer.left > 0) wake.tell("turns");
      },
    );
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
    this.#mailbox.remember(contact, row);
    if (action === "release") this.#mailbox.revive(contact, { ...row, at: this.#base.now() });
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
