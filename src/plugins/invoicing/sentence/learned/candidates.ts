/**
 * What a sentence may hold as its name and as what was done: what the rules read, and the stretches that the chain holds for
 * likely. Each once, the likeliest first.
 */
import { NOTE_NOUNS } from "../../talk/nouns.ts";
import {
  FIRST_NAMES,
  isServiceWord,
  personOrCompany,
  plain,
  serviceText,
  tidy,
} from "../../../../plugin.ts";
import { asWritten, withBrackets } from "../parts/sentence-bracket.ts";
import { isNobody } from "../parts/sentence-loose-name.ts";
import { BEGINS } from "./model/chain.ts";
import type { SpanKind } from "./model/chain.ts";
import type { Tagged } from "./tagger.ts";
import type { Token } from "./tokens.ts";

export interface Candidate {
  readonly kind: SpanKind;
  /** As it would be taken. */
  readonly text: string;
  /** Its tokens; -1 when it stands nowhere as one piece. */
  readonly first: number;
  readonly last: number;
  /** 0 to 1. */
  readonly likelihood: number;
  /** The rules read it. */
  readonly ruled: boolean;
}

export interface Read {
  readonly tokens: readonly Token[];
  readonly by: Tagged;
  /** The whole line, before anything was cut out of it. */
  readonly line: string;
  /** As it came. */
  readonly text: string;
}

/** Less likely beginnings and stretches are not looked at. */
const LEAST = { begin: 0.02, goesOn: 0.01, span: 0.01 } as const;
const MOST = 6;
/** Words of a stretch: more are no name and no work, and of a long text all would be compared with all. */
const LONGEST = 40;

/** How words are taken; null when they cannot be. `text`: the sentence as it came. */
const READ: Readonly<Record<SpanKind, (words: string, text: string) => string | null>> = {
  name: (words) => (isNobody(words) ? null : personOrCompany(words, NOTE_NOUNS)),
  description: (words, text) => {
    const said = TORN.test(words) ? null : asWritten(workOf(words), text);
    return said === null ? null : withBrackets(said, text);
  },
};
/**
 * "manutenção de julho", "fisio dessa semana", "conserto pfv", "parecer elaborado |": when it was, what is only polite and what
 * joins a day behind it are none of what was done.
 */
const AROUND =
  / (?:(?:(?:d[eo]|em|n?o mes de|mes de) )?(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|(?:jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)(?=\/))(?:(?: de |\/| )(?:20)?\d\d)?|(?:d?ess[ae]|d?est[ae]|n[oa]|d[oa]) (?:semana|mes)(?: passad[oa]| retrasad[oa])?|(?:last|this) (?:night|week|month|weekend)|pfv?r?|por favor|por gentileza|please|pls|plz|pli[sz]|blz|ok|viu|elaborad[oa]|ministrad[oa]|(?<! d[aeo] )dad[oa]|data|qto|importancia|in (?:january|february|march|april|may|june|july|august|september|october|november|december))$/;
/** What is broken off behind one of these goes on. */
const JOINING = / (?:d[aeo]s?|e|n[ao]s?|em|com|por|pr[ao]|para|pel[ao]|ao?s?|of|for|the|at|and)$/;

/** Is nothing that was done, wherever it was not cut out. */
const EMAIL = /\S@\S/;

function workOf(words: string): string | null {
  const around = AROUND.exec(plain(words))?.index;
  const work = words.slice(0, around);
  return JOINING.test(plain(work)) || EMAIL.test(work) ? null : serviceText(work, NOTE_NOUNS);
}

/** Half a pair of brackets. */
const TORN = /^[^(]*\)|\([^)]*$/;

