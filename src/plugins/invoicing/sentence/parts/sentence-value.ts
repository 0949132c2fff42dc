/** The amount of a sentence about a note: taken only when it is the only one and nothing beside it changes it. */
import { NOTE_NOUNS } from "../../talk/nouns.ts";
import { isServiceWord, money } from "../../../../plugin.ts";
import { cut, type Draft } from "../sentence.ts";
import {
  AMOUNT,
  apartFrom,
  countsThings,
  FOLLOWS,
  type Hit,
  IN_WORDS,
  INTRODUCES,
  isCount,
  isLarge,
  isPartOfName,
  LONGEST_BEFORE,
  MARKED,
  NIGHTLY,
  NUMBER_WORD,
  PER_UNIT,
  PIECEWORK,
  tellsOfWork,
  twice,
  UNIT_NOUNS,
  wholeOf,
} from "./sentence-numbers.ts";
import { onlyMarked } from "../sentence-marked.ts";

/** The number has its label: "valor: 90", "total de 240". */
const LABELLED =
  /\b(?:(?:valor|preco|montante|quantia|importancia)(?: total| final| bruto| cheio| combinado| acordado| acertado| fechado| cobrado| contratado| d[ao] (?:nota|nf|nfs-?e)(?: fiscal)?| d[eo]s? (?:servicos?|mao de obra|obra))?|total(?: geral| a (?:pagar|receber|faturar|cobrar)| d[ao] (?:nota|nf|servico))?|totalizando|totalizou|deu tudo|tudo deu)(?: (?:de|e|eh|foi|era|deu|ficou(?: em)?|fica(?: em)?))?[:=]? ?$/;
/** All of it, said so. */
const TOTAL = /\btotal(?:izando| geral)?(?: (?:de|e|eh|foi|deu|ficou(?: em)?))?[:=]? ?$/;
const TAKEN_OFF =
  /\b(?:desconto|entrada|sinal|parcial|taxa|frete|mais|menos|ou|acho|uns|quase|nao|falta|faltam|resto|restante)\b|[%+?]/;
/** … or after it: "240 no total". */
const IN_ALL = /^(?: reais)?,? (?:no total|ao todo|em tudo|no todo|total)\b/;
/** A number somewhere says how many of something there are, or what one costs. */
const QUANTITIES =
  /\b(?:qtd|qtde|quant|quantidade|unidades?|unid|un|unitario|cada|vezes|parcelas?|hora|desconto|x)\b|\d ?x\b|[%*]|(?<![a-z\d])\d[\d.,]* ?\+|\+ ?(?:r\$ ?)?\d/;

/** Taken off or paid already, or denied: the amount is the one that is said. */
const SETTLED =
  /\bsem (?:nenhum )?desconto\b|\be nao (?:mais )?(?:de )?(?:r\$ ?)?\d[\d.,]*\d(?: reais)?(?! (?!reais)[a-z])|\bcom (?:o )?desconto ja(?= ?(?:$|[,;.]))|\b(?:ja (?:com|c\/) (?:o )?desconto(?: (?:dado|aplicado|inclus[oa]|feito))?|(?:com )?(?:o )?desconto ja (?:dado|aplicado|inclus[oa]|abatido|descontado|feito))\b|(?<!\d)\d{1,2} ?% (?:ja )?(?:foi )?pag[oa]s?\b/g;

