/**
 * The refusal of a request and its reason in one text: "recusar, valor errado", and as an approval that is denied: "não aprovo",
 * "não pode emitir, valor errado".
 */
import { foldWords } from "../../brazil/index.ts";
import { type Business, oneOf, perBusiness } from "../business.ts";
import { decision, REFUSING } from "./decision.ts";
import { SLIP } from "../corrections/correction-words.ts";
import { plainOf, tidy } from "../plain.ts";

export interface Refusal {
  /** The word that refuses. */
  readonly word: string;
  readonly reason: string;
}

const REFUSES = perBusiness(
  (_, { things }) =>
    new RegExp(
      String.raw`^((?:${REFUSING})\w*|nego|negad[oa])\b[\s,.:;\u2013-]*(?:(?:(?:o|a|ess[ea]|est[ea]|the|this)\s+)?(?:pedido|${oneOf(things)}|request)\b)?[\s,.:;\u2013-]*(?:(?:porque|pq|pois|because|motivo|reason)\b[\s:]*)?(\S.*)$`,
      "isu",
    ),
);
/** It takes the refusal back, or says nothing of why. */
const NO_REASON =
  /^(?:n[a\u00e3]o|ainda n[a\u00e3]o|agora|j\u00e1|ja|isso|essa?|esta?|aqui|a[i\u00ed]|ela?|it|mesmo)?[\s.!]*$/i;

const SMALL: ReadonlySet<string> = new Set(
  "a o e de da do das dos of for pra pro para cliente dona seu".split(" "),
);
/** "Recusa o pedido da Maria Souza": whose, which is no reason that a customer could read. */
const WHOSE =
  /^(?:d[aeo]|of|for|pr[ao]|para) (?:(?:[oa]|cliente|dona|seu) )*(?:\p{L}{2,20}|(?:\p{Lu}[\p{L}.]*|d[aeo]s?|e)(?: (?:\p{Lu}[\p{L}.]*|d[aeo]s?|e)){1,4})[\s.!]*$/u;
/** "Recusa a outra", "recusar todos", "recusar e A7": which, and no reason either. */
const OTHERS =
  /^(?:(?:[oa] |the )?(?:outr[oa]|other)|(?:[oa]s )?(?:dois|duas)|tod[oa]s|amb[oa]s|all|both|(?:(?:e|and) )?(?:[oa] |the )?[a-z]\d{1,6}(?: (?:e|and))?)[\s.!]*$/i;

/** Whose request, or which others, a text refuses, and by which word; undefined when it names none. */
export function refusedOf(
  text: string,
  business?: Business,
): { readonly word: string; readonly of: string } | undefined {
  const [, word, reason = ""] = REFUSES(business).exec(text.trim()) ?? [];
  return word !== undefined && isNamed(reason) ? { word, of: reason } : undefined;
}

function isNamed(reason: string): boolean {
  return WHOSE.test(reason) || OTHERS.test(reason);
}

/** Whether all of a name stands in what was shown. */
export function isNamedIn(of: string, shown: string): boolean {
  const said = ` ${foldWords(shown)} `;
  return foldWords(of)
    .split(" ")
    .filter((word) => !SMALL.has(word))
    .every((word) => said.includes(` ${word} `));
}

/** The refusal a text spells out with its reason; undefined when it gives none. */
export function refusalIn(text: string, business?: Business): Refusal | undefined {
  if (text.includes("?") || decision(text, business)) return undefined;
  const [, word, reason = ""] = REFUSES(business).exec(text.trim()) ?? [];
  return word === undefined || NO_REASON.test(reason) || isNamed(reason)
    ? undefined
    : { word, reason };
}

