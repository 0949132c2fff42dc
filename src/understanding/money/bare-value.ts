/** Texts that are one value and nothing else, and what a text has to hold to be a value that nobody asked for. */
import { documentType } from "../../brazil/index.ts";
import { fragmentsOf } from "../people/document-scan.ts";
import { plainOf, tidy } from "../plain.ts";
import { isNumberWord } from "./cardinal.ts";

/** Longer texts hold more than a value. */
const LONGEST = 60;
const CURRENCY = /^(?:r\$|rs|reais|real|conto|contos|pila|pilas|centavo|centavos|e|brl)$/;
const DAY =
  /^(?:(?:foi|em|no|na|dia|ref\.?|referente a) )*(?:hoje|ontem|anteontem|amanha|today|yesterday|\d{1,2}\/\d{1,2}(?:\/\d{2,4})?|\d{1,2}\/\d{4}|dia \d{1,2}|(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)(?:(?: de |\/)\d{4})?)[.!]?$/;

/** What stands around a document and says nothing beside: whose kind of number it is, a second thought, thanks. */
const AROUND_DOCUMENT: ReadonlySet<string> = new Set(
  (
    "cpf cnpj documento doc document tax id numero number n o a no na em e eh foi era meu minha dele dela certo correto nao sim opa ops " +
    "errei desculpa desculpe perdao verdade alias digo para pra pro pode ser bota poe coloca com por favor pf pfv obrigado obrigada " +
    "it s its is the my for to sorry actually oops please thanks yes"
  ).split(" "),
);

/** "12.ABC.345/01DE-35", "na verdade \u00e9 no cpf 111.444.777-35": one valid document, and nothing else that says anything. */
export function isBareDocument(text: string): boolean {
  if (text.length > LONGEST || text.includes("?")) return false;
  const [only, second] = fragmentsOf(text).filter(({ bare }) => documentType(bare));
  if (!only || second) return false;
  const line = tidy(text);
  const around = plainOf(`${line.slice(0, only.start)} ${line.slice(only.end)}`);
  const words = around.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => AROUND_DOCUMENT.has(word));
}

/** "150 conto", "mil e duzentos reais", "ontem", "10/2026". */
export function isBareValue(text: string): boolean {
  const line = plainOf(text.slice(0, LONGEST + 1));
  if (line === "" || line.length > LONGEST) return false;
  return DAY.test(line) || isAmount(line);
}

function isAmount(line: string): boolean {
  const words = line.replace(/(?<=\d)(?=[a-z])|(?<=r\$)(?=\d)/g, " ").split(" ");
  const numbers = words.filter((word) => /^\d[\d.,]*$/.test(word) || isNumberWord(word));
  // One small word of letters is rather a name ("Mil", "Sete").
  if (numbers.length === 0 || (words.length === 1 && !/\d/.test(line))) return false;
  return words.every((word) => numbers.includes(word) || CURRENCY.test(word));
}

/** What a text has to hold to be an amount, a day or somebody's: signs for values that nobody asked for. */
const NUMBER = /\d|\b(?:reais|real|mil|contos?|pilas?)\b/i;
const MONEY = /r\$|\breais\b|\breal\b|\bconto|\bpila|\bmil\b|,\d{2}\b/i;
const CURRENCY_SIGN = /r\$|\breais\b/i;
const DAY_SIGN =
  /\d{1,2}\/\d{2,4}|janeiro|fevereiro|mar[cç]o|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|\b(?:hoje|ontem|anteontem|yesterday|today)\b|\bm[eê]s passado\b|\bdia \d/i;
const WHOSE = /^(?:my|his|her|their|our|the|it|this)\b|['\u2019]s\b/i;

/** Without figures and words of money nothing was told anew. */
export function saysNumber(text: string): boolean {
  return NUMBER.test(text);
}

/** An amount that nobody asked for must say that it is one. */
export function saysMoney(text: string): boolean {
  return MONEY.test(text);
}

/** An amount in so many words. */
export function namesMoney(text: string): boolean {
  return CURRENCY_SIGN.test(text);
}

export function saysDay(text: string): boolean {
  return DAY_SIGN.test(text);
}

/** "My husband's is 529…" tells whose it is, not what they are called. */
export function tellsWhose(text: string): boolean {
  return WHOSE.test(text);
}
