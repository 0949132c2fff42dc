/** What operators may see and decide of notes: behind the routes of this plugin. */
import {
  ABSENT,
  type Account,
  type Context,
  declined,
  type Done,
  type JsonObject,
  stale,
  type Store,
} from "../../../plugin.ts";
import { EXPORT_LIMIT } from "../book/note-book.ts";
import { sheetParts } from "../book/sheet.ts";
import { type Invoice, revOf } from "../note/invoice.ts";
import { openNotes } from "../note/decisions/open-notes.ts";
import { servicesOf } from "../services.ts";

export interface NoteRef {
  readonly account: string;
  readonly id: string;
}

export interface NoteActions {
  /**
   * The newest first. `month`: `YYYY-MM` of the service. `open`: those alone that have no end and that a person may have to
   * decide about, the longest waiting first.
   */
  invoices(
    account: string | undefined,
    query?: { readonly month?: string; readonly number?: string; readonly open?: boolean },
  ): Promise<readonly JsonObject[]>;
  invoice(ref: NoteRef): Promise<JsonObject | null>;
  /** The notes of a month (`YYYY-MM`) as CSV, a part after the other; null when there are more than one table holds. */
  sheet(account: string, month: string): Promise<AsyncIterable<string> | null>;
  /**
   * `rev`: the note's own, as the person saw it. `not_issued` has an open note sent once more; of one that was given up it says
   * that there is none: the record stays closed, its sale may be issued anew.
   */
  resolveInvoice(
    ref: NoteRef,
    decision: "issued" | "not_issued" | "abandon",
    by: {
      readonly actor: string;
      readonly reason: string;
      readonly rev: number;
      readonly chave?: string;
    },
  ): Promise<Done>;
  /** What became of a day's notes (`YYYY-MM-DD` of the account's zone, default today), and all that is open. */
  reconciliation(account: Account, day: string | undefined): Promise<JsonObject>;
}

/** Notes shown at once. */
const SHOWN = 500;
/** A note with what names the state it is in. */
const shown = (note: Invoice): JsonObject => ({ ...note, rev: revOf(note) });

export function noteActions(context: Context): NoteActions {
  const { store } = context;
  const services = servicesOf(context);
  return {
    async invoices(account, query = {}) {
      if (query.open === true) {
        const kept = { store, invoices: services.invoices };
        return (await openNotes(kept, account, SHOWN)).map(shown);
      }
      const accounts = account === undefined ? await accountIds(store) : [account];
      const pages = await Promise.all(
        accounts.map((id) => services.invoices.book.find(id, "all", query, { limit: SHOWN })),
      );
      return pages.flatMap((page) => page.notes.map(shown));
    },
    async invoice(ref) {
      const note = await services.invoices.get(ref.account, ref.id);
      return note && shown(note);
    },
    async sheet(account, month) {
      const { book } = services.invoices;
      const { parts, whole } = await book.parts(account, "all", { month }, EXPORT_LIMIT);
      return whole ? sheetParts(parts) : null;
    },
    async resolveInvoice(ref, decision, by) {
      const decided = await services.settling.decide(ref.account, ref.id, {
        decision,
        actor: by.actor,
        reason: by.reason,
        rev: by.rev,
        ...(by.chave === undefined ? {} : { key: by.chave }),
      });
      if (decided.ok) return { ok: true, detail: { state: decided.invoice.state } };
      if (decided.why === "unknown") return ABSENT;
      if (decided.why === "stale") {
        const { invoice } = decided;
        return stale(`The note is ${invoice.state} with`, revOf(invoice));
      }
      const why = {
        "not-open": "The note is settled already.",
        gone: "What asked for this note is erased with its person, so it cannot be sent again: close it as given up (abandon). Once it was looked up and does not exist, decide not_issued of it as it is then: its sale is free, and may be issued anew.",
        "under-way":
          "The request of this note is on its way still, also if it was given up: look it up once it is back.",
        answered:
          "The gateway said that this note was issued, and only its key was lost: look it up there and decide issued with its key. It is not sent again.",
        "key-missing": "An issued note needs its access key.",
        "key-mismatch": "That key is not of this issuer, month or form.",
        "key-unknown": "The authority knows no note of that key; look at it again.",
        "key-other": "That key is of another note: its value or its name is not this one's.",
        "key-refused":
          "The authority refused the note of that key, so it proves none. The note stays open: give the key of the one that was issued, or decide that none was.",
        "key-cancelled":
          "The note of that key was issued and cancelled since. The note stays open: close it as given up, or decide that none stands.",
        "key-processing": "The authority still works on the note of that key; look again later.",
        "lookup-failed": "Nobody answered about that key; nothing changed. Try again later.",
      }[decided.why];
      return declined(why, decided.why);
    },
    reconciliation: async (account, day) => ({ ...(await services.reports.of(account, day)) }),
  };
}

async function accountIds(store: Store): Promise<readonly string[]> {
  return (await store.documents.ids("accounts", { limit: 1_000 })).items;
}