/** `seen`: money is spoken of, though not clearly enough for a value. */
export function takeValue(
  draft: Draft,
  known: { readonly named: boolean; readonly document: boolean },
): { readonly value: number | null; readonly seen: boolean; readonly several: boolean } {
  for (const { index, 0: settled } of draft.folded.matchAll(SETTLED))
    cut(draft, index, index + settled.length);
  const hits = [...draft.folded.matchAll(AMOUNT)]
    .flatMap((match) => apartFrom(match[0], match.index))
    .filter((hit) => isNumber(draft, hit) && !isPartOfName(draft.folded, hit));
  const marked = hits.filter(({ text }) => MARKED.test(text));
  const introduced = hits
    .filter(({ start }) => {
      const before = draft.folded.slice(0, start);
      return INTRODUCES.test(before) && !PIECEWORK.test(before);
    })
    .filter((hit, _at, list) => list.length === 1 || !countsThings(draft.folded, hit));
  const leading = hits.filter(({ start }) => draft.folded.slice(0, start).trim() === "");
  // "nota pra Sônia, 95": a number that is a part of the sentence by itself, when somebody is named and no other number is.
  const somebody = known.named || known.document || MAKING.test(draft.folded);
  const alone = somebody ? hits.filter((hit) => isWritten(hit) && isPart(draft.folded, hit)) : [];
  // "montagem de guarda-roupa 6 portas, 130": the other numbers tell of what was done, each among words.
  const [price] = alone;
  const priced =
    price !== undefined && (known.document || known.named)
      ? alone.length === 1 &&
        !PER_UNIT.test(draft.folded) &&
        hits.every((hit) => hit === price || tellsOfWork(draft.folded, hit, price))
      : false;
  const apart = hits.length === 1 || priced ? alone : [];
  const numbered =
    hits.length === 1 && !SENDING.test(draft.folded)
      ? hits.filter((hit) => isNumbered(draft.folded, hit, known))
      : [];
  // "valor: 90", "R$ 90", "nota de 90", "90 …", each more certain than the next.
  const labelled = QUANTITIES.test(draft.folded)
    ? []
    : hits.filter(
        ({ start, end }) =>
          LABELLED.test(draft.folded.slice(0, start)) || IN_ALL.test(draft.folded.slice(end)),
      );
  // "3 encontros de 200 reais, total 600": whatever one costs, this is all of it.
  const inAll = TAKEN_OFF.test(draft.folded)
    ? []
    : hits.filter(
        (hit) =>
          TOTAL.test(draft.folded.slice(0, hit.start)) &&
          (MARKED.test(hit.text) || !isCount(hit, draft.folded.slice(hit.end))),
      );
  const added = wholeOf(draft.folded, hits);
  const [whole = added] = inAll.length === 1 ? inAll : [];
  const sole = onlyMarked(draft.line, draft.folded, hits);
  const ranked = whole
    ? [[whole]]
    : priced
      ? [labelled, marked, apart]
      : [labelled, marked, introduced, leading, apart, numbered];
  const [candidates] = ranked.filter((list) => list.length > 0);
  const [one] = candidates ?? [];
  if (!candidates || !one) return { value: null, seen: false, several: false };
  const again = twice(
    marked.length > 1 || labelled.length > 0 ? [...new Set([...labelled, ...marked])] : hits,
  );
  const after = draft.folded.slice(one.end);
  const counts =
    !MARKED.test(one.text) &&
    !(candidates === labelled && isLarge(one.text)) &&
    (candidates === leading ? !FOLLOWS.test(after) : isCount(one, after));
  const others = again
    ? hits.filter((hit) => !again.includes(hit))
    : hits.filter((hit) => hit !== one);
  const only =
    others.length === 0 ||
    (marked.length === 1 &&
      one === marked[0] &&
      !PIECEWORK.test(draft.folded.slice(0, one.start)) &&
      !QUANTITIES.test(draft.folded) &&
      others.every(
        (hit) => countsThings(draft.folded, hit) || tellsOfWork(draft.folded, hit, one),
      )) ||
    ((candidates === labelled || candidates === introduced || again !== null) &&
      candidates.length === (again?.filter((hit) => candidates.includes(hit)).length ?? 1) &&
      others.every(
        (hit) =>
          !MARKED.test(hit.text) &&
          (countsThings(draft.folded, hit) ||
            (candidates === labelled && tellsOfWork(draft.folded, hit, one))),
      )) ||
    (priced && one === price) ||
    one === whole ||
    standsApart(draft.folded, one, hits);
  // A second number may be a count, a price of a part or a part of a name: then nobody knows.
  const lone =
    !counts &&
    (only || one === sole) &&
    !TORN_OFF.test(draft.folded.slice(0, one.start)) &&
    !NIGHTLY.test(after) &&
    (one === added || !TAKEN_BACK.test(draft.folded)) &&
    (one === sole ||
      (priced && one === price) ||
      one === whole ||
      !RISKY_AROUND.test(beside(draft.folded, one)));
  if (!counts)
    for (const hit of again ?? [one]) {
      const lead = LEADS.exec(draft.folded.slice(0, hit.start));
      cut(draft, lead?.index ?? hit.start, hit.end);
      draft.amount = hit.end;
    }
  const read = lone ? money(one.text, { business: NOTE_NOUNS }) : null;
  return {
    value: read?.ok ? read.value : null,
    seen: marked.length > 0 || lone,
    several: marked.length > 1,
  };
}

