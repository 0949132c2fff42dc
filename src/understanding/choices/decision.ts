/**
 * "aprovar", "recuso o pedido A7": the words that decide on a request, which are an answer to no other question.
 *
 * Only such words and what stands around them. A plain "sim", "ok" or "pode emitir" is left to the question that is asked;
 * what it can mean where nothing is asked that takes a yes, {@link consent} tells.
 */
import { type Business, perBusiness } from "../business.ts";
import { plainOf } from "../plain.ts";
import { yesno } from "./yesno.ts";

export interface Decision {
  /** The deciding word alone. */
  readonly word: string;
  /** The code or number said with it, as it is shown: "A7". */
  readonly code?: string;
}

const WORD =
  "aprov(?:ar|o|a|e|ado|ada)|recus(?:ar|o|a|e|ado|ada)|rejeit(?:ar|o|a|e|ado|ada)|approved?|refused?|reject(?:ed)?|declined?";
const formOf = perBusiness(
  (thing) =>
    new RegExp(
      `^(?:(?:ops|opa|oops|desculpa|desculpe|errei|perdao|sorry)[ ,.!:]+){0,2}(?:(?:sim|ok|pode|quero|vou|yes)[ ,]+)?(${WORD})(?: (?:[oa]|ess[ea]|est[ea]|the|this))?(?: (?:pedido|request|${thing}))?` +
        "(?: ([a-z]?\\d{1,6}))?(?:[ ,]+(?:por favor|pf|pfv|please|sim|obrigad[oa]|valeu|thanks))?[ .!]*$",
    ),
);
/** Longer than any decision. */
const LONGEST = 60;

export function decision(text: string, business?: Business): Decision | null {
  if (text.length > LONGEST) return null;
  const [, word, code] = formOf(business).exec(plainOf(text)) ?? [];
  if (word === undefined) return null;
  return code === undefined ? { word } : { word, code: code.toUpperCase() };
}

/** A yes that says what may be done; "emitir" alone is a task, too, and tells nothing of somebody else's wish. */
const ACTS =
  /\b(?:emit[ea]|autorizo|autorizad[oa]|libera|liberad[oa]|aprov\w+|issue (?:it|that|this)|go ahead)\b|\bpodem? (?:\w+ ){0,2}(?:emitir|gerar|soltar|lancar|liberar|aprovar|autorizar|fazer|confirmar)\b/;

/** Whether a text agrees to something, and whether it also says that it shall be done ("pode emitir"). */
export function consent(text: string, business?: Business): "acts" | "agrees" | null {
  if (text.length > LONGEST) return null;
  const said = yesno(text, business ? { business } : undefined);
  if (!said.ok || said.value !== "yes") return null;
  return ACTS.test(plainOf(text)) ? "acts" : "agrees";
}
