/**
 * A month's notes as the table an accountant opens: semicolons, comma decimals, CRLF and a byte-order mark, as spreadsheets
 * in Brazil read it. The columns are a promise: new ones are added at the end, none changes its meaning.
 */
import { formatDocument, localDay, localTime } from "../../brazil/index.ts";
import type { Invoice } from "../invoices/invoice.ts";
import { isListed, statusOf } from "./note-view.ts";

export const SHEET_COLUMNS = [
  "Numero",
  "Emissao",
  "Competencia",
  "Situacao",
  "Tomador",
  "CPF_CNPJ",
  "Servico",
  "Descricao",
  "Valor",
  "Chave",
  "CNPJ_Emitente",
  "Motivo_Cancelamento",
] as const;

/** What spreadsheets take for a formula, also behind spaces. */
const FORMULA = /^\s*[=+\-@\t\r]/;

export function sheetOf(notes: readonly Invoice[]): string {
  return head() + linesOf(notes);
}

/** The same a part after the other, for more notes than should be in memory at once. */
export async function* sheetParts(
  parts: AsyncIterable<readonly Invoice[]>,
): AsyncGenerator<string> {
  yield head();
  for await (const notes of parts) {
    const lines = linesOf(notes.filter(isListed));
    if (lines !== "") yield lines;
  }
}

function head(): string {
  return `\ufeff${line(SHEET_COLUMNS)}`;
}

function linesOf(notes: readonly Invoice[]): string {
  return notes.map((note) => line(rowOf(note))).join("");
}

function line(row: readonly string[]): string {
  return `${row.map(cell).join(";")}\r\n`;
}

function rowOf(note: Invoice): readonly string[] {
  const { zone, cnpj } = note.issuer;
  const [year = "", month = ""] = note.competence.split("-");
  const time = localTime(note.createdAt, zone).time.slice(0, 5);
  return [
    note.number ?? "",
    `${brazilian(localDay(note.createdAt, zone))} ${time}`,
    `${month}/${year}`,
    statusOf(note),
    note.taker.name,
    formatDocument(note.taker.document),
    note.service,
    note.description,
    (note.cents / 100).toFixed(2).replace(".", ","),
    // As it is printed on the note: a spreadsheet would round a number of 44 digits.
    (note.key ?? "").replace(/(.{4})(?=.)/g, "$1 "),
    formatDocument(cnpj),
    note.cancel ? note.cancel.why : "",
  ];
}

function brazilian(day: string): string {
  return day.split("-").reverse().join("/");
}

/** One cell: never a formula, on one line, quoted where it must be. */
function cell(text: string): string {
  const line = text.replace(/[\r\n]+/g, " ");
  const safe = FORMULA.test(line) ? `'${line}` : line;
  return /[";]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