export function candidatesOf(kind: SpanKind, ruled: string | undefined, read: Read): Candidate[] {
  const { tokens, by, line } = read;
  const found = new Map<string, Candidate>();
  const full =
    kind === "description" && ruled !== undefined ? withBrackets(ruled, read.text) : ruled;
  const isWho = kind !== "name" || ruled === undefined || !isNobody(ruled);
  if (ruled !== undefined && full !== undefined && full !== null && isWho)
    found.set(full, { ...placed(kind, ruled, read), text: full });
  for (const [first] of tokens.entries()) {
    if (by.likelihoodOfTag(first, BEGINS[kind]) < LEAST.begin) continue;
    for (let last = first; last < Math.min(tokens.length, first + LONGEST); last += 1) {
      const goesOn = last === first || by.likelihoodOfTag(last, BEGINS[kind] + 1) >= LEAST.goesOn;
      if (!goesOn) break;
      const likelihood = by.likelihoodOf(kind, first, last);
      if (likelihood < LEAST.span) continue;
      if (kind === "name" && isPart(tokens, first, last)) continue;
      const from = kind === "name" ? wholeFrom(tokens, first, last) : first;
      const to = kind === "name" ? last : wholeTo(tokens, last, ruled);
      const text = READ[kind](line.slice(tokens[from]?.start, tokens[to]?.end), read.text);
      if (text === null) continue;
      const known = found.get(text);
      if (known?.ruled && known.first === from && known.last === last) continue;
      const own = { kind, text, first: from, last: to, likelihood, ruled: text === full };
      if (known?.first === from) {
        // The same text of two stretches ("conserto", "conserto pfv") is as likely as both together.
        const both = Math.min(1, known.likelihood + likelihood);
        found.set(text, { ...(known.likelihood >= likelihood ? known : own), likelihood: both });
      } else if (known === undefined || known.likelihood < likelihood) found.set(text, own);
    }
  }
  return [...found.values()]
    .sort((one, other) => other.likelihood - one.likelihood)
    .filter((one, at) => one.ruled || at < MOST);
}

/** "aro" of "aro 14", "bloco" of "bloco 3": where the rules read the number on, which one it is belongs to it, and is no amount. */
const NUMBERED =
  /^(?:bloco|torre|apto|apartamento|lote|quadra|andar|turma|modulo|fase|etapa|vaga|aro|elevador|chale|suite|pavilhao)$/;

/** … of these also where the rules read nothing. */
const ALWAYS_NUMBERED = /^(?:apto|apartamento|bloco|lote|quadra)$/;

function wholeTo(tokens: readonly Token[], last: number, ruled = ""): number {
  const [word, next] = [tokens[last], tokens[last + 1]];
  if (next?.kind !== "number" || !NUMBERED.test(word?.text ?? "")) return last;
  if (ruled === "" && ALWAYS_NUMBERED.test(word?.text ?? "")) return last + 1;
  return ` ${plain(ruled)} `.includes(` ${word?.text} ${next.text} `) ? last + 1 : last;
}

/** "Bia e Malu": neither one of two people nor both receive it. */
const AND = /^(?:e|ou|and|&)$/;
const IS = /^é$/iu;
/** "Gerson e esposa". */
const KIN =
  /^(?:espos[oa]|marido|mulher|filh[oa]s?|familia|mae|pai|irma|irmao|soci[oa]s?|noiv[oa]|namorad[oa])$/;
/** "pra Bia e põe corte e barba", "Bia Lima e foram 400 reais": what is joined is no person. */
const GOES_ON =
  /^(?:poe|ponha|coloca|coloque|bota|bote|escreve|manda|mande|envia|envie|emite|faz|pode|me|foi|foram|deu|ficou|custou|quer|pediu|pagou|paga|vai|cnpj|cpf|valor|r\$|no)$/;
/** "pra Beta Ltda ou pra Gama Ltda", "da Ana e do Beto". */
const LEADS = /^(?:pra|pro|para|d[ao]|[oa])$/;
/** "na casa da Vanda": where it was done. */
const PLACE = /^(?:casa|ap|apto|apartamento|sitio|escritorio)$/;

/** "Mrs. Helen Baumgarten" */
const ENGLISH_TITLE = /^(?:mrs?|ms|miss)\.?$/;
/** "Abs, Otacílio", "Grata, Profa. Elza" at the end: who writes. */
const FAREWELL =
  /^(?:abs|abracos?|att?e?|atenciosamente|grat[oa]|cordialmente|saudacoes|assinad[oa]|ass|bjs?|beijos?|sds|regards)$/;

function isSender(tokens: readonly Token[], first: number, last: number): boolean {
  let at = first - 1;
  while (/^(?:[.,;:!-]|dra?\.?|profa?|sra?\.?|eng)$/.test(tokens[at]?.text ?? "")) at -= 1;
  return (
    FAREWELL.test((tokens[at]?.text ?? "").replace(/\.$/, "")) &&
    tokens.slice(last + 1).every(({ kind }) => kind === "mark")
  );
}

