/** Who receives the note, of a sentence about one, when no word introduces the name. */
import { townsByName } from "../brazil/index.ts";
import { FIRST_NAMES } from "./first-names.ts";
import { personOrCompany } from "./name.ts";
import { plain, trimEnds } from "./plain.ts";
import { cut, type Draft } from "./sentence.ts";
import { COMPANY_WORDS } from "./sentence-name.ts";
import { isServiceWord } from "./service-words.ts";

const FIRM = /\b(?:ltda|mei|epp|eireli|s\/?a|me)\.?$/;
const NAME_WORD = /^\p{Lu}[\p{L}'’.-]*$/u;
const JOINING = /^(?:d[aeo]s?|e|&|a|à)$/;
/** Before a loose name: words of asking and a colon. */
const ASKED_FOR =
  /^(?:[a-z ]{0,40}\b(?:notas?|nf|nfs-?e)(?: fiscal)?(?: ai| pf)?(?: d[ao]|:)? |(?:dona|seu|sra?\.?|dra?\.?|nome|cliente|empresa|firma|razao social|tomadora?|emitir|emite|emita):? )(?:(?:dona|seu|sra?|dra?)\.? )?/;
const MOST_WORDS = 7;

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
export function takeLooseName(draft: Draft, documented: boolean): string | null {
  const pieces = piecesOf(draft);
  const found = pieces.flatMap((piece) => {
    const asked = ASKED_FOR.exec(plain(piece.name))?.[0] ?? "";
    const ofSomebody = / d[ao] $|(?:^| )(?:dona|seu|sra?\.?|dra?\.?) $/.test(asked);
    const name = piece.name.slice(asked.length);
    const start = piece.start + asked.length;
    return isLooseName(name, ofSomebody) ? [{ ...piece, name, start }] : [];
  });
  const [only] = found.length === 0 && documented ? besideService(pieces) : found;
  if (!only || found.length > 1) return null;
  const name = personOrCompany(only.name);
  if (name !== null) cut(draft, only.start, only.end);
  return name;
}

/**
 * "nota; Zoraide Pimenta; |; |; massagem": beside a document, and where another part says what was done, the only part whose
 * words all have their capitals is who receives the note, whatever their name.
 */
function besideService(pieces: readonly Piece[]): readonly Piece[] {
  const proper = pieces.filter(({ name }) => isProper(name));
  const served = pieces.some(
    ({ name }) => /^\p{Ll}/u.test(name) && isServiceWord(plain(name)) && name.length > 3,
  );
  return served && proper.length === 1 ? proper : [];
}

/** A place, a bank or a way of paying has its capitals too. */
const NOT_WHO =
  /\b(?:pix|banco|cartao|credito|debito|dinheiro|nota|notas|fiscal|zona|bairro|jardim|vila|rua|avenida|parque|praia|estado|shopping|nubank|inter|itau|bradesco|santander|caixa|bom|boa|muito|obrigad[oa]|black|friday|natal|ano)\b/;

/** Two to five words, the first and the last with small letters after their capital, none of them of work. */
function isProper(said: string): boolean {
  const words = said.split(" ");
  const folded = plain(said);
  return (
    words.length > 1 &&
    words.length <= 5 &&
    [words[0], words.at(-1)].every((word) => /^\p{Lu}\p{Ll}+$/u.test(word ?? "")) &&
    words.every((word) => NAME_WORD.test(word) || JOINING.test(word)) &&
    !words.some((word) => isServiceWord(plain(word))) &&
    !NOT_WHO.test(folded) &&
    townsByName(folded).length === 0
  );
}

function isLooseName(said: string, ofSomebody: boolean): boolean {
  const words = said.split(" ");
  const [first = ""] = words;
  const last = words.at(-1) ?? "";
  if (words.length > MOST_WORDS || JOINING.test(last) || !NAME_WORD.test(first)) return false;
  const firm = FIRM.test(plain(said)) && words.length > 1;
  const proper = words.every(
    (word) => NAME_WORD.test(word) || JOINING.test(word) || (firm && /^[\p{L}\d/.&]+$/u.test(word)),
  );
  if (!proper) return false;
  const begin = plain(first);
  if (firm) return true;
  // "nota da Vanessa": one first name is enough after the words that ask.
  if (words.length === 1) return ofSomebody && FIRST_NAMES.has(begin);
  return FIRST_NAMES.has(begin) || COMPANY_WORDS.test(begin);
}
