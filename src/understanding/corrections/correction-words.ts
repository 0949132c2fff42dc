/**
 * The words corrections are made of, as pieces of patterns for plain text: "na verdade | o valor | está errado | é | 200".
 * One list each, in Portuguese and English; every pattern of a correction is put together from these.
 */
import { plainOf } from "../plain.ts";

/** A mark or a space between two words that open a correction. */
const GAP = "[ ,.:;!]+";
/** Owns up to a slip: "ops, desculpa". */
export const SLIP =
  "ops|opa|oops|ih|ah|ai|eita|xi|desculpa|desculpe|perdao|foi mal|sorry|errei(?: de novo)?";
/** Says that something said before does not hold. */
const INSTEAD = "na verdade|quer dizer|ou melhor|digo|actually|i mean";
const NO = "nao|no";
/** A yes or a link before what is to change: "sim, mas". */
const LINK = "sim|isso|e|and|mas|but|agora|tambem|tb|also|so que|porem|yes|entao";
/** A yes that is not the whole of the answer: "tudo certo, só". Before an amount "quase" would be of the amount. */
const ALMOST = "ok|certo|ta|tudo certo|quase|so|perai";
const BEING =
  "ta|tao|esta|estao|ficou|ficaram|saiu|sairam|veio|vieram|foi|is|was|are|it['\\u2019]?s|it is";

/** Says that what stands is wrong: "está errado", "wrong". */
export const WRONG = `(?:(?:${BEING}|e|eh) )?(?:errad[oa]s?|incorret[oa]s?|trocad[oa]s?|wrong)`;
/** What opens a correction, or nothing. */
export const LEAD = `(?:(?:${SLIP}|${INSTEAD}|${NO}|${LINK}|o certo|o correto|(?:o )?valor certo)${GAP})*`;
/** What opens a correction that names what it changes. */
export const NAMING_LEAD = `(?:(?:${SLIP}|${INSTEAD}|${NO}|${LINK}|${ALMOST})${GAP})*`;
/** Opens a correction by taking something back; not empty. */
export const TAKING_BACK = `(?:(?:${SLIP}|${INSTEAD}|${NO})${GAP})+`;
/** A lead that says that what was said before does not hold: no "não" or "ops", which may be an answer's. */
export const HOLDS_NO_MORE =
  /\b(?:na verdade|quer dizer|ou melhor|o certo|o correto|valor certo|errei|actually|i mean)\b/;

const WISH =
  "(?:(?:eu )?(?:quero|queria|preciso|pode|da pra|gostaria de|i want to|want to|please) )?";
/** Stems that change what stands, each with its ending. */
const CHANGE =
  "corrig\\w+|mud\\w+|troc\\w+|alter\\w+|edit\\w+|ajust\\w+|arrum\\w+|chang\\w+|fix|replac\\w+";
/** Puts a value in its place. */
const PUT =
  "coloca\\w*|coloque|poe|ponha|bota\\w*|bote|inclui\\w*|acrescent\\w*|faltou|put|set|add";
/** "Quero mudar ". */
export const CHANGES = `${WISH}(?:${CHANGE}) `;
/** "Coloca ", "pode incluir ". */
export const PUTS = `${WISH}(?:${PUT}) `;
/** "Muda pra ", "deixa em ", "make it ": before a value alone. */
export const CHANGES_TO = `${WISH}(?:${CHANGE}|${PUT}|deixa\\w*|faz|faca|make)(?: (?:it|ai|isso))?(?: (?:pra|para|pro|por|em|de|to))? `;

/** What the right value is. */
export const IS =
  "(?:e|eh|sao|era|eram|seria|fica|vai ser|deveria ser|tem que ser|tinha que ser|is|it['\\u2019]?s|it is|(?:it )?should be|it should have been)";
/** … or was: "foi" also tells what happened ("o pedido foi entregue"). */
export const IS_OR_WAS = `(?:${IS}|foi|foram|ficou|it was|was)`;
/** Before a value, without a verb. */
export const TO = "(?:pra|para|pro|por|to)";
export const NOT = "(?:nao|not)";
/** "O ", "meu ". */
export const ARTICLE = "(?:(?:o|a|os|as|meu|minha|the|my|de|do|da) )?";

const CHANGING = /^(?:(?:quero|queria|preciso) )?(?:mud|troc|alter|corrig|edit)/;

/** Whether a text begins with a wish to change something; "valor errado" may be the very reason that is asked for. */
export function wishesToChange(text: string): boolean {
  return CHANGING.test(plainOf(text));
}

const ANY_LEAD = new RegExp(`^(?:(?:${SLIP}|oh|${LINK}|verdade|acho que) )+`);

/** Of folded words, without what is said before what is meant. */
export function withoutLead(said: string): string {
  return said.replace(ANY_LEAD, "");
}
