/** Texts that are one value and nothing else: no name, and no description of anything. */
import { isNumberWord } from "./cardinal.ts";
import { plainOf } from "./plain.ts";

/** Longer texts hold more than a value. */
const LONGEST = 60;
const CURRENCY = /^(?:r\$|rs|reais|real|conto|contos|pila|pilas|centavo|centavos|e|brl)$/;
const DAY =
  /^(?:(?:foi|em|no|na|dia|ref\.?|referente a) )*(?:hoje|ontem|anteontem|amanha|today|yesterday|\d{1,2}\/\d{1,2}(?:\/\d{2,4})?|\d{1,2}\/\d{4}|dia \d{1,2}|(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)(?:(?: de |\/)\d{4})?)[.!]?$/;

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
