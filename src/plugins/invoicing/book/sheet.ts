/**
 * A month's notes as the table an accountant opens: semicolons, comma decimals, CRLF and a byte-order mark, as spreadsheets
 * in Brazil read it. The columns are a promise: new ones are added at the end, none changes its meaning.
 */
import { formatDocument, localDay, localTime } from "../../../plugin.ts";
import type { Invoice } from "../note/invoice.ts";
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

/** What begins a formula, also in the wide and small forms that spreadsheets read as the same. */
const SIGN = "=+@\\-\uff1d\uff0b\uff20\uff0d\ufe66\ufe62\ufe6b\ufe63\u2212";
/** What spreadsheets skip before it: spaces, quotes, and what nobody sees (controls, zero-width and direction marks). */
const SKIPPED = '\\s"\\p{Cc}\\p{Cf}\u115f\u1160\u3164\uffa0';
/** A sign at a cell's beginning, or behind what another program or setting may take for the end of a cell. */
const FORMULA = new RegExp(`(?<=^|[,;|\\t])(?=[${SKIPPED}]*[${SIGN}])`, "gu");
/** Ends of lines, in every form that some reader takes for one. */
const LINE_ENDS = /[\r\n\v\f\u0085\u2028\u2029]+/g;
/** A spreadsheet keeps 15 digits of a number. */
const LONG_NUMBER = /^\d{16,}$/;

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
    note.key ?? "",
    formatDocument(cnpj),
    note.cancel ? note.cancel.why : "",
  ];
}

function brazilian(day: string): string {
  return day.split("-").reverse().join("/");
}

/** One cell: no formula, however it is read; on one line; quoted where any reader might end it. */
function cell(text: string): string {
  const line = text.replace(LINE_ENDS, " ");
  // As keys are printed on notes: as one number it would be rounded.
  const exact = LONG_NUMBER.test(line) ? line.replace(/(.{4})(?=.)/g, "$1 ") : line;
  const safe = exact.replace(FORMULA, "'");
  return /[",;|\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
