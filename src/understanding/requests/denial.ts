/**
 * "Não aprovo", "não pode emitir, valor errado": an approval that is denied. What only waits denies none ("não aprovo ainda").
 */
import { type Business, oneOf, perBusiness } from "../business.ts";
import { SLIP } from "../corrections/correction-words.ts";
import { plainOf, tidy } from "../plain.ts";
import { REFUSING } from "./request-stems.ts";

const LINES = /\s*\n\s*/g;
/** Longer than any such answer with its reason. */
const LONGEST = 400;
const CODE = String.raw`([a-z]\d{1,6})`;
const LEAD = `(?:(?:${SLIP}|olha|entao|eu|nos|a gente|i|we|please)[ ,.!:]+){0,3}(?:(?:o )?(?:pedido |request )?${CODE}[ ,.:;-]+)?(?:(?:eu|nos|i|we) )?`;
const APPROVES = String.raw`aprov(?:o|a|ar|e|em|amos|arei|ad[oa])|approve(?:d|s)?|approving`;
const LETS = String.raw`autoriz(?:o|a|ar|e|em|amos|arei|ad[oa])|liber(?:o|a|ar|e|em|amos|arei|ad[oa])|emit(?:o|e|a|am|ir|imos|irei|id[oa])|pode|podem|posso|podemos|vai dar|authori[sz]ed?|authori[sz]ing|issued?|issuing|allow(?:ed)?|releas(?:e|ed|ing)`;
const BEFORE = String.raw`(?:(?:vou|vamos|irei|posso|podemos|quero|queremos|pretendo|consigo|pode|podem|da|tem como|tenho como|e|foi|esta|ta|fica|vai ser|sera|going|want|be) (?:(?:pra|para|to) )?){0,2}`;
const NOT = String.raw`(?:nao|naum|n|do ?not|don ?['\u2019]? ?t|will not|won ?['\u2019]? ?t|can ?not|can ?['\u2019]? ?t|(?:am|m|['\u2019]m) not|not|never)`;
const objectOf = ({ things, beside }: Business): string =>
  String.raw`(?: (?:o|a|ess[ea]|est[ea]|isso|isto|el[ea]|the|this|that|it|one))?(?: (?:emissao|emitir))?(?: (?:(?:o|a|ess[ea]|est[ea]|d[aeo]|of|the|this) )?(?:pedido|${oneOf(things)}|solicitacao|request|one))?(?: (?:${oneOf(beside)}|aqui))?(?: ${CODE}(?![a-z0-9]))?(?:,? (?:nao|mesmo|viu|por favor|pf|please|obrigad[oa])(?=$|[,.;!]| (?:mesmo|viu|por favor|obrigad)))*`;
const DENIES = perBusiness(
  (_, business) =>
    new RegExp(
      String.raw`^${LEAD}${NOT} ${BEFORE}(?:(${APPROVES})|${LETS})\b${objectOf(business)}(?=$|[ ,.;:!\u2013-])`,
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
const DECIDES = new RegExp(String.raw`\b(?:aprov|approv|${REFUSING}|pode (?:emitir|fazer|mandar))`);
const REFUSES = new RegExp(String.raw`\b(?:${REFUSING})`);

export interface Denial {
  /** The code of the request, in upper case. */
  readonly code: string | undefined;
  /** Why; undefined where no reason is told, or none that a customer can be told. */
  readonly reason: string | undefined;
  /** It names the approval ("não aprovo"), which is said of nothing else. */
  readonly names: boolean;
}

/** The denial that a text spells out; undefined where none is denied for good. */
export function denialIn(text: string, business?: Business): Denial | undefined {
  if (text.length > LONGEST || text.includes("?")) return undefined;
  const tidied = tidy(text.replace(LINES, ", "));
  const line = plainOf(tidied);
  const match = DENIES(business).exec(line);
  if (!match) return undefined;
  const [all, ahead, approves, behind] = match;
  const rest = line.slice(all.length);
  const said = { code: (ahead ?? behind)?.toUpperCase(), names: approves !== undefined };
  if (OVER.test(rest) || CONDITION.test(rest)) return { ...said, reason: undefined };
  const led = WHY.exec(rest)?.[0].length;
  if (led === undefined || ONLY_WAITS.test(rest.slice(led))) return undefined;
  const reason = DECIDES.test(rest) ? undefined : tidied.slice(all.length + led).trim();
  return { ...said, reason };
}

/** Whether a text puts a decision off, or decides by a word of its own: no plain no. */
export function waitsOrRefuses(line: string): boolean {
  return WAITS.test(line) || REFUSES.test(line);
}
