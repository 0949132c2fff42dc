/** What a refused note means for the person in the chat, and whether repeating it could make a second note. */
import { fold } from "./fold.ts";
import type { Locale, NfseSlot } from "./nfse-problem.ts";
import {
  type Fixable,
  type RejectionRow,
  REJECTIONS,
  UNKNOWN_REJECTION,
} from "./rejection-table.ts";

export interface Rejection {
  /** The code as it was given or found in the text (`E0206`), `unknown` when there is none: for support. */
  readonly code: string;
  /** One sentence for a person. Never holds the authority's own words, which may carry documents. */
  readonly text: string;
  /** Answers to ask again. Empty when no answer would help. */
  readonly slots: readonly NfseSlot[];
  readonly fixable: Fixable;
  /** The note may exist: hold it, look it up, never send it again by machine. */
  readonly duplicateHint: boolean;
}

/** Rejections are short; whatever follows this many letters is not read. */
const MAX_TEXT = 2_000;

/** `code` may be null or empty: then it is looked for in the text. Either language; see the table for what is known. */
export function explainRejection(
  code: string | number | null | undefined,
  text: string,
  locale: Locale = "pt-BR",
): Rejection {
  const said = fold(text.slice(0, MAX_TEXT));
  const given = String(code ?? "")
    .trim()
    .toUpperCase();
  const found = given !== "" ? given : (/\be\d{2,4}\b/.exec(said)?.[0].toUpperCase() ?? "");
  const duplicate = REJECTIONS.find((row) => row.duplicate && matches(row, found, said));
  const row = duplicate ?? rowOf(found, said);
  return {
    code: found || "unknown",
    text: locale === "en" ? row.en : row.pt,
    slots: row.slots,
    fixable: row.fixable,
    duplicateHint: row.duplicate === true,
  };
}

function matches(row: RejectionRow, code: string, said: string): boolean {
  return (
    row.codes.includes(code) ||
    row.townCodes?.includes(code) === true ||
    row.says?.test(said) === true
  );
}

/** A national code decides; then the words; then a town's code, which alone proves little. */
function rowOf(code: string, said: string): RejectionRow {
  return (
    REJECTIONS.find((row) => row.codes.includes(code)) ??
    REJECTIONS.find((row) => row.says?.test(said)) ??
    REJECTIONS.find((row) => row.townCodes?.includes(code)) ??
    UNKNOWN_REJECTION
  );
}
