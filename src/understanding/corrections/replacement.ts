/** What takes the place of what was said: "troca Maria por Joana", "não é Maria, é Joana", "foi pra Joana". Of plain text. */
import { plain } from "../plain.ts";
import { CHANGES, IS_OR_WAS, LEAD, NOT, SLIP, WRONG } from "./correction-words.ts";

/** Parts of the line, by their places. */
export interface Replaced {
  /** What was said before. */
  readonly from: number;
  readonly to: number;
  /** Where that begins which takes its place. */
  readonly at: number;
}

const ARTICLE = "(?:[oa] (?=[a-z]{3}))?";
const INSTEAD = new RegExp(
  `^(${LEAD}${CHANGES}(?:de |from |[oa] )?)(.{2,60}?) (?:por|pra|para|pro|to|with|for) ${ARTICLE}`,
);
const NOT_THIS = new RegExp(
  `^(${LEAD}(?:it['\\u2019]?s )?${NOT} (?:(?:e|eh|era|foi) )?(?:[oa] )?)(.{2,60}?)[ ,;]+(?:(?:mas|sim|but) )?(?:${IS_OR_WAS}|sim) ${ARTICLE}`,
);

export function replacedIn(line: string): Replaced | undefined {
  const found = INSTEAD.exec(line) ?? NOT_THIS.exec(line);
  if (!found) return undefined;
  const [{ length: at }, { length: from } = "", { length: old } = ""] = found;
  return { from, to: from + old, at };
}

const GOES = `(?:(?:${IS_OR_WAS}|vai|sai) )?`;
/** In so many words; what stands behind has to begin like a name. */
const FOR = new RegExp(
  `^${LEAD}${GOES}(?:pra|para|pro|p/|for|(?:em|no) nome d[aeo]|in the name of) (?:[oa] )?(?=[a-z])`,
);
const WHO = new RegExp(`^${LEAD}${GOES}${ARTICLE}`);
const NOBODY =
  /^(?:mim|el[ae]s?|eu|mes|amanha|hoje|ontem|ess[ea]|est[ea]|isso|outr[oa]|min?ha|meu|my|me|him|her|them|today|tomorrow|another|someone|somebody)\b/;

/** How far the words go that say whom it is for; 0 where none do. */
export function leadToWhom(line: string): number {
  return FOR.exec(line)?.[0].length ?? 0;
}

/** "Pra mim", "pra ontem": what stands behind is nobody's name. */
export function namesNobody(behind: string): boolean {
  return NOBODY.test(behind);
}

/** How far the words go that lead to a name or a value alone: "na verdade é a". */
export function leadToValue(line: string): number {
  return WHO.exec(line)?.[0].length ?? 0;
}

const DONE = new RegExp(
  `^${LEAD}(?:(?:o )?servico )?(?:foi|foram|fiz|fizemos|era|eram|it was|we did|i did) (?:(?:so|apenas|um|uma|o|a|a|an|the) )*`,
);

/** How far the words go that say that something was done; 0 where none do. */
export function leadToWork(line: string): number {
  return DONE.exec(line)?.[0].length ?? 0;
}

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