/**
 * "nfse 1500 para João, cpf …": who gives a name and a document asks for a note and names none by its number. "nf 3k": no
 * note has such a number. "nota cpf … 950 instalação", "nota da terapia 240 pra Ana": beside what was done.
 */
function isNumbered(
  folded: string,
  { text, start, end }: Hit,
  known: { readonly named: boolean; readonly document: boolean },
): boolean {
  const before = folded.slice(Math.max(0, start - LONGEST_BEFORE), start);
  const worked = isServiceWord(folded.slice(end).trimStart());
  if (OF_NOTE.test(before))
    return THOUSANDS.test(text) ? known.named : known.document && (known.named || worked);
  if (!known.document) return false;
  if (worked && /\u0001 ?$/.test(before)) return true;
  const [, work = ""] = OF_WORK.exec(before) ?? [];
  return known.named && isServiceWord(work) && !IS_NUMBERED.test(work) && !SMALL.test(text);
}

const THOUSANDS = /\d ?(?:k|mil)$/;
const OF_WORK = /\b(?:nota|nf) d[aeo] ([a-z]{4,20}) $/;
/** What is told apart by a number itself: "aula 12", "obra 320". */
const IS_NUMBERED =
  /^(?:projeto|obra|servico|pacote|kit|combo|sessao|aula|placa|chave|cartao|plantao|curso|vistoria|diaria|mensalidade)s?$/;
const SMALL = /^\d{1,2}$/;

/** Not an article, an hour, "1 nota", nor a word of a name ("Marcenaria Dois Irmãos"). */
function isNumber({ line, folded }: Draft, { text, start, end }: Hit): boolean {
  const after = folded.slice(end);
  if (/^uma?$/.test(text) || /^h\d{0,2}\b/.test(after)) return false;
  if (text === "1" && /^ (?:nota|nf)/.test(after)) return false;
  return !(/^\p{Lu}\p{Ll}/u.test(line.slice(start)) && /^ \p{Lu}\p{Ll}/u.test(line.slice(end)));
}

/** "faz a nota da Priscila; 190": who wants one made names none that exists by its number. */
const MAKING =
  /\b(?:pode|podem|poderia|consegue|tem como|da pra) (?:me |nos )?(?:emitir|faturar)\b|\b(?:emit|faz|faca|fazer|ger[aeo]|gerar|tir[ae]|tirar|lanc|solt[ae])\w*\b.*\b(?:notas?|notinha|nf|nfs-?e)\b/;
const SENDING = /\b(?:mand|envi|reenvi|pass|encaminh|repass)\w*\b/;
const OF_NOTE = /\b(?:nota(?: fiscal)?|nf|nfs-?e) $/;

/** In figures, or in words that count nothing. */
function isWritten({ text }: Hit): boolean {
  return /^\d/.test(text) || MARKED.test(text) || IN_WORDS.test(text);
}

/** Between two breaks, and nothing beside it. */
function isPart(folded: string, { start, end }: Hit): boolean {
  return (
    /[,;?\u0001]\s*$/.test(folded.slice(0, start)) &&
    /^\s*(?:$|[,;.!\u0001])/.test(folded.slice(end))
  );
}

/** "4 aulas, 200 reais": an amount that is a part of the sentence by itself, and counts of things in other parts. */
function standsApart(folded: string, one: Hit, hits: readonly Hit[]): boolean {
  const start = lastBreak(folded, one.start);
  const next = BREAK.exec(folded.slice(one.end))?.index ?? folded.length - one.end;
  const beside = folded.slice(start, one.start) + folded.slice(one.end, one.end + next);
  const alone = /^[\s:]*(?:(?:no )?(?:valor|total)(?: total| de)?)?[\s:.]*$/.test(beside);
  return alone && hits.every((hit) => hit === one || countsThings(folded, hit));
}

/** "tresentas e |dez reais": a word that is no number, and yet the number goes on after it. */
const TORN_OFF = /[a-ln-z](?:ent[oa]s?|enta)(?: e)? ?$/;

const BREAK = /[,;\u0001]/;

