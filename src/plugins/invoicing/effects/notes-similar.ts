/**
 * `notes.similar`: whether a note like the one that is about to be asked for was issued, or may have been, within the account's
 * window: same issuer, same taker, same value. It only warns: two haircuts in a day are two notes.
 */
import { z } from "zod";
import { done, formatBrl, localDay } from "../../../plugin.ts";
import { isUnknownReason } from "../fiscal/rejection.ts";
import type { Invoice } from "../note/invoice.ts";
import type { OwnSpec } from "../context.ts";
import { askerOf } from "./note-ask.ts";
import { defaultIssuer, invoicingOf } from "../account.ts";

const HOUR_MS = 3_600_000;
/** Notes of one taker that are looked through; nobody has so many in a window. */
const NOTES = 50;
/** Whatever may exist; of the refused ones those of {@link mayExist}. What a person closed does not count. */
const STATES = [
  ...(["autorizada", "processando", "enviando", "incerta", "pendente", "rejeitada"] as const),
];

const Input = z.object({
  document: z.string().max(14),
  /** Cents. */
  value: z.number().int(),
});

export const notesSimilar: OwnSpec<typeof Input> = {
  name: "notes.similar",
  class: "read",
  version: 1,
  input: Input,
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
      { limit: NOTES },
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