const LINES = /\s*\n\s*/g;
/** Longer than any such answer with its reason. */
const LONGEST = 400;
const CODE = String.raw`([a-z]\d{1,6})`;
const LEAD = `(?:(?:${SLIP}|olha|entao|eu|nos|a gente|i|we|please)[ ,.!:]+){0,3}(?:(?:o )?(?:pedido |request )?${CODE}[ ,.:;-]+)?(?:(?:eu|nos|i|we) )?`;
const APPROVES = String.raw`aprov(?:o|a|ar|e|em|amos|arei|ad[oa])|approve(?:d|s)?|approving`;
const LETS = String.raw`autoriz(?:o|a|ar|e|em|amos|arei|ad[oa])|liber(?:o|a|ar|e|em|amos|arei|ad[oa])|emit(?:o|e|a|am|ir|imos|irei|id[oa])|pode|podem|posso|podemos|vai dar|authori[sz]ed?|authori[sz]ing|issued?|issuing|allow(?:ed)?|releas(?:e|ed|ing)`;
const BEFORE = String.raw`(?:(?:vou|vamos|irei|posso|podemos|quero|queremos|pretendo|consigo|pode|podem|da|tem como|tenho como|e|foi|esta|ta|fica|vai ser|sera|going|want|be) (?:(?:pra|para|to) )?){0,2}`;
const NOT = String.raw`(?:nao|naum|n|do ?not|don ?['\u2019]? ?t|will not|won ?['\u2019]? ?t|can ?not|can ?['\u2019]? ?t|(?:am|m|['\u2019]m) not|not|never)`;
const objectOf = ({ things, beside }: Business): string =>
  String.raw`(?: (?:o|a|ess[ea]|est[ea]|isso|isto|el[ea]|the|this|that|it|one))?(?: (?:emissao|emitir))?(?: (?:(?:o|a|ess[ea]|est[ea]|d[aeo]|of|the|this) )?(?:pedido|${oneOf(things)}|solicitacao|request|one))?(?: (?:${oneOf(beside)}|aqui))?(?: ${CODE}(?![a-z0-9]))?(?:,? (?:nao|mesmo|viu|por favor|pf|please|obrigad[oa])(?=$|[,.;!]| (?:mesmo|viu|por favor|obrigad)))*`;
const DENIES = perBusiness(
  (_, business) =>
    new RegExp(
      String.raw`^${LEAD}${NOT} ${BEFORE}(?:(${APPROVES})|${LETS})\b${objectOf(business)}(?=$|[ ,.;:!\u2013-])`,
    ),
);
/** Behind it: nothing, a condition, or why. */
const OVER = /^[ .!]*$/;
const CONDITION = /^ (?:sem|without)\b/;
const WHY =
  /^(?: *[,.;:!\u2013-]+\s*(?:(?:porque|porq|pq|pois|ja que|because|since|motivo|reason)\b[ :]*)?| (?:porque|porq|pq|pois|ja que|because|since) )(?=\S)/;
/** It only waits. */
const WAITS =
  /\b(?:ainda|agora|hoje|por enquanto|por ora|por hora|espera|espere|pera|perai|calma|aguarda|aguarde|momento|minuto|depois|amanha|yet|now|wait|later|tomorrow)\b/;
const ONLY_WAITS = new RegExp(
  String.raw`^(?:${WAITS.source}|nao|um|so|ai|mais|tarde|pouco|not|[ ,.!])*$`,
);
/** Says what is to be done of this one or another, or takes the refusal back: no reason that a customer can be told. */
const DECIDES = new RegExp(String.raw`\b(?:aprov|approv|${REFUSING}|pode (?:emitir|fazer|mandar))`);
const REFUSING_WORD = new RegExp(String.raw`\b(?:${REFUSING})`);

export interface Denial {
  /** The code of the request, in upper case. */
  readonly code: string | undefined;
  /** Why; undefined where no reason is told, or none that a customer can be told. */
  readonly reason: string | undefined;
  /** It names the approval ("não aprovo"), which is said of nothing else. */
  readonly names: boolean;
}

/** The denial that a text spells out. Undefined where none is denied for good: what only waits denies none ("não aprovo ainda"). */
export function denialIn(text: string, business?: Business): Denial | undefined {
  if (text.length > LONGEST || text.includes("?")) return undefined;
  const tidied = tidy(text.replace(LINES, ", "));
  const line = plainOf(tidied);
  const match = DENIES(business).exec(line);
  if (!match) return undefined;
  const [all, ahead, approves, behind] = match;
  const rest = line.slice(all.length);
  const said = { code: (ahead ?? behind)?.toUpperCase(), names: approves !== undefined };
  if (OVER.test(rest) || CONDITION.test(rest)) return { ...said, reason: undefined };
  const led = WHY.exec(rest)?.[0].length;
  if (led === undefined || ONLY_WAITS.test(rest.slice(led))) return undefined;
  const reason = DECIDES.test(rest) ? undefined : tidied.slice(all.length + led).trim();
  return { ...said, reason };
}

/** Whether a text puts a decision off, or decides by a word of its own: no plain no. */
export function waitsOrRefuses(line: string): boolean {
  return WAITS.test(line) || REFUSING_WORD.test(line);
}
