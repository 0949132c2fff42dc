/**
 * People's numbers and e-mail addresses in any text, told by their look. One place for whatever hides them: what an operator
 * sees, and what stands in errors and logs.
 *
 * People write documents and phones with marks, spaces or neither, so each gap between two groups may hold a few of them.
 * Everything is bounded and nothing is repeated inside a repetition: a text costs its length.
 */
import { isCnpj } from "./document.ts";

export type NumberKind = "cpf" | "cnpj" | "phone" | "digits";

/** What may stand between two groups of a number. */
const GAP = "[ \\u00a0.\\/\\u2010-\\u2015-]{0,3}";

/** Ids, access keys of public records (44 or 50 digits, also in fours) and dates: people work with them, and parts of them look like numbers. */
const PLAIN = [
  "(?<![0-9A-Za-z])[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![0-9A-Za-z-])",
  "(?<![0-9A-Za-z])(?=\\d*[a-f])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9A-Za-z])",
  "(?<![0-9A-Za-z-])(?:\\d{50}|\\d{44})(?![0-9A-Za-z-])",
  "(?<!\\d)\\d{4}(?: \\d{4}){10}(?: \\d{4} \\d{2})?(?!\\d| \\d)",
  "(?<!\\d)(?:19|20)\\d\\d-[01]\\d-[0-3]\\d(?!\\d)(?:[T ][0-2]\\d:[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d\\d:\\d\\d)?)?(?!\\d)",
  "(?<!\\d)[0-3]?\\d(?<at>[/.-])[01]?\\d\\k<at>(?:19|20)\\d\\d(?!\\d)",
  "(?<!\\d)(?:19|20)\\d\\d[01]\\d[0-3]\\d[ T_-][0-2]\\d[0-5]\\d[0-5]\\d(?!\\d)",
].join("|");

/** The alphanumeric CNPJ: as it is usually written, in any case; else in capitals, and proved where it has gaps. */
const CNPJ = [
  `(?<!\\d)\\d{2}${GAP}\\d{3}${GAP}\\d{3}${GAP}\\d{4}${GAP}\\d{2}(?!\\d)`,
  "(?<![0-9A-Za-z])[0-9A-Za-z]{2}\\.[0-9A-Za-z]{3}\\.[0-9A-Za-z]{3}\\/[0-9A-Za-z]{4}-\\d{2}(?!\\d)",
  `(?<![0-9A-Z])[0-9A-Z]{2}${GAP}[0-9A-Z]{3}${GAP}[0-9A-Z]{3}${GAP}[0-9A-Z]{4}${GAP}\\d{2}(?![0-9A-Z])`,
].join("|");

/** The address of a machine at home or in an office has the look of a CPF, too. */
const CPF = `(?<!\\d)(?!192\\.168\\.\\d{3}\\.)\\d{3}${GAP}\\d{3}${GAP}\\d{3}${GAP}\\d{2}(?!\\d)`;

/** With or without country, area in brackets, trunk zero, ninth digit. Without a dash the digits must fit; two years are none. */
const PHONE =
  "(?<!\\d)(?!\\d\\d[^\\d)]{1,3}(?:19|20)\\d\\d[^\\d]{1,3}(?:19|20)\\d\\d(?!\\d))" +
  `(?:\\+?55${GAP})?\\(?0?` +
  `(?:\\d{2}\\)?${GAP}(?:9${GAP})?\\d{4} ?[\\u2010-\\u2015-] ?|[1-9]{2}\\)?${GAP}(?:9${GAP}\\d{4}|[2-9]\\d{3})${GAP})` +
  "\\d{4}(?!\\d)";

const NUMBER = new RegExp(
  `(?<plain>${PLAIN})|(?<cnpj>${CNPJ})|(?<cpf>${CPF})|(?<phone>${PHONE})|(?<digits>\\d{10,})`,
  "g",
);
const HAS_NUMBER = /\d{2}/;