function isPart(tokens: readonly Token[], first: number, last: number): boolean {
  const isProper = (at: number): boolean => /^\p{Lu}/u.test(tokens[at]?.original ?? "");
  const text = (at: number): string => tokens[at]?.text ?? "";
  // "o cliente é Ana" joins nobody to her.
  const joins = (at: number): boolean => AND.test(text(at)) && !IS.test(tokens[at]?.original ?? "");
  return (
    ENGLISH_TITLE.test(text(first)) ||
    isSender(tokens, first, last) ||
    // "Nome fantasia: …" is a label, "Nome Fantasia Ltda" may be all of a name: not from the middle on.
    (text(first) === "fantasia" && text(first - 1) === "nome") ||
    // "e não pra Pousada Ipê"
    (LEADS.test(text(first - 1)) && /^(?:nao|n)$/.test(text(first - 2))) ||
    // "time Estrela da Várzea Clube": not from the middle on.
    (/^d[aeo]s?$/.test(text(first - 1)) &&
      tokens[first - 2]?.kind === "word" &&
      isProper(first - 2) &&
      tokens[first - 3]?.kind === "word" &&
      !isServiceWord(text(first - 2)) &&
      isProper(first)) ||
    (joins(last + 1) && !GOES_ON.test(text(last + 2))) ||
    (joins(first - 2) && LEADS.test(text(first - 1)) && isProper(first - 3)) ||
    (joins(first - 1) && isProper(first - 2)) ||
    PLACE.test(text(first - 2)) ||
    tokens
      .slice(first + 1, last)
      .some(
        (_, at) =>
          joins(first + 1 + at) &&
          (FIRST_NAMES.has(text(first + at + 2)) || KIN.test(text(first + at + 2))),
      )
  );
}

/** "cerv. artesanal tropeira", "Assoc. Benef. Lar": short words of companies, whose full stop is a token of its own. */
const SHORT =
  /^(?:assoc|ass|benef|cond|imob|lab|cerv|sind|constr|transp|distrib|ind|com|coop|inst|pref|rest|ed|edif|sta|sto)$/;
/** "dra. helena paiva odontologia ltda": a company keeps it. */
const TITLE = /^(?:dra?|profa?)\.?$/;
const FORM = /^(?:ltda|me|mei|epp|eireli|s\/?a|s\.a\.?)$/;
/** "consultório odontológico dr. Heitor Vilas", and up to so many words between. */
const OFFICE = /^(?:consultorio|clinica|escritorio|laboratorio|estudio|studio|atelie|espaco)$/;
const OFFICE_WORDS = 2;

/** Where a company's name begins whose last words were found alone. */
function wholeFrom(tokens: readonly Token[], first: number, last: number): number {
  const text = (at: number): string => tokens[at]?.text ?? "";
  const touches = (at: number): boolean => tokens[at]?.end === tokens[at + 1]?.start;
  let from = first;
  while (text(from - 1) === "." && touches(from - 2) && SHORT.test(text(from - 2))) from -= 2;
  const title =
    text(from - 1) === "." && touches(from - 2)
      ? from - 2
      : TITLE.test(text(from - 1))
        ? from - 1
        : -1;
  if (title < 0 || !TITLE.test(text(title))) return from;
  if (FORM.test(text(last))) return title;
  for (let words = 1; words <= OFFICE_WORDS; words += 1) {
    const at = title - 1 - words;
    if (OFFICE.test(text(at)) && !/^d[aeo]s?$/.test(text(title - 1)))
      return (tokens[at - 1]?.kind ?? "mark") === "mark" ? at : from;
  }
  return from;
}

const PART_OF_WORD = /[a-z\d]/;

/** What the rules read, where the chain holds it for likeliest. */
function placed(kind: SpanKind, text: string, { tokens, by, line }: Read): Candidate {
  const folded = plain(line);
  const wanted = plain(tidy(text)).replace(/\.$/, "");
  let best: Candidate = { kind, text, first: -1, last: -1, likelihood: 0, ruled: true };
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (PART_OF_WORD.test(folded.charAt(at - 1)) || PART_OF_WORD.test(folded.charAt(end))) continue;
    const first = tokens.findIndex(({ start }) => start >= at);
    const last = tokens.findLastIndex(({ start }) => start < end);
    if (first < 0 || first > last) continue;
    const likelihood = by.likelihoodOf(kind, first, last);
    if (best.first < 0 || likelihood > best.likelihood)
      best = { kind, text, first, last, likelihood, ruled: true };
  }
  return best;
}
