/** What a refused note means for the person in the chat, and whether repeating it could make a second note. */
import { fold, latinText, maskText } from "../../../plugin.ts";
import type { Locale, NfseSlot } from "./nfse-problem.ts";
import {
  type Fixable,
  type RejectionRow,
  REJECTIONS,
  UNKNOWN_REJECTION,
} from "./rejection-table.ts";

interface Rejection {
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
  /** The table has a row for it. */
  readonly known: boolean;
}

/** Codes that towns and the national system give for "whatever went wrong here". */
const CRASH_CODES: ReadonlySet<string> = new Set([
  "E999",
  "E9999",
  "RNG9999",
  "9999",
  "E500",
  "999",
]);
/** Words of programs that failed, in the folded text. None of them says anything about a note. */
const CRASH = new RegExp(
  [
    "internal (?:server )?error|erro interno|unexpected error|unknown error|unhandled|fatal error|uncaught|server error",
    "erro (?:inesperad|desconhecid|nao (?:tratad|esperad|identificad|catalogad))|falha (?:inesperada|interna)",
    "object reference|referencia de objeto|null ?pointer|null ?reference|is null\\b|is not a function|\\bof undefined\\b|undefined (?:index|variable|offset|method|array)|object object",
    "exception|excecao (?:nao tratada|interna|no servidor|do sistema|de sistema|em)|stack ?(?:trace|overflow)|traceback|\\bat [\\w$.<>]+\\(|\\bem [\\w.]+\\([^)]*\\) na linha",
    "\\b[a-z]{4,}error\\b|index (?:was )?out|out of (?:range|bounds|memory)|sem memoria|segmentation fault|core dumped",
    "time-?d? ?out|tempo (?:limite |maximo )?(?:de (?:espera|resposta|execucao|conexao|processamento|requisicao|consulta) )?(?:foi )?(?:esgotad|excedid|expirad|atingid)",
    "sem resposta|nao (?:respond|retornou)|(?:no|did not|failed to) respon",
    "\\bora-\\d{4,5}|sqlstate|sql ?server|\\bsql\\b.{0,40}(?:error|erro)|deadlock|violation of|constraint|foreign key|primary key|erro[^.]{0,30}banco de dados",
    "connection (?:refused|reset|closed|timed|aborted)|(?:conexao|comunicacao)[^.]{0,40}(?:recusad|perdid|encerrad|interrompid|falh)",
    "(?:falha|erro|problema)s? (?:de|na|da|no|do|ao) (?:comunica|conexao|conectar|rede\\b|servidor|webservice|web service)",
    "(?:nao foi possivel|impossivel) (?:se )?(?:conectar|comunicar|contatar|acessar|obter resposta|estabelecer)|(?:unable|could not|failed) (?:to )?(?:connect|reach|fetch)",
    "(?:http|status|erro|error)[^\\w.]{0,4}50[0-8]\\b|\\(50[0-8]\\)|\\b50[0-8] (?:internal|bad|service|server|gateway)",
    // Said by whatever stands before a program that did not answer; maintenance is announced by one that takes nothing.
    "^(?!.*(?:manutencao|maintenance)).*(?:indisponive(?:l|is)(?! para)|indisponibilidade|fora do ar|unavailable)",
    "bad gateway|gateway time|econn(?:reset|refused)|socket|soap(?:-env)?:|env:(?:server|receiver)|<!doctype|<html",
  ].join("|"),
);
/** The same from a program that is polite; a reason beside them is the reason. */
const VAGUE =
  /(?:erro|falha|problema)s? (?:ao|no|durante o|na) (?:process|sistema|execu|grava|salva|gera|transmi|envi|consult|aplicac)|nao foi possivel (?:process|conclu|execut|realiz|emit|gera)|instabilidade|try again later|^(?:erro|error|falha|failure|failed|null|undefined|none|-)\W*$/;

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
    known: row !== UNKNOWN_REJECTION,
    crashed: row.duplicate !== true && isCrash(found, said),
  };
}

/** A code that is known decides; the words beside it may quote anything. */
function isCrash(code: string, said: string): boolean {
  if (code === "" && said.trim() === "") return true;
  if (REJECTIONS.some((row) => row.codes.includes(code))) return false;
  if (CRASH_CODES.has(code) || CRASH.test(`${fold(code)} ${said}`)) return true;
  return rowOf(code, said) === UNKNOWN_REJECTION && VAGUE.test(said);
}

/** Of the codes of one refusal: a reason that is known outweighs what else is listed beside it. */
export function knownCode({
  code,
  codes = [],
}: {
  readonly code?: string;
  readonly codes?: readonly string[];
}): string | undefined {
  return codes.find((one) => !isUnknownReason(one.toUpperCase())) ?? code;
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
  const said = latinText(maskText(bare).replace(HIDDEN, "..."));
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
