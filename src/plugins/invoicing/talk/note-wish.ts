/**
 * Which note that exists a person means: "segunda via da nota 12", "a última da Ana", "notas de outubro"; and the slot kind
 * `note` that holds it. Pure. What is not named is left out; nothing is guessed, because the words decide whose note is shown.
 */
import { NOTE_NOUNS } from "./nouns.ts";
import {
  defineKind,
  document,
  fold,
  formatDocument,
  type Json,
  maskDocument,
  monthEcho,
  personOrCompany,
  plainOf,
  type TextContext,
  tidy,
  understand,
} from "../../../plugin.ts";
import { z } from "zod";

interface NoteWish {
  readonly number?: string;
  /** 44 or 50 letters and digits. */
  readonly key?: string;
  /** The newest one that fits the rest. */
  readonly last?: true;
  /** `YYYY-MM` of the service. */
  readonly month?: string;
  readonly document?: string;
  /** Name of who receives it, as written. */
  readonly name?: string;
}

/** Longest text that is looked at; a wish is a sentence. */
const MAX_WISH = 300;
const KEY = /(?<![0-9a-z])(?:[0-9a-z]{50}|[0-9a-z]{44})(?![0-9a-z])/i;
/** A key as it is printed: in groups of four. */
const PRINTED = /\d{4}(?: \d{4}){10,11}(?: \d{2})?(?!\d)/g;
/** "nota 12", "nota nº 12", "nf 0012", "NFS-e 10.001", "cancelaram a 12"; digits alone are a number, too. */
const NUMBER =
  /\b(?:(?:notas?|nf|nfs|nfse|nfs-e|invoice|numero|number|n[o.]?)(?: fiscal)?(?: ?(?:n[o.ºo°]{0,2}|numero|number|#))? ?[#ºº°]? ?|(?:cancel|anul|estorn)[a-z]+ (?:ja )?(?:as?|the) )(\d{1,3}(?:\.\d{3})+|\d{1,15})(?![\d/.,-]*\d)\b/;
const ALONE =
  /^(?:(?:e|eh|foi|era|it s|is) )?(?:(?:as?|the) )?#?(\d{1,3}(?:\.\d{3})+|\d{1,15})[.!]?$/;
const LAST =
  /\b(?:ultim[ao]|(?<!mes )anterior|previous|mais recente|de agora|last|latest|newest)\b/;
const MONTH_WORD =
  /\b(?:mes|month|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|january|february|march|april|may|june|july|august|september|october|november|december)\b|(?<!\d)(?:0?[1-9]|1[0-2])\/20\d\d(?!\d)/;
/** Before a name: "da Ana", "para o João". */
const OF = /(?<![\p{L}\d])(?:d[aeo]|pr[ao]|para(?: [ao])?|for|of|to)\s+/giu;
const TITLES = /^(?:(?:o|a|the|cliente|senhora?|dona|seu|sr|sra)\.?\s+)+/i;
/** "de outubro", "do mês passado", "em maio de 2026": taken out before a name is looked for. */
const MONTH_PHRASE =
  /\b(?:d[eo]|em|of|in|from)?\s*(?:mes (?:passado|anterior|atual)|(?:last|this) month|(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|january|february|march|april|may|june|july|august|september|october|november|december)(?:\s*(?:de|\/)?\s*\d{2,4})?)\b/g;
/** Another than the one that is named, or nobody knows which. */
const LEFT_OUT = /\b(?:nao|nem|sem|exceto|menos|fora|acho|talvez|not|except|maybe)\b/;
/** Behind a name: what became of the note, and where. */
const TOLD_OF =
  /\s+(?:(?:que |eu |a gente |j[aá] )*(?:foi|est[aá]|t[aá]|ficou|aparece|(?:cancel|anul|estorn)(?:ei|amos|ou|aram|ad[ao]))|(?:was|is|has)|(?:direto )?(?:n[oa]|pel[oa]|l[aá] n[oa]|in the|on the) (?:portal|prefeitura|site|sistema|emissor|contador\w*|town|city))(?![\p{L}]).*$/isu;
const LONGEST_NAME = 80;
/** Words that are no name, however they stand. */
const NO_NAME =
  /\b(?:nota|notas|nf|nfse|fiscal|invoices?|ultim[ao]|mes|month|hoje|ontem|today|yesterday|passado|segunda|via|numero|chave|servico|valor|reais|mesma?|sempre|costume|anterior|empresa|gente|year|ano)\b|\d/;

export function noteWish(text: string, context: TextContext): NoteWish {
  const said = tidy(text.slice(0, MAX_WISH));
  const key = KEY.exec(
    said.replace(PRINTED, (groups) => groups.replaceAll(" ", "")),
  )?.[0].toUpperCase();
  if (key !== undefined) return { key };
  const line = plainOf(said);
  const document = documentIn(said);
  if (document !== undefined) return { document, ...lastOf(line), ...monthOf(line, context) };
  const number = (ALONE.exec(line) ?? NUMBER.exec(line))?.[1];
  if (number !== undefined) return { number: number.replaceAll(".", "") };
  const name = nameIn(said);
  return {
    ...lastOf(line),
    ...monthOf(line, context),
    ...(name === undefined ? {} : { name }),
  };
}

/** Whether a wish says anything. */
export function isNamed(wish: NoteWish): boolean {
  return Object.keys(wish).length > 0;
}

function lastOf(line: string): { last?: true } {
  return LAST.test(line) ? { last: true } : {};
}

function monthOf(line: string, context: TextContext): { month?: string } {
  if (!MONTH_WORD.test(line)) return {};
  const read = understand("month", line.replace(/[?!.,;:]+/g, " ").trim(), context);
  if (read.ok) return { month: read.value };
  // "A do mês passado, mas 250 reais": the amount tells nothing of the month.
  const [phrase, other] = line.matchAll(MONTH_PHRASE);
  if (!phrase || other || LEFT_OUT.test(line)) return {};
  const named = understand("month", phrase[0].trim(), context);
  return named.ok ? { month: named.value } : {};
}

function documentIn(said: string): string | undefined {
  if (said.replace(/\D+/g, "").length < 8) return undefined;
  const read = document(said);
  return read.ok ? read.value : undefined;
}

/** The longest rest of the sentence after a "da", "para", … that holds no word of notes. */
function nameIn(said: string): string | undefined {
  const plain = plainOf(said);
  const months = [...plain.matchAll(MONTH_PHRASE)];
  // Position for position the same text, so a month found in the plain one is taken out of the other.
  const rest = months.reduceRight(
    (text, { index, 0: phrase }) => text.slice(0, index) + text.slice(index + phrase.length),
    said,
  );
  for (const { index, 0: word } of rest.matchAll(OF)) {
    const given = rest
      .slice(index + word.length)
      .replace(/[,;.!?].*$/s, "")
      .replace(TOLD_OF, "")
      .replace(TITLES, "")
      .trim();
    if (given.length < 2 || given.length > LONGEST_NAME || NO_NAME.test(fold(given))) continue;
    const name = personOrCompany(given, NOTE_NOUNS);
    if (name !== null) return name;
  }
  return undefined;
}

const wishSchema = z
  .object({
    number: z
      .string()
      .regex(/^\d{1,15}$/)
      .optional(),
    key: z
      .string()
      .regex(/^(?:[0-9A-Z]{44}|[0-9A-Z]{50})$/)
      .optional(),
    last: z.literal(true).optional(),
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .optional(),
    document: z.string().max(14).optional(),
    name: z.string().min(2).max(150).optional(),
  })
  .refine((wish) => Object.keys(wish).length > 0);

/** What it leads to is looked up by an effect. */
export const noteKind = defineKind("note", {
  version: 1,
  schema: () => wishSchema,
  read: (text, context) => {
    const wish = noteWish(text, context);
    if (!isNamed(wish)) return { ok: false, reason: "absent" };
    return { ok: true, value: wish as unknown as Json, echo: echoOf(wish, context.locale) };
  },
  echo: (value, { locale }) => echoOf(value as unknown as NoteWish, locale),
  mask: (value) => {
    const { document, ...rest } = value as unknown as NoteWish;
    return document ? maskDocument(document) : echoOf(rest, "pt-BR");
  },
  names: ["nota", "nota fiscal", "invoice", "note"],
  samples: [{ number: "12" }],
});

const WORDS = {
  "pt-BR": { number: "nota", last: "a última", of: "de", key: "chave" },
  en: { number: "note", last: "the last one", of: "of", key: "key" },
} as const;

function echoOf(wish: NoteWish, locale: "pt-BR" | "en"): string {
  const words = WORDS[locale];
  const { number, key, last, month, document, name } = wish;
  if (key !== undefined) return `${words.key} ${key}`;
  if (number !== undefined) return `${words.number} ${number}`;
  const of = document === undefined ? name : formatDocument(document);
  const parts = [
    last ? words.last : "",
    of === undefined ? "" : `${words.of} ${of}`,
    month === undefined ? "" : monthEcho(month, { locale }),
  ];
  return parts.filter((part) => part !== "").join(" ");
}
