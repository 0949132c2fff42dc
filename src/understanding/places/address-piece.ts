/** A piece of an address that is told on its own, after the rest of it: "é 95", "não tem número". */
import { foldWords } from "../../brazil/index.ts";
import { LEAD } from "../corrections/correction-words.ts";
import { plainOf } from "../plain.ts";

/** Letters that answer something else, or nothing. */
const NO_PIECE =
  /^(?:(?:nao|sim|ok|oi|n|e|eu|ja|mas|como|qual|onde|por que|porque|pq|ta|sei|isso|que|o que|no|yes|what|i)\b.*|.*\b(?:nao (?:sei|lembro|tenho|tem)|mandei|falei|disse|don t know)\b.*)$/;

/** Where letters alone may be the missing piece: whether these are none. */
export function isNoPiece(text: string): boolean {
  return NO_PIECE.test(foldWords(text));
}

const DOOR = new RegExp(
  `^${LEAD}(?:o )?(?:(?:numero|num|number|n[\u00ba\u00b0o]?)(?=[ .:=\\d])[ .:=]*)?(?:(?:e|eh|is|it is|it's|fica)[ :]+(?:o )?)?(?=(\\d{1,6}(?: ?-? ?[a-z])?)[ .!]*$)`,
);
const NO_NUMBER =
  /^(?:(?:a casa |la |aqui |o endereco |e |eh )*(?:nao tem(?: numero)?|sem numero|s n|sn)|(?:it has )?no number)$/;

/** The number of a door without the words around it; the text as it is where it tells none. */
export function doorIn(text: string): string {
  if (NO_NUMBER.test(foldWords(text))) return "s/n";
  return DOOR.exec(plainOf(text))?.[1] ?? text.trim();
}

const NUMBER_ALONE =
  /^[^\p{L}\d]*(?:(?:e|\u00e9|eh|o|a|is|it['\u2019]?s)\s+)*\d{1,4}[^\p{L}\d]*$/iu;

/** "É 97", "97": a number alone, too short for a CEP. */
export function isNumberAlone(text: string): boolean {
  return NUMBER_ALONE.test(text);
}

const HEAD =
  /^(?:jardim|jd\.?|vila|vl\.?|parque|pq\.?|bairro|alto|nova|novo|santa|santo|sao|s\u00e3o|d[aeo]s?)$/i;

/** Whether a district's name begins with a word, so that no door stands right behind it. */
export function beginsName(word: string): boolean {
  return HEAD.test(word);
}
