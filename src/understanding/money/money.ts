/**
 * Money as Brazilians type it → integer cents. Precision first: an amount is accepted only when the text has exactly one,
 * clearly written, and nothing around it that could change it; sums, prices per hour and the like are only proposed.
 */
import { perBusiness } from "../business.ts";
import { formatBrl, MAX_CENTS } from "../../brazil/index.ts";
import { amountOf, type Amount, CENT_WORDS, CURRENCY_AFTER, CURRENCY_BEFORE } from "./amount.ts";
import { isNumberWord, isThousand } from "./cardinal.ts";
import { plainOf } from "../plain.ts";
import {
  absent,
  ambiguous,
  clear,
  type TextContext,
  invalid,
  MAX_ANSWER,
  type Option,
  type Understood,
} from "../understood.ts";
import { withoutNumbered } from "./numbered.ts";

/** Words that may stand around an amount and change nothing. */
const FILLERS = words(
  "o a os as ao vlr vl foi deu eh sao fica ficou custa custou saiu valor preco total de do da no na em por pelo so apenas " +
    "exatamente exatos redondo certinho certo mesmo isso ta ok beleza sim pode ser favor pf pfv obrigado obrigada obg vlw " +
    "oi ola bom boa tarde noite cobrei cobrar cobra recebi paguei pagou pago pix cartao dinheiro vista tudo servico " +
    "the value is it was amount price total please e com meu minha pra para foram seria sera bota coloca poe manda " +
    "cobrado cobrada total ah so foi dela dele delas deles ela ele me cobro cobramos fechou fechei fechamos fechado combinei combinamos combinado acertei " +
    "acertamos acertado pagaram entrou caiu transferiu depositou cliente aqui la ai hoje viu msm it s colocar botar",
);
/** Words that change what an amount means: with one of these it is at most a proposal. */
const RISKS = words(
  "cada hora horas h unidade unidades un parcela parcelas vezes x desconto menos mais ou entre ate partir cerca uns umas " +
    "aproximadamente quase acho talvez nao nem mes meses dia dias semana semanas diaria diarias noite noites pessoa pessoas " +
    "metade meia sinal entrada sem errado antes era eram vez inves maximo minimo troco por as taxa each per hour about or not " +
    "minus plus times depois resto restante adiantado adiantamento faltam falta dobro triplo " +
    "creio acredito penso imagino suponho parece provavelmente engano lembro torno volta around maybe think guess pau paus " +
    "pouco poucos tantos tanto km kg metro metros min minutos anos ano",
);
const FOREIGN = words(
  "dolar dolares usd us$ u$ euro euros eur libra libras peso pesos bitcoin btc",
);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** One amount, or a token that stands between amounts. */
type Piece = { readonly amount: Amount } | { readonly word: string };

/** "a pizza vai ser de 310", "pizza fica em 275": how much a thing of the business is of. "A pizza é a 310" says which one. */
const ofThing = perBusiness(
  (thing) =>
    new RegExp(
      `\\b(?:a )?${thing} (?:e|eh|foi|fica|ficou|vai ser|sera|seria|deu|vai ficar) (?:de|em|no valor de) `,
      "g",
    ),
);
/** "conforme medição 03: R$ 500": the number of a paper, before a marked amount. */
const PAPER =
  /\b(?:(?:conforme|cfe\.?|ref\.?|referente a[o]?|d[ao]|segundo) )?(?:[oa] )?(?:medicao|contrato|proposta|pedido|orcamento|oc|os) (?:n[º°o.]{1,2} ?)?\d{1,8}(?:\/\d{2,4})?(?: ?[:,-])? ?(?=r\$)/g;
