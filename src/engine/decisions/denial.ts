/**
 * "Não aprovo", "não pode emitir, valor errado": an approval that is denied. It refuses, and is read in the words of a refusal,
 * so that codes, reasons and lists go with it as with "recusar". A refusal is never made of what only waits ("não aprovo ainda").
 */
import { plainOf, tidy, understand } from "../../understanding/index.ts";
import { isDecided, namesRequest } from "./answering.ts";
import type { Draft } from "../session/draft.ts";
import { taskIn } from "../routing/offered.ts";
import type { Content } from "../session/inbound.ts";
import type { ReadingContext } from "../turn/reader.ts";
import { programOf } from "../turn/programs.ts";
import { codedIn } from "../requests/request-code.ts";
import { isMenu } from "../session/roles.ts";
import { type Frame, isRequest, type Session } from "../session/session.ts";
import { type Nouns, withThings } from "../turn/things.ts";

const LINES = /\s*\n\s*/g;
/** Longer than any such answer with its reason. */
const LONGEST = 400;
/** Words of a plain no; more of them tell something. */
const PLAIN_WORDS = 5;

const CODE = String.raw`([a-z]\d{1,6})`;
const LEAD = String.raw`(?:(?:ops|opa|oops|desculpa|desculpe|errei|perdao|sorry|olha|entao|eu|nos|a gente|i|we|please)[ ,.!:]+){0,3}(?:(?:o )?(?:pedido |request )?${CODE}[ ,.:;-]+)?(?:(?:eu|nos|i|we) )?`;
const APPROVES = String.raw`aprov(?:o|a|ar|e|em|amos|arei|ad[oa])|approve(?:d|s)?|approving`;
const LETS = String.raw`autoriz(?:o|a|ar|e|em|amos|arei|ad[oa])|liber(?:o|a|ar|e|em|amos|arei|ad[oa])|emit(?:o|e|a|am|ir|imos|irei|id[oa])|pode|podem|posso|podemos|vai dar|authori[sz]ed?|authori[sz]ing|issued?|issuing|allow(?:ed)?|releas(?:e|ed|ing)`;
const BEFORE = String.raw`(?:(?:vou|vamos|irei|posso|podemos|quero|queremos|pretendo|consigo|pode|podem|da|tem como|tenho como|e|foi|esta|ta|fica|vai ser|sera|going|want|be) (?:(?:pra|para|to) )?){0,2}`;
const NOT = String.raw`(?:nao|naum|n|do ?not|don ?['\u2019]? ?t|will not|won ?['\u2019]? ?t|can ?not|can ?['\u2019]? ?t|(?:am|m|['\u2019]m) not|not|never)`;
const objectOf = ({ things, beside }: Nouns): string =>
  String.raw`(?: (?:o|a|ess[ea]|est[ea]|isso|isto|el[ea]|the|this|that|it|one))?(?: (?:emissao|emitir))?(?: (?:(?:o|a|ess[ea]|est[ea]|d[aeo]|of|the|this) )?(?:pedido|${things}|solicitacao|request|one))?(?: (?:${beside}|aqui))?(?: ${CODE}(?![a-z0-9]))?(?:,? (?:nao|mesmo|viu|por favor|pf|please|obrigad[oa])(?=$|[,.;!]| (?:mesmo|viu|por favor|obrigad)))*`;
const DENIES = withThings(
  (nouns) =>
    new RegExp(
      String.raw`^${LEAD}${NOT} ${BEFORE}(?:(${APPROVES})|${LETS})\b${objectOf(nouns)}(?=$|[ ,.;:!\u2013-])`,
    ),
);
/** Behind it: nothing, a condition, or why. */
const OVER = /^[ .!]*$/;
const CONDITION = /^ (?:sem|without)\b/;
const WHY =
  /^(?: *[,.;:!\u2013-]+\s*(?:(?:porque|porq|pq|pois|ja que|because|since|motivo|reason)\b[ :]*)?| (?:porque|porq|pq|pois|ja que|because|since) )(?=\S)/;
/** It only waits. */
const WAITS =
  /\b(?:ainda|agora|hoje|por enquanto|por ora|por hora|espera|espere|pera|perai|calma|aguarda|aguarde|momento|minuto|depois|amanha|yet|now|wait|later|tomorrow)\b/;
