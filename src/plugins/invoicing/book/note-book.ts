/**
 * What is asked about notes that exist: one book for flows, operator API and command line. Who asks sees the notes that are
 * theirs; a note of somebody else is not there, in whatever way it is asked for.
 */
import type { Invoice } from "../note/invoice.ts";
import type { Line, NoteIndex, Way } from "./note-index.ts";

/** Whose notes are looked at: all of the account's, or those a contact asked for or was sent. */
export type Viewer = "all" | { readonly contact: string };

/** What is looked for; what is not named does not matter. */
export interface NoteQuery {
  readonly number?: string;
  readonly key?: string;
  /** CPF or CNPJ in normal form. */
  readonly document?: string;
  /** `YYYY-MM` of the service. */
  readonly month?: string;
  readonly states?: readonly Invoice["state"][];
}

interface Notes {
  readonly notes: readonly Invoice[];
  /** More than `limit` fit, or may: the search ended before its end. */
  readonly next?: string;
}

/** Records looked through for one page; what is asked for usually is among the first. */
const LOOKED_THROUGH = 500;
/** Records read at once. */
const BATCH = 25;
/** Records of one month that totals and sheets of a chat are made of. */
const MONTH_LIMIT = 5_000;
/** Records of one month that leave one after the other; of each only its id is in memory. */
export const EXPORT_LIMIT = 100_000;

/** Where records are read. */
interface Records {
  get(account: string, id: string): Promise<Invoice | null>;
}

export class NoteBook {
  readonly #invoices: Records;
  readonly #index: NoteIndex;

  constructor(invoices: Records, index: NoteIndex) {
    this.#invoices = invoices;
    this.#index = index;
  }

  /** Notes that fit, the newest first. */
  async find(
    account: string,
    viewer: Viewer,
    query: NoteQuery,
    { after, limit }: { after?: string; limit: number },
  ): Promise<Notes> {
    const way = wayOf(viewer, query);
    const found: { note: Invoice; at: string }[] = [];
    let from = after;
    for (let looked = 0; looked < LOOKED_THROUGH;) {
      const page = await this.#index.lines(account, way, { limit: BATCH, after: from });
      looked += page.lines.length;
      for (const { note, at } of await this.#read(account, page.lines)) {
        if (!isSeen(note, viewer) || !fits(note, query)) continue;
        // One more than asked for: then there is a next page.
        if (found.length === limit) return { notes: notesOf(found), next: found.at(-1)?.at ?? at };
        found.push({ note, at });
      }
      from = page.next;
      if (from === undefined) return { notes: notesOf(found) };
    }
    return { notes: notesOf(found), next: from };
  }

  /** One note by its record's id; null when it is not the viewer's. */
  async get(account: string, viewer: Viewer, id: string): Promise<Invoice | null> {
    const note = await this.#invoices.get(account, id);
    return note && isSeen(note, viewer) ? note : null;
  }

  /** All notes of a month that fit, the oldest first; `whole` is false when there are more than are read. */
  async month(
    account: string,
    viewer: Viewer,
    query: NoteQuery & { readonly month: string },
  ): Promise<{ readonly notes: readonly Invoice[]; readonly whole: boolean }> {
    const { whole, parts } = await this.parts(account, viewer, query, MONTH_LIMIT);
    const notes: Invoice[] = [];
    for await (const part of parts) notes.push(...part);
    return { notes, whole };
  }

  /** The same a part after the other, each read when it is asked for. Of more than `limit` records the newest. */
  async parts(
    account: string,
    viewer: Viewer,
    query: NoteQuery & { readonly month: string },
    limit: number,
  ): Promise<{ readonly parts: AsyncGenerator<readonly Invoice[]>; readonly whole: boolean }> {
    const lines: Line[] = [];
    let whole = true;
    for await (const line of this.#index.all(account, wayOf(viewer, query))) {
      whole = lines.length < limit;
      if (!whole) break;
      lines.push(line);
    }
    return { whole, parts: this.#oldestFirst(account, lines, viewer, query) };
  }

  async *#oldestFirst(
    account: string,
    lines: Line[],
    viewer: Viewer,
    query: NoteQuery,
  ): AsyncGenerator<readonly Invoice[]> {
    while (lines.length > 0) {
      const batch = lines.splice(-BATCH).reverse();
      const read = await this.#read(account, batch);
      yield notesOf(read).filter((note) => isSeen(note, viewer) && fits(note, query));
    }
  }

  async #read(account: string, lines: readonly Line[]): Promise<{ note: Invoice; at: string }[]> {
    const read = await Promise.all(
      lines.map(async ({ invoice, at }) => ({
        note: await this.#invoices.get(account, invoice),
        at,
      })),
    );
    // A line may lead to what was never written, or twice to the same.
    return read.flatMap(({ note, at }) => (note ? [{ note, at }] : []));
  }
}

/** The way with the fewest notes along it. A customer's own are always few. */
function wayOf(viewer: Viewer, { number, key, document, month }: NoteQuery): Way {
  if (key !== undefined) return { by: "key", key };
  if (number !== undefined) return { by: "number", number };
  if (viewer !== "all") return { by: "contact", contact: viewer.contact };
  if (document !== undefined) return { by: "taker", document };
  return month === undefined ? { by: "all" } : { by: "month", month };
}

export function isSeen(note: Invoice, viewer: Viewer): boolean {
  if (viewer === "all") return true;
  return note.contact === viewer.contact || (note.shared ?? []).includes(viewer.contact);
}

function fits(note: Invoice, { document, month, states }: NoteQuery): boolean {
  if (document !== undefined && note.taker.document !== document) return false;
  if (month !== undefined && !note.competence.startsWith(month)) return false;
  return states === undefined || states.includes(note.state);
}

function notesOf(found: readonly { readonly note: Invoice }[]): readonly Invoice[] {
  return found.map(({ note }) => note);
}