const LAUGHTER = /\b(?:k{2,}|(?:rs){2,}|(?:ha){2,}h?|(?:he){2,}h?)\b/g;
/** A sign that belongs to the number; the dash of "corte - 150" does not. */
const NEGATIVE = /(?:^|[\s$:(])-(?:r?\$ ?)?\d|^-|\$ ?- ?\d|^\(? ?menos\b/;
const HUNDRED = /^(?:cem|cento|[a-z]+ent[oa]s)$/;
const TOKEN = /us?\$|r\$|\d[\d.,]*|[a-z]+|[^\sa-z\d]/gu;

export function money(text: string, context?: Pick<TextContext, "business">): Understood<"money"> {
  if (text.length > MAX_ANSWER) return absent("money", "too-long");
  const business = context?.business;
  const line = withoutNumbered(plainOf(text), business)
    .replace(/\br\$ ?: ?(?=\d)/g, "r$ ")
    .replace(/\b(?:com )?vencimento:? (?:em |dia )?\d{1,2}\/\d{1,2}(?:\/\d{2,4})?(?!\d)/g, " ")
    .replace(LAUGHTER, " ")
    .replace(PAPER, " ")
    .replace(ofThing(business), " ")
    .replace(/\b(?:bom dia|boa noite|por favor)\b/g, " ")
    .replace(/\bpor cento\b/g, "%")
    .replace(/\b(?:a|o|por) (?:aula|sessao|visita|peca|unidade|metro|litro|quilo)\b/g, " cada ");
  const tokens = line.match(TOKEN) ?? [];
  if (tokens.some((token) => FOREIGN.has(token) || /^[€£¥₿¢]$/u.test(token)))
    return tokens.some(startsNumber) ? invalid("money", "currency") : absent("money");
  const pieces = piecesOf(tokens);
  const amounts = pieces.flatMap((piece) => ("amount" in piece ? [piece.amount] : []));
  // "por 90" is the price; "90 por hora" is not.
  const others = pieces.flatMap((piece, at) =>
    "word" in piece && !(piece.word === "por" && "amount" in (pieces[at + 1] ?? {}))
      ? [piece.word]
      : [],
  );
  const [only] = amounts;
  const whole = forWorks(line, others);
  if (whole !== undefined) return money(whole, context);
  if (!only) return others.includes("zero") ? invalid("money", "zero") : absent("money");
  if (others.includes("%")) return invalid("money", "percent");
  // "R$ 1.500,00 (mil e quinhentos reais)": the same amount twice is one amount.
  const agreed =
    !others.some((word) => /^[+*x]$/.test(word)) &&
    amounts.every((amount) => amount.sure && amount.cents[0] === only.cents[0]);
  if (amounts.length > 1 && !agreed) return ambiguous("money", "expression", proposals(pieces));
  if (NEGATIVE.test(line)) return invalid("money", "negative");
  if (isTornOff(pieces)) return ambiguous("money", "confirm", only.cents.map(optionOf));
  // "um" alone is as often the first of a list as one real.
  if (/^uma?[.!]?$/.test(line)) return ambiguous("money", "confirm", only.cents.map(optionOf));
  return single(only, others);
}

/** Works joined by a plus, and one amount behind them. */
const WORKS =
  /^(?=.*\+)([a-z][a-z0-9]*(?:[ +,]+[a-z][a-z0-9]*)*?)[ ,:-]+(?:(?:por|deu|total|valor|tudo)[ :]+)*(r\$ ?\d[\d.,]*|\d[\d.,]* ?(?:reais|real))$/;

/** "v10 + vermífugo R$ 165": the sum is of works, none of them told by a number of its own, and the amount stands for all. */
function forWorks(line: string, others: readonly string[]): string | undefined {
  const [, works = "", amount] = WORKS.exec(line) ?? [];
  if (amount === undefined) return undefined;
  const isRisky = others.some((word) => word !== "+" && (RISKS.has(word) || isOdd(word)));
  const counted = (works.replace(/[a-z]+\d+/g, " ").match(TOKEN) ?? []).some(startsNumber);
  return isRisky || counted ? undefined : amount;
}

function single(amount: Amount, others: readonly string[]): Understood<"money"> {
  const fit = amount.cents.filter((cents) => cents > 0 && cents <= MAX_CENTS);
  if (amount.cents.length > 0 && fit.length === 0)
    return invalid("money", amount.cents.some((cents) => cents > 0) ? "too-large" : "zero");
  const options = fit.map(optionOf);
  const risky = others.some((word) => RISKS.has(word) || isOdd(word));
  if (!amount.sure) return ambiguous("money", options.length > 0 ? "confirm" : "format", options);
  if (risky) return ambiguous("money", "expression", options);
  const unknown = others.some((word) => /^[a-z]/.test(word) && !FILLERS.has(word));
  if (unknown && !amount.marked) return ambiguous("money", "confirm", options);
  const [cents = 0] = fit;
  return clear("money", cents, formatBrl(cents));
}

/** "tresentas e dez": a word that is no number, and yet the number goes on after it. */
function isTornOff(pieces: readonly Piece[]): boolean {
  return pieces.some((piece, at) => {
    if (!("amount" in piece)) return false;
    const [before, last] = pieces.slice(Math.max(0, at - 2), at);
    const word = last ? (said(last) === "e" ? said(before) : said(last)) : said(before);
    const joined = said(last) === "e" && /^[a-z]/.test(word) && !FILLERS.has(word);
    return joined || /(?:[a-z]ent[oa]s?|[a-z]enta)$/.test(word);
  });
}

function said(piece: Piece | undefined): string {
  return piece && "word" in piece ? piece.word : "";
}

function optionOf(cents: number): Option {
  return { value: cents, echo: formatBrl(cents) };
}

/** Signs that may stand beside an amount without meaning anything: punctuation, bold marks, emoji. */
function isOdd(token: string): boolean {
  return (
    !/^[a-z]/.test(token) &&
    !/^[.,;:!()"'*_\-–—]$/u.test(token) &&
    !/^\p{Extended_Pictographic}|\p{M}$/u.test(token)
  );
}

function startsNumber(token: string): boolean {
  return /^\d/.test(token) || isNumberWord(token);
}

/** Gathers neighbouring tokens that belong to one amount. */
function piecesOf(tokens: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let run: string[] = [];
  const flush = (): void => {
    const tail: string[] = [];
    while (run.length > 0 && /^(?:e|com|de)$/.test(run.at(-1) ?? "")) tail.unshift(run.pop() ?? "");
    if (run.some(startsNumber)) pieces.push({ amount: amountOf(run) });
    else for (const word of run) pieces.push({ word });
    for (const word of tail) pieces.push({ word });
    run = [];
  };
  tokens.forEach((token, at) => {
    const word = /^\d/.test(token) ? token.replace(/[.,]+$/, "") : token;
    // "mil, trezentos e dez": the comma that is written after the thousands.
    if (word === "," && isThousand(run.at(-1)) && HUNDRED.test(tokens[at + 1] ?? "")) return;
    const joins = /^(?:e|com|meio|meia)$/.test(word) && run.some(startsNumber);
    const ofMillion = word === "de" && /^milh/.test(run.at(-1) ?? "");
    // "R$ 500" begins an amount; the sign of "500 R$" ends one.
    const ends = CURRENCY_BEFORE.has(word) && run.length > 0 && !startsNumber(tokens[at + 1] ?? "");
    if (ends) {
      run.push("reais");
      flush();
      return;
    }
    if (CURRENCY_BEFORE.has(word) && word !== "brl") flush();
    // "um" and "uma" are mostly articles: a number only before another number or currency word, or alone.
    const article =
      /^uma?$/.test(word) &&
      run.length === 0 &&
      tokens.length > 1 &&
      !amountFollows(tokens[at + 1]);
    if (!article && (joins || ofMillion || startsNumber(word) || isCurrency(word))) {
      run.push(word);
      if (/[.,]$/.test(token) && /^\d/.test(token)) flush();
    } else {
      flush();
      pieces.push({ word });
    }
  });
  flush();
  return pieces;
}

function isCurrency(word: string): boolean {
  return CURRENCY_BEFORE.has(word) || CURRENCY_AFTER.has(word) || CENT_WORDS.has(word);
}

function amountFollows(token: string | undefined): boolean {
  return token !== undefined && (isCurrency(token) || /^(?:mil|milhao|e)$/.test(token));
}

/** More pieces than this (in cents) at a price each are no count. */
const MOST_PIECES = 10_000;

/** "2 sessões de 45": a plural and "de" or "a" between a number and an amount. */
function isPiecework(between: readonly string[]): boolean {
  return (
    between.length === 2 &&
    /^[a-z]{3,}s$/.test(between[0] ?? "") &&
    /^(?:de|a|por)$/.test(between[1] ?? "")
  );
}

/** What a sum, product or choice of amounts could come to; nothing when the text is no simple one. */
function proposals(pieces: readonly Piece[]): readonly Option[] {
  const values: number[] = [];
  const between: string[] = [];
  for (const piece of pieces)
    if ("word" in piece) between.push(piece.word);
    else if (piece.amount.cents[0] === undefined) return [];
    else values.push(piece.amount.cents[0]);
  const [first = 0, second = 0] = values;
  const has = (...any: string[]): boolean => any.some((word) => between.includes(word));
  let found: number[] = [];
  if (has("/")) return [];
  if (has("=")) found = [values.at(-1) ?? 0];
  else if (
    values.length === 2 &&
    has("x", "*", "vezes", "cada", "times", "each", "parcelas", "hora", "horas", "h")
  ) {
    const product = (first * second) / 100;
    // "150 em 3x" is 150 paid in parts, "3x 50" is 150.
    found = between.indexOf("em") >= 0 && has("x", "vezes") ? [first] : [product];
  } else if (values.length === 2 && first <= MOST_PIECES && isPiecework(between))
    found = [(first * second) / 100];
  else if (has("+", "mais", "plus")) found = [values.reduce((sum, value) => sum + value, 0)];
  else if (values.length === 2 && has("-", "menos", "desconto", "minus")) found = [first - second];
  else found = values;
  const fit = found.filter((cents) => Number.isInteger(cents) && cents > 0 && cents <= MAX_CENTS);
  return [...new Set(fit)].map(optionOf);
}