const CNPJ_CANONICAL = /^[^.]{2}\.[^.]{3}\.[^.]{3}\/[^-]{4}-..$/;
/** Letters in a row are a word more often than a number: at least four digits keep ordinary words out. */
const CNPJ_DIGITS = 4;

/** Times of our own in texts, ms: from 2010 to 2040. Later ones begin as phones of other countries do. */
const TEXT_EPOCH = [1_262_304_000_000, 2_208_988_800_000] as const;

function isEpoch(digits: string): boolean {
  return digits.length === 13 && Number(digits) >= TEXT_EPOCH[0] && Number(digits) < TEXT_EPOCH[1];
}

/** Whether what has the groups of a CNPJ, letters among them, is one. */
function isLettered(raw: string): boolean {
  const bare = raw.replace(/[^0-9A-Z]/g, "");
  if (bare.length === raw.length) return bare.replace(/\D/g, "").length >= CNPJ_DIGITS;
  return CNPJ_CANONICAL.test(raw) || isCnpj(bare);
}

/** The text with each number as `hide` gives it back. `digits`: a row of ten or more with nothing between them. */
export function hideNumbers(text: string, hide: (kind: NumberKind, raw: string) => string): string {
  if (!HAS_NUMBER.test(text)) return text;
  let out = "";
  let done = 0;
  NUMBER.lastIndex = 0;
  for (let match = NUMBER.exec(text); match; match = NUMBER.exec(text)) {
    const [raw] = match;
    const { plain, cnpj, cpf, phone } = match.groups ?? {};
    if (plain !== undefined || isEpoch(raw)) continue;
    if (cnpj !== undefined && /[A-Za-z]/.test(raw) && !isLettered(raw)) {
      // What begins inside of it may be one.
      NUMBER.lastIndex = match.index + 1;
      continue;
    }
    const isBare = /^\+?\d+$/.test(raw);
    const kind = isBare ? "digits" : cnpj ? "cnpj" : cpf ? "cpf" : phone ? "phone" : "digits";
    const from = match.index + (isBare && raw.startsWith("+") ? 1 : 0);
    out += text.slice(done, from) + hide(kind, text.slice(from, match.index + raw.length));
    done = match.index + raw.length;
  }
  return done === 0 ? text : out + text.slice(done);
}

const EMAIL =
  /[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?=[A-Za-z0-9-]+\.[A-Za-z])(?!s\.whatsapp|c\.us)([A-Za-z0-9.-]{1,255})/g;

/** E-mail addresses as `hide` gives them back; a messenger's own addresses are none. */
export function hideEmails(text: string, hide: (name: string, domain: string) => string): string {
  if (!text.includes("@")) return text;
  return text.replace(EMAIL, (raw: string, domain: string) =>
    hide(raw.slice(0, raw.length - domain.length - 1), domain),
  );
}

/** Whoever has the code of a one-time page may use it. */
const PAGE = /\/([uf])\/[A-Za-z0-9_-]{20,}/g;

/** Two digits of a document, four of a phone: enough to tell two people apart in a list. */
function hidden(kind: NumberKind, raw: string): string {
  if (kind === "cpf") return `***.***.***-${raw.slice(-2)}`;
  if (kind === "cnpj") {
    const isBare = raw.length === 14;
    return `${isBare ? "************" : "**.***.***/****-"}${raw.slice(-2)}`;
  }
  if (kind === "phone") return `(**) *****-${raw.slice(-4)}`;
  const tail = raw.length === 11 || raw.length === 14 ? 2 : 4;
  return "*".repeat(raw.length - tail) + raw.slice(-tail);
}

/** One string with what looks like a person's number hidden but its last digits. */
export function maskText(text: string): string {
  const pages = text.includes("/") ? text.replace(PAGE, "/$1/***") : text;
  const named = hideEmails(pages, (name, domain) => `${name.charAt(0)}***@${domain}`);
  return hideNumbers(named, hidden);
}
