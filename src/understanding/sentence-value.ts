/** The amount of a sentence about a note: taken only when it is the only one and nothing beside it changes it. */
import { money } from "./money.ts";
import { cut, type Draft } from "./sentence.ts";

/** Any stretch that can be money: digits, number words and what belongs to them. */
export const NUMBER_WORD =
  "mil|milhao|milhoes|k|cem|cento|(?:duz|trez|quatroc|quinh|seisc|setec|oitoc|novec)ent[oa]s|vinte|trinta|quarenta|cinquenta|" +
  "sessenta|setenta|oitenta|noventa|dez|onze|doze|treze|[cq]u?atorze|quinze|dez[ea]sseis|dezessete|dezoito|dezenove|" +
  "um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove";
const UNIT = "reais|real|contos?|pilas?|paus?|mangos?|centavos?";
const AMOUNT = new RegExp(
  `(?:r\\$ ?)?(?<![\\w.,])-?(?:\\d[\\d.,]*\\d|\\d|\\b(?:${NUMBER_WORD})\\b)(?: ?(?:\\b(?:e|com) )?(?:\\d[\\d.,]*\\d|\\d|\\b(?:${NUMBER_WORD}|${UNIT})\\b|k\\b)| ?(?:${UNIT}|mil|k)\\b)*`,
  "g",
);
/** Said right before an amount: this number is the value. A bare "nota 12" is rather the number of a note. */
const INTRODUCES =
  /(?:\b(?:(?:notas?(?: fiscal)?|nf|nfs-?e) d[eo]|emit\w+|fatur\w+|no valor|valor|valor total|total|por|cobr\w+|paguei|recebi|deu)(?: de| e| eh|:)?|\bde) ?$/;
/** What a price may be for one of. */
export const UNIT_NOUNS =
  "aulas?|sessao|visitas?|unidades?|pecas?|metros?|diarias?|litros?|quilos?|kg|consultas?|horas?|h|dias?|semanas?|mes|pessoas?|cabecas?|pagina|lauda|km|m2|folha|vez|par";
/** What may follow a number without a currency: with any other word it may count things ("nota de 10 aulas"). */
const FOLLOWS =
  /^(?:\s*(?:$|[,;:.!\u0001])|\s+(?:pra|para|pro|p|p\/|de|do|da|dos|das|no|na|em|cpf|cnpj|ref|referente|por|pelo|pela|ao|a|o|cliente|tomador|servico|descricao|data|to|for)\b)/;

interface Hit {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** `seen`: money is spoken of, though not clearly enough for a value. */
export function takeValue(
  draft: Draft,
  known: { readonly named: boolean; readonly document: boolean },
): { readonly value: number | null; readonly seen: boolean } {
  const hits = [...draft.folded.matchAll(AMOUNT)]
    .map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }))
    .filter(
      ({ text, end }) => !/^uma?$/.test(text) && !/^h\d{0,2}\b/.test(draft.folded.slice(end)),
    );
  const marked = hits.filter(({ text }) =>
    new RegExp(`r\\$|\\b(?:${UNIT})\\b|,\\d{2}$`).test(text),
  );
  const introduced = hits.filter(({ start }) => INTRODUCES.test(draft.folded.slice(0, start)));
  const leading = hits.filter(({ start }) => draft.folded.slice(0, start).trim() === "");
  // "nota pra Sônia, 95": a number that is a part of the sentence by itself, when somebody is named and no other number is.
  const apart =
    hits.length === 1 && (known.named || known.document)
      ? hits.filter((hit) => /^\d/.test(hit.text) && isPart(draft.folded, hit))
      : [];
  // "nfse 1500 para João, cpf …": who gives a name and a document asks for a note and names none by its number.
  const numbered =
    hits.length === 1 && known.document && known.named && !SENDING.test(draft.folded)
      ? hits.filter((hit) => OF_NOTE.test(draft.folded.slice(0, hit.start)))
      : [];
  const [candidates] = [marked, introduced, leading, apart, numbered].filter(
    (list) => list.length > 0,
  );
  const [one] = candidates ?? [];
  if (!one) return { value: null, seen: false };
  const counts = marked.length === 0 && !FOLLOWS.test(draft.folded.slice(one.end));
  // A second number may be a count, a price of a part or a part of a name: then nobody knows.
  const lone =
    !counts &&
    !TORN_OFF.test(draft.folded.slice(0, one.start)) &&
    (hits.length === 1 || standsApart(draft.folded, one, hits)) &&
    !RISKY_AROUND.test(around(draft.folded, one.start, one.end));
  if (!counts) {
    const lead = LEADS.exec(draft.folded.slice(0, one.start));
    cut(draft, lead?.index ?? one.start, one.end);
    draft.amount = one.end;
  }
  const read = lone ? money(one.text) : null;
  return { value: read?.ok ? read.value : null, seen: marked.length > 0 || lone };
}

const SENDING = /\b(?:mand|envi|reenvi|pass|encaminh|repass)\w*\b/;
const OF_NOTE = /\b(?:nota(?: fiscal)?|nf|nfs-?e) $/;

/** Between two breaks, and nothing beside it. */
function isPart(folded: string, { start, end }: Hit): boolean {
  return (
    /[,;\u0001]\s*$/.test(folded.slice(0, start)) &&
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
const TORN_OFF = /[a-z](?:ent[oa]s?|enta)(?: e)? ?$/;

const BREAK = /[,;\u0001]/;

function lastBreak(folded: string, before: number): number {
  for (let at = before - 1; at >= 0; at -= 1) if (BREAK.test(folded.charAt(at))) return at + 1;
  return 0;
}

/** A small bare number before a plural: "4 aulas". */
function countsThings(folded: string, hit: Hit): boolean {
  return /^\d{1,3}$/.test(hit.text) && /^ [a-z]{3,}s\b/.test(folded.slice(hit.end));
}

/** Words that go with an amount when it is cut out. */
const LEADS = /(?:\b(?:no valor|valor|total)(?: de| e| eh|:)? |\b(?:de|por|a|e) )$/;

/** Words beside an amount that make it a price of something smaller, or no amount at all. */
const RISKY_AROUND = new RegExp(
  String.raw`\b(?:cada|hora|horas|parcelas?|vezes|mais|menos|desconto|ou|entre|uns|umas|cerca|quase|nao|dias?|pessoas?|sinal|entrada)\b|[%*+/?]|(?<![a-z])x(?![a-z])|\b(?:por|a|o|cada) (?:${UNIT_NOUNS})\b`,
);

/** What stands beside, no farther than a break and never half a word. */
function around(folded: string, start: number, end: number): string {
  const before = folded.slice(Math.max(0, start - NEAR), start);
  const after = folded.slice(end, end + NEAR + 1);
  const whole = after.length > NEAR ? after.replace(/\w+$/, "") : after;
  return `${before.replace(/^.*[;]/, "")} ${whole.replace(/[;].*$/, "")}`;
}

const NEAR = 14;