const ONLY_WAITS = new RegExp(
  String.raw`^(?:${WAITS.source}|nao|um|so|ai|mais|tarde|pouco|not|[ ,.!])*$`,
);
/** Says what is to be done of this one or another, or takes the refusal back: no reason that a customer can be told. */
const DECIDES = /\b(?:aprov|recus|rejeit|approv|refus|reject|declin|pode (?:emitir|fazer|mandar))/;
const REFUSES = /\b(?:recus|rejeit|refus|reject|declin)/;

export interface Denial {
  /** In the words of a refusal: "recusar K3, valor errado". */
  readonly text: string;
  /** It names the approval ("não aprovo"), which is said of nothing else. */
  readonly names: boolean;
}

/** The word that refuses, as the options of each language have it. */
const REFUSE: Readonly<Record<Session["locale"], string>> = { "pt-BR": "recusar", en: "refuse" };

/** The refusal that a denied approval is, in the words of `locale`; undefined where none is denied for good. */
export function denial(
  text: string,
  locale: Session["locale"],
  context: ReadingContext,
): Denial | undefined {
  if (text.length > LONGEST || text.includes("?")) return undefined;
  const tidied = tidy(text.replace(LINES, ", "));
  const line = plainOf(tidied);
  const match = DENIES(context).exec(line);
  if (!match) return undefined;
  const [all, ahead, approves, behind] = match;
  const rest = line.slice(all.length);
  const code = ahead ?? behind;
  const refuse = REFUSE[locale];
  const word = code === undefined ? refuse : `${refuse} ${code.toUpperCase()}`;
  const names = approves !== undefined;
  if (OVER.test(rest) || CONDITION.test(rest)) return { text: word, names };
  const led = WHY.exec(rest)?.[0].length;
  if (led === undefined || ONLY_WAITS.test(rest.slice(led))) return undefined;
  const reason = tidied.slice(all.length + led).trim();
  return { text: DECIDES.test(rest) ? word : `${word}, ${reason}`, names };
}

/** What a person of the business wrote, a denial in the words of a refusal where a request can be meant. */
export function asRefusal(draft: Draft, content: Content): Content {
  if (content.type !== "text") return content;
  const { session, top } = draft;
  const open = [...session.requests, ...session.frames].filter(isRequest);
  if (open.length === 0 && session.role !== "operator") return content;
  const denied = denial(content.text, session.locale, draft.context);
  const isBusy = top !== undefined && !isMenu(draft, top) && !isRequest(top);
  if (denied) {
    // Of what is asked of themselves they say yes or no by it, too.
    const isTheirs = isBusy && (!denied.names || takesNo(draft, top));
    const isMeant = isTheirs ? namesRequest(draft, content.text) : open.length > 0 || denied.names;
    return isMeant ? textOf(denied.text) : content;
  }
  const isAsked = top ? isDecided(draft, top) : session.requests.length > 0;
  // "Não A7" refuses that one, which may be another than the only one that waits.
  const coded = codedIn(content.text);
  if (!isAsked || taskIn(draft, content.text)) return content;
  if (!isPlainNo(coded?.rest ?? content.text, draft.context)) return content;
  const refuse = REFUSE[session.locale];
  return textOf(coded ? `${refuse} ${coded.code}` : refuse);
}

/** "De jeito nenhum", "negativo": a no in other words than the option's own. */
function isPlainNo(text: string, context: ReadingContext): boolean {
  const line = plainOf(text);
  if (line.split(" ").length > PLAIN_WORDS || text.includes("?")) return false;
  if (WAITS.test(line) || REFUSES.test(line)) return false;
  const reply = understand("yesno", text, context);
  if (!reply.ok || reply.value !== "no") return false;
  const said = understand("command", text, context);
  return said.ok && said.value === "none";
}

function takesNo(draft: Draft, frame: Frame): boolean {
  const { rests, asked } = programOf(draft, frame).expects(frame.state, draft.context);
  return rests === "confirm" || asked?.kind === "yesno";
}

function textOf(text: string): Content {
  return { type: "text", text };
}
