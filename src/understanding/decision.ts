/**
 * "aprovar", "recuso o pedido A7": the words that decide on a request, which are an answer to no other question.
 *
 * Only such words and what stands around them. A plain "sim", "ok" or "pode emitir" is left to the question that is asked.
 */
import { plainOf } from "./plain.ts";

export interface Decision {
  /** The deciding word alone. */
  readonly word: string;
  /** The code or number said with it, as it is shown: "A7". */
  readonly code?: string;
}

const WORD =
  "aprov(?:ar|o|a|e|ado|ada)|recus(?:ar|o|a|e|ado|ada)|rejeit(?:ar|o|a|e|ado|ada)|approved?|refused?|reject(?:ed)?|declined?";
const FORM = new RegExp(
  `^(?:(?:sim|ok|pode|quero|vou|yes)[ ,]+)?(${WORD})(?: (?:[oa]|ess[ea]|est[ea]|the|this))?(?: (?:pedido|nota|request|invoice))?` +
    "(?: ([a-z]?\\d{1,6}))?(?:[ ,]+(?:por favor|pf|pfv|please|sim|obrigad[oa]|valeu|thanks))?[ .!]*$",
);
/** Longer than any decision. */
const LONGEST = 60;

export function decision(text: string): Decision | null {
  if (text.length > LONGEST) return null;
  const [, word, code] = FORM.exec(plainOf(text)) ?? [];
  if (word === undefined) return null;
  return code === undefined ? { word } : { word, code: code.toUpperCase() };
}
