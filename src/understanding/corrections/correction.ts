/**
 * A correction that names what it changes ("muda o valor para 200", "o nome dela é Ana"), or what takes the place of what was said
 * ("troca Maria por Joana", "foi pra Joana"). It says where a name ends and its value begins; whether that is a value of it, the
 * caller finds out. Of plain text.
 */
import { type Business, oneOf, perBusiness } from "../business.ts";
import {
  ARTICLE,
  CHANGES,
  IS,
  IS_OR_WAS,
  NAMING_LEAD,
  PUTS,
  TO,
  WRONG,
  LEAD,
  NOT,
  SLIP,
} from "./correction-words.ts";
import { plain } from "../plain.ts";

export interface Named {
  /** The name as it was written. */
  readonly name: string;
  /** It says that what stands is wrong. */
  readonly isWrong: boolean;
  /** "Muda o valor" changes what stands, "coloca o cpf" may also begin a whole sentence. */
  readonly verb: "change" | "put" | undefined;
  /** A word or a mark leads from the name to a value: "é", ":", "para". */
  readonly isSigned: boolean;
  /** Nothing stands behind the name. */
  readonly isBare: boolean;
  /** Where the value begins. */
  readonly at: number;
}

/** Whose it is, between the name and its value: "o nome dela é", "o valor do pedido é". */
const whose = perBusiness(
  (_, { people, things }) =>
    new RegExp(
      `^ (?:del[ae]s?|d[ao] (?:cliente|empresa|pedido|casa|rua|endereco|predio|loja|${oneOf(people)}|${oneOf(things)})|of the (?:house|street))(?= )`,
    ),
);
const IS_WRONG = new RegExp(`^(?:,? |['\u2019]s )?${WRONG}\\b`);
const MARKS = /^[,;.:! ]+/;
const SIGN = new RegExp(
  `^ ?(?:[:=,-])? ?(?:(?:(?:o |a )?(?:certo|certa|correto|correta) |right )?(?:${IS}|${TO})\\b|:|=) ?`,
);
/** Behind what is wrong, more leads to the right value. */
const RIGHT = new RegExp(
  `^(?:(?:o|a|the) )?(?:(?:certo|certa|correto|correta|right one|correct one) )?(?:na verdade )?(?:${IS_OR_WAS})\\b[: ]+`,
);
const BARE = /^(?: (?:tambem|tb|tbm|also|too))?[ .!?]*$/;

/** The pattern of a correction of something that is called by a name. `name`: a pattern of it. */
export function naming(name: string): RegExp {
  return new RegExp(`^${NAMING_LEAD}(${WRONG} )?(?:(${CHANGES})|(${PUTS}))?${ARTICLE}(${name})`);
}

/** Undefined where the line does not begin with a correction of what is called by that name. */
export function namedIn(line: string, pattern: RegExp, business?: Business): Named | undefined {
  const head = pattern.exec(line);
  if (!head) return undefined;
  const [{ length: end }, amiss, changes, puts, written = ""] = head;
  const behind = line.slice(end);
  const owner = lengthOf(whose(business), behind);
  const wrong = lengthOf(IS_WRONG, behind.slice(owner));
  const isWrong = amiss !== undefined || wrong > 0;
  let at = owner + wrong;
  if (isWrong) at += lengthOf(MARKS, behind.slice(at));
  const rest = behind.slice(at);
  const sign = Math.max(lengthOf(SIGN, rest), isWrong ? lengthOf(RIGHT, rest) : 0);
  return {
    name: written,
    isWrong,
    verb: changes !== undefined ? "change" : puts !== undefined ? "put" : undefined,
    isSigned: sign > 0,
    isBare: BARE.test(behind.slice(owner)),
    at: end + at + sign,
  };
}

function lengthOf(pattern: RegExp, text: string): number {
  return pattern.exec(text)?.[0].length ?? 0;
}

/** "Com dois n": how it is spelt, which is no value. */
const SPELT = /^(?:com|sem|with|without)\b/;

export function isSpelling(value: string): boolean {
  return SPELT.test(value.toLowerCase());
}

/** "Troca Maria por Joana": parts of the line, by their places. */
interface Replaced {
  /** What was said before. */
  readonly from: number;
  readonly to: number;
  /** Where that begins which takes its place. */
  readonly at: number;
}

const NAME_ARTICLE = "(?:[oa] (?=[a-z]{3}))?";
const INSTEAD = new RegExp(
  `^(${LEAD}${CHANGES}(?:de |from |[oa] )?)(.{2,60}?) (?:por|pra|para|pro|to|with|for) ${NAME_ARTICLE}`,
);
const NOT_THIS = new RegExp(
  `^(${LEAD}(?:it['\\u2019]?s )?${NOT} (?:(?:e|eh|era|foi) )?(?:[oa] )?)(.{2,60}?)[ ,;]+(?:(?:mas|sim|but) )?(?:${IS_OR_WAS}|sim) ${NAME_ARTICLE}`,
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
const WHO = new RegExp(`^${LEAD}${GOES}${NAME_ARTICLE}`);
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
