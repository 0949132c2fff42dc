/**
 * A sentence in English, its words of asking put into those of the other language: "invoice of 150 for Maria Souza" is read as
 * "nota de 150 pra Maria Souza". What was done and who receives it stay as written.
 */
import { addDays, FIRST_NAMES, plain } from "../../../../plugin.ts";

const IN_ENGLISH =
  /\b(?:invoices?|bill|amount|service)\b(?=.*\b(?:of|for|to|the|an|name|date|yesterday|today)\b)|\b(?:of|for|to|the|an|my|me|name|please|issue|make|create|last|cancel|where|how)\b.*\b(?:invoices?|bill|amount|service)\b/;
/** Asked in English, even where the paper has its Portuguese name: "I need a nota fiscal for …". */
const ASKED_IN_ENGLISH =
  /\b(?:i|we) (?:need|want)\b|\b(?:please|kindly|could you|can you|would like)\b|\b(?:notas?|nfs?) (?:for|to my|to our)\b|\b(?:make|issue|create|prepare) (?:me |us )?(?:an?|the|one) (?:new )?(?:notas?|nfs?)\b|^(?:hi|hello|hey)\b/;
const NOTA = /\b(?:notas?(?: fiscal)?|nfs?-?e?|receipt note)\b/gi;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** In the other language: a number would be read as month and day once more. */
const OUR_MONTHS = [
  "jan",
  "fev",
  "mar",
  "abr",
  "mai",
  "jun",
  "jul",
  "ago",
  "set",
  "out",
  "nov",
  "dez",
];
const NAMED_DAY =
  /\b(?:dia )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?\b(?![.,/]\d)/gi;
const PORTUGUESE =
  /\b(?:nota|notas|quero|queria|preciso|pra|para|emite|emitir|faz|valor|servico)\b/;

const AMOUNT = "(?:(?:r\\$|brl) ?)?\\d";
/** Behind an amount, never behind what is counted: "calibration of 6 pressure gauges" stays as it was written. */
const ENDS =
  "(?= ?(?:$|[,;!?()]|(?:reais|brl|real|for|to|on|please|from|yesterday|today|in|by|dated|cpf|cnpj|and|as|regarding|-|–)(?![a-z])))";
/** In order; each of the whole line, whatever the capitals. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/[’]/g, "'"],
  [/\b(yesterday|today)'s ([a-z]+)/gi, "$2 $1"],
  [/\b(?:can|could|would|will) you (?:please )?/gi, "pode "],
  [/\bplease,? ?/gi, ""],
  [/\bi(?:'d| would)? (?:want|need|like)(?: you)?(?: to)? /gi, "quero "],
  [
    /\b(?:issue|make|create|generate|write|prepare|send)(?: me| us)? (?=(?:an?|the|one|another)? ?(?:new )?(?:invoice|bill)\b)/gi,
    "emite ",
  ],
  [new RegExp(`\\b(?:invoice|bill) (?=${AMOUNT})`, "gi"), "nota de "],
  [/\b[Bb]ill (?=\p{Lu}\p{Ll})/gu, "nota pra "],
  [/\bin (?:the )?name of /gi, "em nome de "],
  [/\b(?:(?:an?|the|one|another) )?(?:new )?(?:invoice|bill)\b/gi, "nota"],
  [
    new RegExp(
      `\\b(?:of|for) (?=${AMOUNT}[\\d.,]*(?![\\d.,])(?! (?!reais\\b)[a-z]+s\\b)${ENDS})`,
      "gi",
    ),
    "de ",
  ],
  [/\bbrl ?(?=\d)/gi, "R$ "],
  // "1,500 reais", "R$ 1,980.00": what divides thousands there divides cents here.
  [/(?<![\d.,])(\d{1,3}),(\d{3})\.(\d\d)(?!\d|[.,]\d)/g, "$1.$2,$3"],
  [/(?<![\d.,])(\d{1,3}),(\d{3})(?!\d|[.,]\d)/g, "$1.$2"],
  [/\bname ?: ?/gi, "nome: "],
  [/\b(?:amount|value|total|price)(?: is)? ?:? ?(?=[r\d])/gi, "valor: "],
  [/\b(?:service|description) ?: ?/gi, "serviço: "],
  [/\bservice date:? (?=\S)|\bdate ?: ?/gi, "data: "],
  [/\b(?:client|customer|taker|payer) ?: ?/gi, "cliente: "],
  [/\bmy name is /gi, "meu nome é "],

  [/\b[Cc]ompany(?: ?: ?| (?=\p{Lu}))/gu, "empresa: "],
  [/\b[Cc](?:lient|ustomer) (?=\p{Lu})/gu, "cliente "],
  [
    /\b(?:on|of|dated) (?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d)/gi,
    "dia ",
  ],
  [/\beach\b/gi, "cada"],
  [/\b(?:on|of|from|in|dated) (?=(?:today|yesterday|the day|last )\b)/gi, ""],
  [/\b(?:on|dated) (?=\d)/gi, "dia "],
];
/** "11/19" can only be the 19th of November; "11/12" is either, and nobody's to decide. */
const NUMERIC_DAY = /(?<![\d/])(?:dia )?(\d{1,2})\/(\d{1,2})((?:\/\d{2,4})?)(?![\d/])/g;
const LAST_MONTH = 12;
/** Before whom a note is for, or before what it is for. */
const FOR =
  /\b(for|to) ((?:the |a |an |my |our )?)((?:(?:client|customer|company) )?)(?=(\S+)(?: (\S+))?)/gi;
