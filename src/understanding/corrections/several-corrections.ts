/** Several corrections in one message: where one ends and the next begins. */
import { plain } from "../plain.ts";
import { SLIP, WRONG } from "./correction-words.ts";

/** All that stands is denied: "não é isso". */
const NOT_THAT =
  "(?:nao|no)(?: (?:e|eh|era|foi) (?:isso|ess[ea]|assim))?|nada disso|that['\\u2019]?s not (?:it|right)";
/** "Opa, tá errado: …": before anything is told; each part ends with a mark. */
const OPENS = new RegExp(
  `^(?:(?:${SLIP}|oi|${NOT_THAT}|sim|ok|certo|errado|espera(?: ai)?|falt(?:ou|a) (?:(?:o|um) )?sobrenome|perai|tem coisa errada|that['\\u2019]?s wrong|` +
    `(?:ta|esta|ficou|saiu|veio) tudo errad[oa]|${WRONG}|na verdade|wait|yes|tudo certo|quase(?: tudo certo)?)\\s*[,.;:!\\n]+\\s*)+`,
);

/** Without what is said before anything is told. */
export function opened(text: string): string {
  const said = text.normalize("NFC").trim();
  return said.slice(OPENS.exec(plain(said))?.[0].length ?? 0);
}

const BETWEEN =
  /\s*(?:[;\n]|,(?!\d)|(?<!\d),|\.(?=\s))\s*(?:(?:e|and)\s+)?|\s+(?:e|and|mas|but)\s+/gi;

/** Places where another correction may begin. */
export function breaksIn(
  text: string,
): readonly { readonly at: number; readonly length: number }[] {
  return [...text.matchAll(BETWEEN)].map(({ index, 0: { length } }) => ({ at: index, length }));
}

const IN_LIST = /\s*,\s*(?:(?:e|and)\s+)?|\s+(?:e|and)\s+/i;
const ALL_WRONG = new RegExp(`[\\s,]+${WRONG}[\\s.!]*$`);

/** "O nome e o valor estão errados": what is listed, and whether all of it is said to be wrong. */
export function listIn(text: string): {
  readonly parts: readonly string[];
  readonly isWrong: boolean;
} {
  const said = text.normalize("NFC");
  const end = ALL_WRONG.exec(plain(said))?.index;
  return { parts: said.slice(0, end).split(IN_LIST), isWrong: end !== undefined };
}

const UNMARKED =
  /^((?:(?:[oa]s?|the) )?\p{L}{2,})[ .]+(?=(?:r\$ ?)?\d|(?:hoje|ontem|anteontem|today|yesterday)\b)/iu;

/** "CPF 529.982.247-25", "valor 99": digits right behind a word are its value in a list of others. */
export function marked(part: string): string {
  return part.replace(UNMARKED, "$1: ");
}
