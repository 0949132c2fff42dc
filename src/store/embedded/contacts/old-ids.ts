/**
 * Removes event ids of contacts that fell silent. Ids of others are removed as mail comes in; on Redis all of them expire
 * by themselves. A slice of the contacts is looked at regularly, and the next slice continues there.
 */
import type { ContactId } from "../../port/port.ts";
import type { Base, ContactRow } from "../file/base.ts";

/** Between two slices, ms. */
const EVERY_MS = 10_000;
/** Contacts of one slice. */
const CONTACTS = 500;
/** Ids of one slice; a contact with more is a slice alone. Some milliseconds, in which nothing else runs. */
const IDS = 2_000;

/** Where a slice ended, and when. */
interface Place {
  readonly at: number;
  /** Its last contact; "": the next slice begins with the first. */
  readonly after: ContactId;
}

export class OldIds {
  readonly #base: Base;
  #place: Place = { at: -Infinity, after: "" };

  constructor(base: Base) {
    this.#base = base;
  }

  /** The next slice, when it is due. Inside a transaction that may run twice, so {@link wentTo} is told its end. */
  forget(): Place {
    const { file, limits } = this.#base;
    const at = this.#base.now();
    // Also due when the clock was set back.
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

  /** Called once it is on disk. */
  wentTo(place: Place): void {
    this.#place = place;
  }

  #forgetOf(contact: ContactId, until: number): void {
    const { file } = this.#base;
    const gone = file.run("DELETE FROM dedupe WHERE contact = ? AND at <= ?", contact, until);
    if (gone > 0) file.run("UPDATE contact SET ids = ids - ? WHERE id = ?", gone, contact);
  }
}
