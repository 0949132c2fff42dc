/** Words that decide on a request, or ask what waits: what stands around them, and of which request they are said. */
import { foldWords } from "../../brazil/index.ts";
import { type Business, oneOf, perBusiness } from "../business.ts";
import { plainOf } from "../plain.ts";
import { yesno } from "../choices/yesno.ts";

/** Stems of words that decide on a request, or take one back, in both languages and without accents. */
const APPROVING = "aprov|approv|autoriz|liber[ao]";
export const REFUSING = "recus|rejeit|refus|reject|declin";
/** Whole words: "tiraram" and "exclusivo" take nothing back. */
export const WITHDRAWING = String.raw`(?:cancel|desist|apag|retir)\w*|exclu(?:i|ir|a)|tira|tirar|drop|withdraw|delete`;

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

/**
 * "aprovar", "recuso o pedido A7": the words that decide on a request, which are an answer to no other question. A plain "sim",
 * "ok" or "pode emitir" is left to the question that is asked. What it means elsewhere, {@link consent} tells.
 */
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

/** Begins what is said of somebody else's wish, also where a phrase of another flow stands in it: "pode emitir amanhã". */
const OF_A_REQUEST = new RegExp(
  String.raw`^(?:(?:nao|sim|ok|okay|no|yes) )*(?:nao|pode|podem|posso|(?:${APPROVING}|${REFUSING})\w*|do not|don t|can i)\b`,
);
const WAITING =
  /\b(?:pendentes?|pendencias?|pedidos?|esperando|na fila|em aberto|requests?|waiting|pending)\b/;

export function isOfARequest(text: string): boolean {
  return OF_A_REQUEST.test(foldWords(text));
}

/** "O que tem pendente?" */
export function asksWhatWaits(text: string): boolean {
  return WAITING.test(foldWords(text));
}

const DECIDES = new RegExp(
  String.raw`^(?:(?:nao|sim|ops|opa|agora|pode|podem|entao|e|ok|quero|vou|yes|no|please) )*(?:${APPROVING}|${REFUSING})\w*\b`,
);
const SEVERAL = /\b(?:tudo|todos|todas|ambos|ambas|os dois|as duas|all|both|everything)\b/;
const OTHER = /\b(?:outr[oa]|other)\b/;

/** "Recusa a outra", "aprovar todos": of which request it decides; undefined where a text begins with no decision. */
export function decidesOn(
  text: string,
): { readonly other: boolean; readonly several: boolean } | undefined {
  const said = foldWords(text);
  return DECIDES.test(said) ? { other: OTHER.test(said), several: SEVERAL.test(said) } : undefined;
}

const TAKES_BACK = new RegExp(
  String.raw`^(?:nao |no |espera |wait )*(?:${WITHDRAWING}|desfaz\w*|desfac\w*|undo)\b`,
);
/** The thing that was decided, by its name in the chat. */
const NAMES_IT = /\b(?:pedido|pedidos|solicitacao|aprovacao|request|approval)\b/;

/** "Cancela o pedido", said of what was decided: whether it begins so, and whether it names the request. */
export function takenBack(said: string): { readonly begins: boolean; readonly names: boolean } {
  return { begins: TAKES_BACK.test(said), names: NAMES_IT.test(said) };
}

/** Between the word that decides and a code: then it is what is decided. Later it belongs to the reason ("era papel A4"). */
const AT_ONCE = perBusiness(
  (_, { things }) =>
    new RegExp(
      String.raw`^\W*(?:(?:[oa]|ess[ea]|est[ea]|the|this)\s+)?(?:(?:pedido|${oneOf(things)}|c[o\u00f3]digo|request|code)\b\W*)?$`,
      "i",
    ),
);
const REFUSES = new RegExp(String.raw`(?:(?:${REFUSING})\p{L}*|neg(?:o|ad[oa]|ar))(?!\p{L})`, "iu");
const APPROVES = new RegExp(String.raw`(?:${APPROVING}|emit[aei])\p{L}*`, "iu");

/** Whether a code stands at once behind a word of that sort, or first of all. `before`: what stands before the code. */
export function standsBehind(
  sort: "approving" | "refusing",
  before: string,
  business?: Business,
): boolean {
  const [word] = (sort === "approving" ? APPROVES : REFUSES).exec(before) ?? [];
  const between = word === undefined ? before : before.slice(before.indexOf(word) + word.length);
  return AT_ONCE(business).test(between);
}

export function saysRefusal(text: string): boolean {
  return REFUSES.test(text);
}

export function saysApproval(text: string): boolean {
  return APPROVES.test(text);
}

/** An approval however it goes on ("aprovar o código"), and a refusal in one word. */
const BEGINS_TO_DECIDE = new RegExp(
  `^(?:(?:sim|ok|pode|podem|quero|vou|yes|please) )*(?:${APPROVING}|emit[aei])|^neg(?:o|ad[oa]|ar)[.!]*$`,
  "i",
);

export function beginsToDecide(text: string): boolean {
  return BEGINS_TO_DECIDE.test(text);
}

const GREETING =
  /^(?:(?:oi|ol[a\u00e1]|opa|bom dia|boa (?:tarde|noite)|hi|hello|good \w+)[\s,.!]+)+/i;

/** Without the greeting in front. */
export function ungreeted(text: string): string {
  return text.replace(GREETING, "");
}
