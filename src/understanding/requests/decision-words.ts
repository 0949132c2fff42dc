/** Words that decide on a request, or ask what waits: what stands around them, and of which request they are said. */
import { foldWords } from "../../brazil/index.ts";
import { type Business, oneOf, perBusiness } from "../business.ts";
import { APPROVING, REFUSING, WITHDRAWING } from "./request-stems.ts";

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
