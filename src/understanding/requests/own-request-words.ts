/** What people say of requests that they, or their customers, made: which there are, and that one is given up. Of folded words. */
import { type Business, oneOf, perBusiness } from "../business.ts";
import { WITHDRAWING } from "./decision.ts";

const MAY_BE = new RegExp(`pedido|request|order|${WITHDRAWING}|quero mais|give up`, "i");

/** Most messages are about no request, and are not read any further. */
export function mayBeOfRequests(text: string): boolean {
  return MAY_BE.test(text);
}

const LIST =
  /^(?:(?:quais|quero|queria|ver|mostra\w*|lista\w*|cade|onde|como|qual|status|situacao|andamento|me|de|do|dos|os|o|sao|e|estao|esta|ta|tao|andam|anda|eu|consultar|show|list|what|where|which|are|is|how|the|of|status) )*(?:(?:meus? )?pedidos?|my requests?|my orders?)(?: (?:em aberto|abertos?|pendentes?|em andamento|que (?:eu )?(?:fiz|tenho)|estao|estao como|open|pending))*$/;
/** Of one request alone its state is told by the question that waits. */
const MINE = /\b(?:meus pedidos|pedidos|my requests|my orders)\b/;

/** "Meus pedidos", "cadê meu pedido": whether they are asked for, and whether all of them. */
export function asksForRequests(said: string): { readonly all: boolean } | undefined {
  return LIST.test(said) ? { all: MINE.test(said) } : undefined;
}

const CANCELS = new RegExp(
  String.raw`^(?:(?:oi|opa|ah|desculpa|por favor|pf|eu|quero|queria|preciso|pode|da pra|tem como|please|i|want|to|can|you) )*(?:${WITHDRAWING}|nao quero mais|give up(?: on)?) (.{1,60})$`,
);
/** "Não quero mais, tira o segundo" takes one back, so the small words are not among these. */
const NOT = /\b(?:nao|nunca|don t|do not|not) (?:\w+ ){0,3}(?:cancel|desist|apag|drop|withdraw)/;
/** Nothing that is asked for: what exists is given up in another way. */
const NO_REQUEST = perBusiness(
  (_, { things }) => new RegExp(`\\b(?:${oneOf(things)}|mensagem|mensagens|dados)\\b`),
);

/** "Cancela o primeiro": what is given up, in its words; undefined where nothing is. */
export function givenUpIn(said: string, business?: Business): string | undefined {
  return NOT.test(said) || NO_REQUEST(business).test(said) ? undefined : CANCELS.exec(said)?.[1];
}

/** The answer to "which one?": what it names, in its words; undefined where it is about something else. */
export function pickedIn(said: string, business?: Business): string | undefined {
  return NO_REQUEST(business).test(said) ? undefined : (CANCELS.exec(said)?.[1] ?? said);
}

const SEVERAL = /\b(?:tudo|todos|todas|ambos|ambas|os dois|as duas|os tres|all|both|everything)\b/;
const NAMES_IT = /\b(?:pedidos?|requests?|orders?)\b/;

export function meansSeveral(said: string): boolean {
  return SEVERAL.test(said);
}

export function namesRequests(said: string): boolean {
  return NAMES_IT.test(said);
}

const NONE_OF_THEM =
  /^(?:nao|nenhum|nenhuma|nenhum deles|deixa|deixa (?:pra la|quieto|assim)|esquece|no|none|neither|never mind)$/;

export function meansNone(said: string): boolean {
  return NONE_OF_THEM.test(said);
}

/** Around what tells which one. */
const SMALL: ReadonlySet<string> = new Set(
  (
    "o a os as de da do das dos no na em esse essa este esta aquele aquela meu minha meus pedido pedidos request requests order " +
    "orders the one for of to por favor pf please pra para pro com que eu fiz pedi feito numero n valor reais r mesmo so ai my s"
  ).split(" "),
);
/** The words that tell which one. */
export function tellingWords(said: string): readonly string[] {
  return said.split(" ").filter((word) => !SMALL.has(word));
}

const TAKES_BACK = new RegExp(
  String.raw`^(?:(?:oi|opa|ah|por favor|pf|eu|quero|queria|preciso|pode|podem|da pra|tem como|como|please|i|we|want to|can you|you can) )*(?:${WITHDRAWING})\b`,
);
const A_REQUEST = /\b(?:pedidos?|solicitac(?:ao|oes)|requests?)\b/;
const A_THING = perBusiness((_, { things }) => new RegExp(`\\b(?:${oneOf(things)})\\b`));

/** "Cancela o pedido da Maria", said by the business. */
export function withdrawsRequest(said: string, business?: Business): boolean {
  return TAKES_BACK.test(said) && A_REQUEST.test(said) && !A_THING(business).test(said);
}
