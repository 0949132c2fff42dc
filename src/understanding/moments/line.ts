/** A text about a day or a time as the patterns have it: plain, its slips mended, and without the clauses beside it. */
import { plainOf } from "../plain.ts";

/** Slips in short words, and words that the patterns know by another form. */
const SLIPS: readonly (readonly [RegExp, string])[] = [
  [/\bcatorze\b/g, "quatorze"],
  [/\b(?:ters+a|tec?rca|tersca)\b/g, "terca"],
  [/\b(?:sesta|sxta|sezta)\b/g, "sexta"],
  [/\b(?:segnda|sgunda|2unda)\b/g, "segunda"],
  [/\b(?:qinta|quita|kinta)\b/g, "quinta"],
  [/\b(?:quata|qarta|cuarta)\b/g, "quarta"],
  [/\bprimero\b/g, "primeiro"],
  [/\bmarso\b/g, "marco"],
  [/\bmadruga\b/g, "madrugada"],
  [/\btrade\b/g, "tarde"],
  [/\bdp(?:oi)?s\b/g, "depois"],
  [/\bqq\b/g, "qualquer"],
];

/** Words that are long enough to be known with one slip in them. */
const LONG_WORDS =
  "janeiro fevereiro agosto setembro outubro novembro dezembro domingo segunda quarta quinta sabado depois amanha".split(
    " ",
  );
/** Words of their own, one letter from those. */
const OTHER_WORDS = new Set(
  "gosto quarto quinto segundo quanta sabido manha manhas quadra seguida segundas quartas quintas domingos sabados".split(
    " ",
  ),
);

const ORDINALS =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first".split(
    " ",
  );
const ORDINAL = new RegExp(`\\b(?:${[...ORDINALS].reverse().join("|")})\\b`, "g");

export function lineOf(text: string): string {
  const line = plainOf(text).replace(/(?<=\d) ?([/.-]) ?(?=\d)/g, "$1");
  return SLIPS.reduce((mended, [slip, word]) => mended.replace(slip, word), line)
    .replace(/[a-z]{5,}/g, mended)
    .replace(ORDINAL, (word) => `${ORDINALS.indexOf(word) + 1}th`);
}

function mended(word: string): string {
  if (LONG_WORDS.includes(word) || OTHER_WORDS.has(word)) return word;
  return LONG_WORDS.find((known) => isSlip(word, known)) ?? word;
}

/** One letter too many, missing or wrong, or two that have changed places. */
function isSlip(word: string, known: string): boolean {
  if (Math.abs(word.length - known.length) > 1) return false;
  let at = 0;
  while (at < word.length && word[at] === known[at]) at += 1;
  const [rest, other] = [word.slice(at), known.slice(at)];
  const isSwapped =
    rest[0] === other[1] && rest[1] === other[0] && rest.slice(2) === other.slice(2);
  return (
    isSwapped ||
    rest.slice(1) === other ||
    rest === other.slice(1) ||
    (rest.slice(1) === other.slice(1) && at > 0)
  );
}

/** A clause that denies something, or only says what comes before or after. */
const DENIES =
  /\b(?:nao|not) (?:posso|da|deu|dava|consigo|vou|vai|tenho|rola|estou|to|quero|can|before)\b/;
const AROUND = /^ ?(?:so )?(?:antes|depois|before|after)\b(?! d?e? ?amanh)(?!.*\d)/;
const CLAUSES = /([,;.!]|\b(?:mas|but)\b|\b(?:porque|pq|pois|because|que|q)\b(?! vem| passou))/;
/** Behind it a reason is told. */
const REASON = /^(?:porque|pq|pois|because|que|q)$/;

/** The text with blanks in place of clauses that only stand beside the answer: "hoje não posso, só amanhã". `isOfSpan`: before and after are answers. */
export function affirmed(line: string, holds: (rest: string) => boolean, isOfSpan = false): string {
  const parts = line.split(CLAUSES);
  const rest = parts
    .map((clause, at) => {
      const isBeside =
        DENIES.test(clause) ||
        (!isOfSpan && AROUND.test(clause)) ||
        REASON.test(parts[at - 1] ?? "");
      return isBeside ? " ".repeat(clause.length) : clause;
    })
    .join("");
  return holds(rest) ? rest : line;
}