const INSIDE = /(?:^|[^a-z])(?!(?:nota|fiscal|reais|r|it|this|one|is)\b)[a-z]{3,} $/;
const JOINING =
  /^(?:d[aeo]s?|e|and|&|cpf|cnpj|on|for|of|yesterday|today|in|to|from|with|at|tax|id)$/;

/** `today`: `YYYY-MM-DD`; a day that is only recent where its date stands first is read so. */
export function fromEnglish(line: string, today?: string): string {
  const folded = plain(line);
  const said = ASKED_IN_ENGLISH.test(folded) ? line.replace(NOTA, "invoice") : line;
  if (!IN_ENGLISH.test(plain(said)) || PORTUGUESE.test(plain(said))) return line;
  const put = WORDS.reduce((text, [word, ours]) => text.replace(word, ours), said);
  return put
    .replace(
      NAMED_DAY,
      (_whole, month: string, day: string) =>
        `dia ${day} de ${OUR_MONTHS[MONTHS.indexOf(month.toLowerCase().slice(0, 3))] ?? ""}`,
    )
    .replace(NUMERIC_DAY, (whole, month: string, day: string, year: string) => {
      if (Number(month) > LAST_MONTH) return whole;
      if (Number(day) > LAST_MONTH) return `dia ${day}/${month}${year}`;
      return today !== undefined && isOurs([month, day], year, today)
        ? `dia ${month}/${day}${year}`
        : "";
    })
    .replace(
      FOR,
      (
        whole,
        word: string,
        article: string,
        role: string,
        first: string,
        second: string,
        ...rest
      ) => {
        if (isSomebody(word, article, role, [first, second])) return "pra ";
        // "yoga classes for guests": a part of what was done.
        const [at, text] = rest as [number, string];
        return INSIDE.test(plain(text.slice(0, at))) ? whole : "referente a ";
      },
    );
}

/** "03/11/2026", asked for on the 9th of November: work that was just done, and eight months ago or still to come otherwise. */
const JUST_NOW = 31;

function isOurs([first, second]: readonly [string, string], year: string, today: string): boolean {
  const two = (part: string): string => part.padStart(2, "0");
  const isRecent = (month: string, day: string): boolean =>
    [today.slice(0, 4), String(Number(today.slice(0, 4)) - 1)].some((each) => {
      if (year !== "" && !each.endsWith(year.slice(1))) return false;
      const date = `${each}-${two(month)}-${two(day)}`;
      return date <= today && date > addDays(today, -JUST_NOW);
    });
  return isRecent(second, first) && !isRecent(first, second);
}

/** "for Maria Souza", "to acme", "for the client …"; not "for English lessons", "for the haircut". */
function isSomebody(
  word: string,
  article: string,
  role: string,
  [first = "", second = ""]: readonly string[],
): boolean {
  if (role !== "" || word.toLowerCase() === "to") return true;
  const bare = plain(first).replace(/[^a-z]+$/, "");
  if (FIRST_NAMES.has(bare)) return true;
  if (article !== "" || !/^\p{Lu}/u.test(first)) return false;
  const ends = second === "" || /[,;.]$/.test(first);
  return ends || !/^\p{Ll}/u.test(second) || JOINING.test(plain(second).replace(/[^a-z&]+$/, ""));
}
