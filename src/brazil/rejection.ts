/** What a refused note means for the person in the chat, and whether repeating it could make a second note. */
import { fiscalText } from "./fiscal-text.ts";
import { fold } from "./fold.ts";
import { maskText } from "./mask-text.ts";
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
  /**
   * The authority's own program failed, or it said nothing at all: nothing is known of the document, nor whether a note was made.
   * Held like a hint at a duplicate.
   */
  readonly crashed: boolean;
}

/** Codes that towns and the national system give for "whatever went wrong here". */
const CRASH_CODES: ReadonlySet<string> = new Set(["E999", "E9999", "RNG9999", "9999", "E500"]);
/** Words of programs that failed, in the folded text. None of them says anything about a note. */
const CRASH = new RegExp(
  [
    "internal (?:server )?error|erro interno|unexpected error|unknown error|unhandled",
    "erro (?:inesperad|desconhecid|nao (?:tratad|esperad|identificad|catalogad))|falha (?:inesperada|interna)",
    "object reference|referencia de objeto|null ?pointer|null ?reference|is null\\b|is not a function|\\bundefined\\b",
    "exception|excecao (?:nao tratada|ao|em|no)|stack ?trace|traceback|\\bat [\\w$.<>]+\\(|\\bem [\\w.]+\\([^)]*\\) na linha",
    "time-?d? ?out|tempo (?:limite|de)[^.]{0,40}(?:esgotad|excedid|expirad|atingid)",
    "\\bora-\\d{4,5}|sqlstate|sql ?server|\\bsql\\b.{0,40}(?:error|erro)|deadlock|erro[^.]{0,30}banco de dados",
    "connection (?:refused|reset|closed|timed|aborted)|(?:conexao|comunicacao)[^.]{0,40}(?:recusad|perdid|encerrad|interrompid|falh)|falha (?:de|na|da) (?:comunicacao|conexao)",
    "bad gateway|gateway time|service unavailable|out of memory|sem memoria|econn(?:reset|refused)|socket",
  ].join("|"),
);

/** Rejections are short; whatever follows this many letters is not read. */
const MAX_TEXT = 2_000;

/** `code` may be null or empty: then it is looked for in the text. Either language; see the table for what is known. */
export function explainRejection(
  code: string | number | null | undefined,
  text: string,
  locale: Locale = "pt-BR",
): Rejection {
  const { said, given: found } = readOf(code, text);
  const duplicate = REJECTIONS.find((row) => row.duplicate && matches(row, found, said));
  const row = duplicate ?? rowOf(found, said);
  return {
    code: found || "unknown",
    text: locale === "en" ? row.en : row.pt,
    slots: row.slots,
    fixable: row.fixable,
    duplicateHint: row.duplicate === true,
    crashed: row.duplicate !== true && isCrash(found, said),
  };
}

/** A code that is known decides; the words beside it may quote anything. */
function isCrash(code: string, said: string): boolean {
  if (code === "" && said.trim() === "") return true;
  if (REJECTIONS.some((row) => row.codes.includes(code))) return false;
  return CRASH_CODES.has(code) || CRASH.test(said);
}

/** Whether a code was given that no row of the table knows. */
export function isUnknownReason(code: string): boolean {
  if (code === "unknown") return false;
  return !REJECTIONS.some(
    (row) => row.codes.includes(code) || row.townCodes?.includes(code) === true,
  );
}

const LONGEST_WORDS = 200;
const LINK = /\b(?:https?:\/\/|www\.)\S+/gi;
/** What a channel shows as something else than letters. */
const MARKS = /[*_~`<>]+/g;
/** What was hidden of a number. */
const HIDDEN = /(?:\*+[./-]*)+/g;

/**
 * The authority's own words, for the business alone, of a reason that nobody knows: people's numbers hidden, no links, at most
 * 200 letters. "" where the reason is known, or none was given.
 */
export function unknownWords(code: string | number | null | undefined, text: string): string {
  const { given, said: folded } = readOf(code, text);
  const isKnown = REJECTIONS.some((row) => row.duplicate && matches(row, given, folded));
  if (isKnown || rowOf(given, folded) !== UNKNOWN_REJECTION) return "";
  const bare = text.slice(0, MAX_TEXT).replace(LINK, " ").replace(MARKS, " ");
  const said = fiscalText(maskText(bare).replace(HIDDEN, "..."));
  if (said.length <= LONGEST_WORDS) return said;
  const end = said.lastIndexOf(" ", LONGEST_WORDS - 3);
  return `${said.slice(0, end > 0 ? end : LONGEST_WORDS - 3)}...`;
}

function readOf(code: string | number | null | undefined, text: string) {
  const said = fold(text.slice(0, MAX_TEXT));
  const own = String(code ?? "")
    .trim()
    .toUpperCase();
  return {
    said,
    given: own !== "" ? own : (/\b(?:e\d{2,4}|rng\d{4})\b/.exec(said)?.[0].toUpperCase() ?? ""),
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
