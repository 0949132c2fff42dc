/**
 * `notes.find`: which note a person means, of those that are theirs to see. `notes.draft`: what a note like it needs; operators get
 * it whole, customers of the notes they asked for. `notes.similar`: whether a note like the one that is about to be asked for may
 * have been issued.
 */
import { z } from "zod";
import type { Invoice } from "../note/invoice.ts";
import { statusOf, titleOf, VIEW_FIELDS, viewOf } from "../book/note-view.ts";
import { done, refused, formatBrl, localDay } from "../../../plugin.ts";
import type { OwnSpec } from "../context.ts";
import { addressOf, askerOf, meant, offeredStill, ROWS, Wish } from "./note-ask.ts";
import { isUnknownReason } from "../fiscal/rejection.ts";
import { defaultIssuer, invoicingOf } from "../account.ts";

const Input = z.object({
  wish: Wish.nullish(),
  /** Named after the first was not found; of several that fit, the newest is meant. */
  again: Wish.nullish(),
  /** Id of a row that was chosen. */
  id: z.string().max(64).nullish(),
  /** What for: only issued notes are repeated, sent on or cancelled. Customers repeat what they asked for themselves. */
  purpose: z.enum(["look", "issued", "repeat", "cancel"]).nullish(),
});

const ISSUED: readonly Invoice["state"][] = ["autorizada"];

/**
 * `found`: `none`, `one` (its fields beside), `many` (up to eight `rows` to choose from), `more` (rows of the newest eight).
 * `what` says how the only one stands, and is `none` or `many` otherwise.
 */
export const notesFind: OwnSpec<typeof Input> = {
  name: "notes.find",
  class: "read",
  version: 1,
  input: Input,
  result: ["found", "rows", ...VIEW_FIELDS],
  async perform(work, { wish: first, again, id, purpose }) {
    const wish = again ?? first;
    const asker = await askerOf(work);
    const issued = ["issued", "repeat", "cancel"].includes(purpose ?? "look");
    const isFit = (note: Invoice) =>
      !issued ||
      statusOf(note) === "autorizada" ||
      // What customers asked for, the business carries out; what was given up, anybody may ask for anew.
      (purpose === "cancel" && asker.role === "operator" && note.cancel?.state === "pedida") ||
      (purpose === "cancel" && statusOf(note) === "indefinida");
    const seen = id
      ? await byId(work.context.invoices.book.get(work.account.id, asker.viewer, id))
      : await meant(work, asker, wish ?? {}, issued ? ISSUED : undefined);
    const notes = purpose === "repeat" ? seen.filter(asker.isOwn) : seen;
    const fit = notes.filter(isFit);
    const [newest, other] = fit;
    if (!newest) {
      // The one that was named stands, and not for this.
      const [named, ...others] = notes;
      const what = named && others.length === 0 ? { ...view(named) } : {};
      return done({ found: "none", rows: [], ...what });
    }
    if (!other || wish?.last || again) return done({ found: "one", rows: [], ...view(newest) });
    const rows = fit.slice(0, ROWS).map((note) => ({
      id: note.id,
      label: titleOf(note, asker.locale),
    }));
    return done({ found: fit.length > ROWS ? "more" : "many", rows });
    function view(note: Invoice) {
      return viewOf(note, asker.locale) as Record<string, string | number>;
    }
  },
};

async function byId(note: Promise<Invoice | null>): Promise<readonly Invoice[]> {
  const found = await note;
  return found ? [found] : [];
}

const DraftInput = z.object({ id: z.string().max(64) });

export const notesDraft: OwnSpec<typeof DraftInput> = {
  name: "notes.draft",
  class: "read",
  version: 1,
  input: DraftInput,
  result: ["service", "document", "name", "address", "value", "description", "code", "text"],
  async perform(work, { id }) {
    const { viewer, isOwn } = await askerOf(work);
    const note = await work.context.invoices.book.get(work.account.id, viewer, id);
    if (!note || !isOwn(note)) return refused("unknown");
    const service = offeredStill(work.account, note);
    const { document, name, address } = note.taker;
    return done({
      document,
      name,
      value: note.cents,
      description: note.description,
      ...(service ? { service: service.id } : {}),
      ...addressOf(address),
    });
  },
};

const HOUR_MS = 3_600_000;
/** Notes of one taker that are looked through; nobody has so many in a window. */
const NOTES_OF_TAKER = 50;
/** Whatever may exist; of the refused ones those of {@link mayExist}. What a person closed does not count. */
const STATES = [
  ...(["autorizada", "processando", "enviando", "incerta", "pendente", "rejeitada"] as const),
];

const SimilarInput = z.object({
  document: z.string().max(14),
  /** Cents. */
  value: z.number().int(),
});

/**
 * Within the account's window: same issuer, same taker, same value. It only warns: two haircuts in a day are two notes.
 */
export const notesSimilar: OwnSpec<typeof SimilarInput> = {
  name: "notes.similar",
  class: "read",
  version: 1,
  input: SimilarInput,
  result: ["found", "label"],
  async perform(work, { document, value }) {
    const { context, at } = work;
    const account = invoicingOf(work.account);
    const { locale } = await askerOf(work);
    const issuer = defaultIssuer(account);
    const since = at - account.policy.similarHours * HOUR_MS;
    const { notes } = await context.invoices.book.find(
      account.id,
      "all",
      { document, states: STATES },
      { limit: NOTES_OF_TAKER },
    );
    const like = notes.find(
      (note) =>
        mayExist(note) &&
        note.cents === value &&
        note.issuer.cnpj === issuer?.cnpj &&
        note.createdAt > since,
    );
    return like
      ? done({ found: true, label: labelOf(like, locale) })
      : done({ found: false, label: "" });
  },
};

/** A refusal for a reason that nobody knows may have been followed by the note all the same. */
function mayExist({ state, reason }: Invoice): boolean {
  if (state !== "rejeitada") return true;
  return reason !== undefined && (reason.words !== undefined || isUnknownReason(reason.code));
}

/** No name and no description: whoever asks now need not be who asked then. */
function labelOf({ number, cents, createdAt, issuer }: Invoice, locale: "pt-BR" | "en"): string {
  const [, month = "", day = ""] = localDay(createdAt, issuer.zone).split("-");
  const brl = formatBrl(cents);
  const named = number === undefined || number === "" ? "" : ` ${number}`;
  return locale === "en"
    ? `invoice${named} of ${brl}, ${month}/${day}`
    : `nota${named} de ${brl}, de ${day}/${month}`;
}
