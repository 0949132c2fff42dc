/** Who receives the note, of a sentence about one, when no word introduces the name. */
import { NOTE_NOUNS } from "../../talk/nouns.ts";
import {
  FIRST_NAMES,
  isServiceWord,
  personOrCompany,
  plain,
  townsByName,
  trimEnds,
} from "../../../../plugin.ts";
import { CUT, cut, type Draft } from "../sentence.ts";
import { describesNothing } from "../sentence-leftover.ts";
import { isCompanyWord } from "./name-length.ts";

const FIRM = /\b(?:ltda|mei|epp|eireli|s[/.]?a|s\/s|spe|slu|cia|inc|llc|me)\.?$/;
/** A form of a company, which alone is nobody's name: "minha empresa, MEI". */
const FORM = /^(?:ltda|me|mei|epp|eireli|s[/.]?a|s\/s|slu|pj|pf)\.?$/;
const NAME_WORD = /^\p{Lu}[\p{L}\d'’.-]*$/u;
const JOINING = /^(?:d[aeo]s?|e|&|a|à|–|-)$/;
/** Before a loose name: words of asking and a colon. */
const ASKED_FOR =
  /^(?:[a-z ]{0,40}\b(?:notas?|nf|nfs-?e)(?: fiscal)?(?: ai| pf)?(?: d[ao]|:)? |(?:dona|seu|senhora?|sra?\.?|dra?\.?|mrs?\.?|ms\.?|profa?\.?|professora?|nome|cliente|empresa|firma|razao(?: social)?|tomadora?|(?:(?:pra|para|favor|pode|pode ja|cadastre e) )?(?:emitir|emite|emita|faturar|lancar)|contra [oa]|ao?):? )(?:(?:dona|seu|sra?|dra?|mrs?|ms)\.? )?/;
const MOST_WORDS = 10;

const MARKS = " .!:-–";
/** A piece between two breaks, without the marks around it. */
interface Piece {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function piecesOf(draft: Draft): readonly Piece[] {
  return [...draft.line.matchAll(/[^,;\n()\u0001]+/g)].map(({ index, 0: whole }) => {
    const name = trimEnds(whole, MARKS);
    const start = index + whole.indexOf(name);
    return { name, start, end: start + name.length };
  });
}

/**
 * A name that nothing introduces: "Rafael Teixeira" between two commas, "Agro Serra Ltda" beside a number. Every word has its
 * capital, and the first is a first name or a word of companies; a service would be written otherwise.
 */
export function takeLooseName(draft: Draft, document: string | null): string | null {
  const said = piecesOf(draft);
  const pieces = said.map((piece, at) => {
    const asked = ASKED_FOR.exec(plain(piece.name))?.[0] ?? "";
    const ofSomebody = / d[ao] $|(?:^| )(?:dona|seu|sra?\.?|dra?\.?|mrs?\.?|ms\.?) $/.test(asked);
    return {
      name: piece.name.slice(asked.length),
      start: piece.start + asked.length,
      end: piece.end,
      ofSomebody,
      // Who writes, and who is written to.
      isWho: !isSender(draft, said, at) && !GREETED.test(plain(piece.name)),
    };
  });
  const found = pieces
    .filter(({ name, ofSomebody, isWho }) => isWho && isLooseName(name, ofSomebody))
    .map((piece) => {
      const talk = FIRM.test(plain(piece.name)) ? (TALK.exec(piece.name)?.[0].length ?? 0) : 0;
      return { ...piece, name: piece.name.slice(talk), start: piece.start + talk };
    });
  const whole = found.filter(({ name }) => name.includes(" "));
  const beside =
    found.length === 0
      ? besideService(pieces, document !== null)
      : whole.length === 1
        ? whole
        : found;
  const [only] = beside.length === 0 ? besideDocument(draft, said, document) : beside;
  if (!only || beside.length > 1 || isNobody(only.name)) return null;
  const full = draft.line.startsWith(".", only.end) && /\bS\.A$/i.test(only.name);
  const name = personOrCompany(full ? `${only.name}.` : only.name, NOTE_NOUNS);
  if (name !== null) cut(draft, only.start, only.end);
  return name;
}

/**
 * "nota do carreto; Paulinha Esteves": where another part says what was done, the only part whose words all have their
 * capitals is who receives the note, whatever their name.
 */
function besideService(
  pieces: readonly (Piece & { readonly isWho: boolean })[],
  documented: boolean,
): readonly Piece[] {
  const proper = pieces.filter(({ name, isWho }) => isWho && isProper(name));
  const served = pieces.some((piece) => {
    const said = piece.name.replace(OF_WORK, "");
    const folded = plain(said);
    if (said.length < SHORTEST_WORK || proper.includes(piece)) return false;
    if (isServiceWord(folded)) return true;
    return documented && /^\p{Ll}/u.test(said) && !describesNothing(folded);
  });
  return served && proper.length === 1 ? proper : [];
}

/** Words of a sentence before a company: "My company is Redwood Consulting Ltda", "nfs da Imobiliária Teto Ltda". */
const TALK =
  /^.*?(?<!\S)(?:(?:[Mm]y|[Oo]ur) company is|[Nn]\u00f3s (?:d[aeo]s?|somos [oa])|[Pp]essoal d[aeo]s?(?: \p{Ll}+ d[aeo]s?)?|[Nn](?:fs?|otas?) (?:d[aeo]s?|pr[ao])|at|for|from|to|is) (?=\p{Lu})/u;

/** "Oi Bia", "Prezada Renata": who is spoken to. */
const GREETED =
  /^(?:oi+e?|ola|opa|ei|e ai|bom dia|boa tarde|boa noite|prezad[oa]s?|car[oa]|querid[oa]|dear|hello|hi|hey) /;
/** Before who signs: "Abs, Otacílio", "Grata, Profa. Elza". */
const FAREWELL =
  /(?:^|[ ,;.])(?:abs|abracos?|at+|at+e|atenciosamente|grat[oa]|cordialmente|saudacoes|assinad[oa]|ass|bjs?|beijos?|obrigad[oa]|obg|obrigadinh[oa]|agradecid[oa]|sds|regards|sincerely|cheers|thanks|thank you)[ .,!:;-]*$/;

/** The last piece of all behind a farewell: who writes. */
function isSender(draft: Draft, pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at];
  if (piece === undefined || !FAREWELL.test(plain(draft.line.slice(0, piece.start)))) return false;
  const later = draft.line.slice(piece.end);
  return !later.includes(CUT) && !/\d/.test(later);
}

/** Between a name and the document beside it. */
const NEXT_TO = /^[ ,;:.\u2013-]{0,5}$/;
/** Words of a name in small letters. */
const SMALL_NAME = /^\p{L}[\p{L}'\u2019.&/-]*$/u;
const FEWEST_SMALL = 2;
const MOST_SMALL = 6;
const CNPJ = 14;
/** A place of work, and no company: "casa da praia, 529.982.247-25". */
const WHERE =
  /^(?:casa|loja|sitio|fazenda|escritorio|escola|clinica|condominio|centro|bar) d[aeo]s? (?:minha|meu|praia|campo|cliente|tia|vo|mae|sogra|cidade)\b/;

/**
 * In small letters, the piece beside the document: beside a CNPJ what begins with a word of companies or ends with the form of
 * one, beside a CPF what begins with a first name.
 */
function besideDocument(
  draft: Draft,
  pieces: readonly Piece[],
  document: string | null,
): readonly Piece[] {
  if (document === null) return [];
  const numbers = draft.parts.filter(({ kind }) => kind === "document");
  const found = pieces
    .map((piece) => {
      const lead = LED.exec(plain(piece.name))?.[0].length ?? 0;
      return { ...piece, name: piece.name.slice(lead), start: piece.start + lead };
    })
    .filter(({ name, start, end }) => {
      const before = /(?:^|[,;:\u0001]) *$/.exec(draft.line.slice(0, start))?.[0].trim();
      const after = /^[ .]*(?:$|[,;:\u0001])/.exec(draft.line.slice(end))?.[0].trim();
      const numbered = numbers.map((number) =>
        number.start >= end
          ? NEXT_TO.test(draft.line.slice(end, number.start)) && before !== CUT
          : NEXT_TO.test(draft.line.slice(number.end, start)) && after !== CUT,
      );
      return numbered.includes(true) && isSmallName(name, document.length === CNPJ);
    });
  return found.length === 1 ? found : [];
}

function isSmallName(name: string, ofCompany: boolean): boolean {
  const words = name.split(" ");
  const folded = plain(name);
  const first = folded.split(/[ .]/, 1)[0] ?? "";
  const others = words.slice(1).map(plain);
  if (words.length < FEWEST_SMALL || words.length > MOST_SMALL || /\p{Lu}/u.test(name))
    return false;
  if (!words.every((word) => SMALL_NAME.test(word)) || JOINING.test(words.at(-1) ?? ""))
    return false;
  if (WHERE.test(folded) || others.some((word) => OF_TALK.test(word))) return false;
  if (!ofCompany) return FIRST_NAMES.has(first) && !others.some(isServiceWord);
  if (isCompanyWord(first) || SHORT_FIRM.test(folded)) return true;
  return FIRM.test(folded) && !isServiceWord(folded) && !OF_TALK.test(first);
}

/** "firma imobiliária chave de ouro ltda" */
const LED = /^(?:(?:[oa]|firma|empresa|cliente|emite|emitir|ai|pra|para|pro|nota) )+/;
/** "cerv. artesanal tropeira" */
const SHORT_FIRM =
  /^(?:assoc|cond|imob|lab|cerv|sind|constr|transp|distrib|dist|ind|com|cia|coop|inst|pref|rest|ed|edif|auto)\. /;
const OF_TALK =
  /^(?:que|quer|pediu|pagou|mandou|precisa|quero|favor|nota|nf|valor|r\$|obrigad[oa]|hoje|ontem|aqui|no|na|com|sem|pra|para|pro|por|ja|nao|me)$/;

const SHORTEST_WORK = 4;
/** Before what was done: "faz a nota da poda". */
const OF_WORK =
  /^.{0,60}?\b(?:[Nn]otas?|[Nn]otinha|[Nn][Ff][Ss]?-?[Ee]?)\b(?: fiscal)?(?: ref(?:\.|erente)?)?(?: ao?| d[aeo]s?)? /;

/** Who writes for somebody: "Síndica do Edifício Itamaraty". */
const ROLE =
  /^(?:sindic[oa]|don[oa]|gerente|secretari[oa]|assistente|diretora?|soci[oa]|president[ea]|tesoureir[oa]|coordenadora?|responsavel|paciente|alun[oa]|tutora?|pet|representante|proprietari[oa]|zelador|contador|contadora|setor|departamento|assunto)$/;
/** A place, a bank or a way of paying has its capitals too. */
const NOT_WHO =
  /\b(?:pix|banco|cartao|credito|debito|dinheiro|nota|notas|fiscal|nubank|inter|itau|bradesco|santander|caixa|bom|boa|muito|obrigad[oa]|black|friday|natal|ano)\b/;
const PLACE =
  /^(?:zona|bairro|jardim|jd|vila|rua|avenida|av|parque|praia|estado|shopping|terminal|porto|aeroporto)\b/;

/** Two words or more, the first and the last with their capital, one in small letters after it, none of them of work. */
function isProper(said: string): boolean {
  const words = said.split(" ");
  const folded = plain(said);
  return (
    words.length > 1 &&
    words.length <= MOST_WORDS &&
    [words[0], words.at(-1)].every((word) => /^\p{Lu}[\p{L}\d'’.]+$/u.test(word ?? "")) &&
    words.some((word) => /^\p{Lu}\p{Ll}+/u.test(word)) &&
    words.every((word) => NAME_WORD.test(word) || JOINING.test(word)) &&
    !isServiceWord(folded) &&
    !ROLE.test(folded.split(" ", 1)[0] ?? "") &&
    !NOT_WHO.test(folded) &&
    !PLACE.test(folded) &&
    townsByName(folded).length === 0
  );
}

/** "Quero a NF", and not "2º Tabelionato de Notas". */
const OF_NOTE = /(?<! de )\b(?:notas?|nf|nfs-?e)\b/;

/** … or "Gustavo Pires e Helena Dutra": neither of them alone. */
export function isNobody(name: string): boolean {
  const words = plain(name).split(" ");
  const joined = words.indexOf("e");
  const two =
    joined > 0 && [words[0], words[joined + 1]].every((one) => FIRST_NAMES.has(one ?? ""));
  // "Nome Fantasia Ltda" of a form that nobody filled in.
  const isBlank = words[0] === "fantasia" && words.slice(1).every((word) => FORM.test(word));
  return two || isBlank || OF_NOTE.test(plain(name)) || words.every((word) => FORM.test(word));
}

function isLooseName(said: string, ofSomebody: boolean): boolean {
  const words = said.split(" ");
  const [first = ""] = words;
  const last = words.at(-1) ?? "";
  const firm = FIRM.test(plain(said)) && words.length > 1;
  if (words.length > MOST_WORDS || JOINING.test(last) || !NAME_WORD.test(first)) return false;
  const proper = words.every(
    (word) => NAME_WORD.test(word) || JOINING.test(word) || (firm && /^[\p{L}\d/.&]+$/u.test(word)),
  );
  if (!proper) return false;
  const begin = plain(first);
  const small = words.some(
    (word) => /^\p{Ll}/u.test(word) && !JOINING.test(word) && !FIRM.test(word),
  );
  if (ROLE.test(begin) || (small && isServiceWord(begin))) return false;
  if (firm) return true;
  // "nota da Vanessa": one first name is enough after the words that ask.
  if (words.length === 1) return ofSomebody && FIRST_NAMES.has(begin);
  return FIRST_NAMES.has(begin) || isCompanyWord(begin);
}