function lastBreak(folded: string, before: number): number {
  for (let at = before - 1; at >= 0; at -= 1) if (BREAK.test(folded.charAt(at))) return at + 1;
  return 0;
}

/** Words that go with an amount when it is cut out. */
const LEADS =
  /(?:\b(?:no valor|valor|total|valor total)(?: de| e| eh| foi| deu|:)* |\b(?:de|por|a|e) )$/;

/** Words beside an amount that make it a price of something smaller, or no amount at all. */
const RISKY_AROUND = new RegExp(
  String.raw`\b(?:cada|hora|horas|parcelas?|vezes|mais|menos|desconto|ou|entre|uns|umas|cerca|quase|nao|dias?|pessoas?|sinal|entrada|metade)\b|[%*/?]|(?<![a-z\d])\d[\d.,]* ?\+|\+ ?(?:r\$ ?)?\d|\b(?:acho|acredito|creio|parece|talvez|mais ou menos|se nao me engano|nao lembro|nao sei|aproximad\w+|la pelos|por volta)\b|(?<![a-z])x(?![a-z])|\b(?:por|a|o|cada) (?:${UNIT_NOUNS})\b`,
);

/** Said of an amount anywhere in the sentence: it is another one, a share, a guess or one of two. */
const TAKEN_BACK = new RegExp(
  `\\bdesconto\\b|\\bso (?:d?a )?metade\\b|\\d (?:reais )?d(?:e|o) (?:um )?total\\b|\\b(?:minha|sua|nossa) parte\\b|\\d ?%|\\d e (?:pouc[oa]s?|tant[oa]s?|quebrad[oa]s?)\\b|\\d (?:reais )?d[ao]s? [a-z]{3,20} e (?:r\\$ ?)?\\d{2,}(?:,\\d\\d)? (?:reais )?d[ao]s? |\\bsendo (?:r\\$ ?)?\\d|\\b(?:na verdade|ou melhor|quer dizer|digo|alias|corrigindo|ops)\\b[ ,:;]*(?:e |eh |sao |de |por )?(?:r\\$ ?)?(?:\\d|(?:${NUMBER_WORD})\\b)`,
);

/** Said anywhere in the sentence, it may be of an amount that no rule took: only somebody who asks can know. */
const HEDGED =
  /\b(?:acho|acredito|creio|parece|talvez|mais ou menos|nao lembro|nao sei|aproximad\w+|la pelos|por volta|uns|umas|quase|cerca|entre|cada|ou|menos|metade|sinal|entrada|restante|resto|faltam?|adiantamento)\b|%|(?<![a-z\d])\d[\d.,]* ?\+|\+ ?(?:r\$ ?)?\d/;

/** Of plain text: whether what is said of an amount makes another one the right one, which nobody can know. */
export function isTakenBack(folded: string): boolean {
  return TAKEN_BACK.test(folded.replace(SETTLED, ""));
}

/** Of plain text: whether somebody doubts, changes or divides the amount. */
export function isHedged(folded: string): boolean {
  return HEDGED.test(folded) || TAKEN_BACK.test(folded);
}

/** "me faz uma nota de 55 reais?" asks for it, and doubts nothing. */
function beside(folded: string, hit: Hit): string {
  const said = around(folded, hit.start, hit.end);
  return MARKED.test(hit.text) && MAKING.test(folded) ? said.replaceAll("?", "") : said;
}

/** What stands beside, no farther than a break and never half a word. */
function around(folded: string, start: number, end: number): string {
  const before = folded.slice(Math.max(0, start - NEAR), start);
  const after = folded.slice(end, end + NEAR + 1);
  const whole = after.length > NEAR ? after.replace(/\w+$/, "") : after;
  const said =
    `${before.replace(/^.*[;?]|\d{1,3}x\d{1,3}(?=,)/g, "")} ${whole.replace(/[;].*$/, "")}`
      // "140 reais p/ Débora", "3 dias 450 reais": neither a share nor the price of one.
      .replace(/ [pc]\/(?= ?[a-z])/g, " ")
      .replace(/(?<!por |em |cada )\b(?:[2-9]|\d{2,3}) (?:dias|pessoas|horas)(?= |,|$)/g, "");
  return said.replace(/(?<=\d|[a-z]{3})\/(?=\d{2,4}(?!\d))/g, "-");
}

const NEAR = 14;
