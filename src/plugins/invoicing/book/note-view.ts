/** A note as flows read it, and as one row of a list. No document leaves whole: whoever reads it knows whose it is. */
import { formatBrl, type JsonObject, localDay, maskDocument } from "../../../plugin.ts";
import type { Invoice } from "../note/invoice.ts";

type Locale = "pt-BR" | "en";

/**
 * How a note stands for people. `cancelando`: somebody asked, and it still counts. `indefinida`: issued, and a cancellation was
 * sent whose end nobody found out.
 */
export type NoteStatus =
  | "autorizada"
  | "cancelando"
  | "cancelada"
  | "indefinida"
  | "processando"
  | "incerta"
  | "rejeitada"
  | "abandonada";

export function statusOf({ state, cancel }: Pick<Invoice, "state" | "cancel">): NoteStatus {
  switch (state) {
    case "autorizada":
      if (!cancel || cancel.state === "recusada") return "autorizada";
      if (cancel.state === "incerta" && cancel.givenUp !== undefined) return "indefinida";
      return cancel.state === "cancelada" ? "cancelada" : "cancelando";
    case "pendente":
    case "enviando":
    case "processando":
      return "processando";
    default:
      return state;
  }
}

/** Whether a list of somebody's notes shows it: what never became a note is none. */
export function isListed(note: Pick<Invoice, "state" | "cancel">): boolean {
  return !["rejeitada", "abandonada"].includes(statusOf(note));
}

/** Names of {@link viewOf}'s fields, for the effects that answer with them. */
export const VIEW_FIELDS = [
  "id",
  "status",
  "number",
  "key",
  "link",
  "name",
  "document",
  "value",
  "service",
  "description",
  "month",
  "day",
  "reason",
  "title",
] as const;

export function viewOf(note: Invoice, locale: Locale): JsonObject {
  return {
    id: note.id,
    status: statusOf(note),
    number: note.number ?? "",
    key: note.key ?? "",
    // Only what the gateway gave: nothing is made up that a person would hand on as the note.
    link: note.link ?? "",
    name: note.taker.name,
    document: maskDocument(note.taker.document),
    value: note.cents,
    service: note.service,
    description: note.description,
    month: note.competence.slice(0, 7),
    day: localDay(note.createdAt, note.issuer.zone),
    reason: note.reason?.text ?? note.cancel?.text ?? "",
    title: titleOf(note, locale),
  };
}

const STATUS_WORDS: Record<Exclude<NoteStatus, "autorizada">, Record<Locale, string>> = {
  cancelando: { "pt-BR": "cancelamento pedido", en: "cancellation asked for" },
  cancelada: { "pt-BR": "cancelada", en: "cancelled" },
  indefinida: { "pt-BR": "cancelamento sem confirmação", en: "cancellation not confirmed" },
  processando: { "pt-BR": "em processamento", en: "in progress" },
  incerta: { "pt-BR": "sem confirmação", en: "not confirmed" },
  rejeitada: { "pt-BR": "não aceita", en: "not accepted" },
  abandonada: { "pt-BR": "encerrada", en: "closed" },
};

/** Longest name in a row. */
const NAME = 30;

/** `Nota 12 · 05/11 · Maria Souza · R$ 150,00`, and how it stands where that is not simply issued. */
export function titleOf(note: Invoice, locale: Locale): string {
  const [, month = "", day = ""] = localDay(note.createdAt, note.issuer.zone).split("-");
  const status = statusOf(note);
  const name = note.taker.name;
  const parts = [
    note.number === undefined ? "" : `${locale === "en" ? "Note" : "Nota"} ${note.number}`,
    locale === "en" ? `${month}/${day}` : `${day}/${month}`,
    name.length > NAME ? `${name.slice(0, NAME - 1).trim()}…` : name,
    formatBrl(note.cents),
  ].filter((part) => part !== "");
  const row = parts.join(" · ");
  return status === "autorizada" ? row : `${row} (${STATUS_WORDS[status][locale]})`;
}
