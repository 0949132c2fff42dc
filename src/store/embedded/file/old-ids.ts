/**
 * Event ids of contacts who fell silent: those of others go as their mail comes in, and on Redis all of them expire by themselves. A
 * slice of the contacts is looked at every so often, and the next goes on where it ended.
 */
import type { ContactId } from "../../port/port.ts";
import type { Base, ContactRow } from "./base.ts";

/** Between two slices, ms. */
const EVERY_MS = 10_000;
/** Contacts of one slice. */
const CONTACTS = 500;
/** Ids of one slice: whoever has more is a slice alone. Some milliseconds, in which nothing else runs. */
const IDS = 2_000;

/** Where a slice ended, and when. */
export interface Place {
  readonly at: number;
  /** Its last contact; "" = the next begins with the first. */
  readonly after: ContactId;
}

export class OldIds {
  readonly #base: Base;
  #place: Place = { at: -Infinity, after: "" };

  constructor(base: Base) {
    this.#base = base;
  }

  /** The next slice, when it is time for it. Inside a transaction, which may be made twice: {@link wentTo} is told its end. */
  forget(): Place {
    const { file, limits } = this.#base;
    const at = this.#base.now();
    // Also when the clock was set back.
    if (Math.abs(at - this.#place.at) < EVERY_MS) return this.#place;
    const page = file.all<Pick<ContactRow, "id" | "ids">>(
      "SELECT id, ids FROM contact WHERE id > ? ORDER BY id LIMIT ?",
      this.#place.after,
      CONTACTS,
    );
    let seen = 0;
    let { after } = this.#place;
    for (const { id, ids } of page) {
      if (seen > 0 && seen + ids > IDS) return { at, after };
      after = id;
      seen += ids;
      if (ids > 0) this.#forgetOf(id, at - limits.dedupeMs);
    }
    return { at, after: page.length < CONTACTS ? "" : after };
  }

  /** Once it is on disk. */
  wentTo(place: Place): void {
    this.#place = place;
  }

  #forgetOf(contact: ContactId, until: number): void {
    const { file } = this.#base;
    const gone = file.run("DELETE FROM dedupe WHERE contact = ? AND at <= ?", contact, until);
    if (gone > 0) file.run("UPDATE contact SET ids = ids - ? WHERE id = ?", gone, contact);
  }
}
