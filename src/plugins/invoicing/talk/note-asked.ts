/**
 * A note asked for in so few words that nothing of it is certain ("nota 65 corte"), several at once, or one for another day. Pure.
 *
 * No value is read here: these words only tell what a conversation begins with, and it asks the rest.
 */
import { FIRST_NAMES, isServiceWord, plainOf } from "../../../plugin.ts";
import { isOtherTalk } from "../sentence/parts/sentence-other.ts";

type NoteAsked =
  /** `work`: the words of what was done, as written; empty where none stand together. */
  | { readonly how: "terse"; readonly work: string }
  | { readonly how: "several" }
  | { readonly how: "later" };

/** Longer texts are no few words. */
const LONGEST = 160;
const NOTE = "(?:notas?(?: fisca(?:l|is))?|notinha|nf|nfs|nfs-?e|invoices?)";
const GREETING = "(?:(?:oi+e?|ola|opa|bom dia|boa tarde|boa noite|hi|hello)[ ,.!]+)*";

/** How the wish is asked; undefined where the text is no such wish. */
export function noteAsked(text: string): NoteAsked | undefined {
  if (text.length > LONGEST) return undefined;
  const line = plainOf(text);
  if (isLater(line)) return { how: "later" };
  if (SEVERAL.test(line) && !OF_OTHERS.test(line)) return { how: "several" };
  return terse(line);
}

const DAY =
  "(?:(?:depois de )?amanha|depois(?! d[aeo]s? | que )|mais tarde|outro dia|(?:n[ao] )?(?:semana|mes) que vem|(?:n[ao] )?(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)(?:-feira)? que vem|tomorrow|next (?:week|month))";
/** "Amanhã eu quero a nota": in one breath, for a comma may begin what is wanted now. */
const FIRST = new RegExp(`^${GREETING}${DAY}[, ]+[^,;.?!]{0,40}\\b${NOTE}\\b`);
/** "Faz a nota amanhã"; until or for a day says when it is needed, and is asked for now. */
const LAST = new RegExp(
  `\\b(?:fa[zc]\\w*|emit\\w+|quero|queria|preciso|peco|pedir|tir(?:a|ar|o)|ger(?:a|ar|o)|make|issue|want)\\b[^,;.?!]{0,40}\\b${NOTE}\\b[^,;.?!]{0,30}(?<!\\b(?:ate|pra|para|by|for|until) (?:a |o )?)\\b${DAY}[ .!?]*$`,
);
const NOW = /\b(?:hoje|agora|ja|ontem|now|today|yesterday)\b|\b(?:nao|cade|cancel\w*|via|chegou)\b/;

function isLater(line: string): boolean {
  return (FIRST.test(line) || LAST.test(line)) && !NOW.test(line);
}

const SEVERAL = new RegExp(
  `\\b(?:preciso|quero|queria|gostaria|fa[zc]\\w*|emit\\w+|tir(?:a|ar|e)|ger(?:a|ar|e)|solt\\w+|lanc\\w+|need|want|make|issue)\\b[^;.?!]{0,30}\\b(?:duas|tres|quatro|cinco|[2-5]|varias|two|three|four|several) ${NOTE}\\b|` +
    `\\b${NOTE}\\b.*\\be (?:a |uma )?outra (?:nota )?(?:de|pra|para|pro|no valor|no nome|em nome)\\b`,
);
/** Of notes that there are. */
const OF_OTHERS =
  /\b(?:nao|ja|cancel\w*|cade|cheg\w+|sair\w*|saiu|errad[oa]s?|via|vias|repet\w+|reenvi\w*|copias?|ontem vieram|recebi|the last|ver|minhas)\b/;

const ASKING = new RegExp(
  `^${GREETING}(?:(?:por favor|pf|me|fa[zc]|faca|emite|tira|solta|lanca|gera|ve|quero|queria|preciso|uma|a|de)[ ,]+)*${NOTE}\\b[ ,:-]*(.+)$`,
);
const AMOUNT = /^(?:r\$)?\d[\d.,]*(?:k|reais)?$/;
const SMALL =
  /^(?:d[aeo]s?|e|o|a|pr[ao]|para|p|r\$|reais|real|mil|contos?|hoje|ontem|cpf|cnpj|ref|valor|por)$/;
/** Of one that there is, or of none. */
const ABOUT =
  /^(?:nao|ja|ainda|cade|que|q|qual|quando|como|onde|foi|esta|ta|veio|email|e-mail|link|pdf|xml|via|numero|errad[oa]|igual|mesm[oa]|ultim[oa]|anterior|10|dez|zero|0|mil)$/;
/** Words that nobody knows: a family name, more of what was done. */
const MOST_UNKNOWN = 2;

function terse(line: string): NoteAsked | undefined {
  const rest = ASKING.exec(line)?.[1];
  if (rest === undefined || line.endsWith("?") || isOtherTalk(line)) return undefined;
  const words = rest.split(/[\s,;:/]+/).filter((word) => word !== "");
  if (words.some((word) => ABOUT.test(word))) return undefined;
  const amounts = words.filter((word) => AMOUNT.test(word));
  const others = words.filter((word) => !AMOUNT.test(word) && !SMALL.test(word));
  const worked = others.findIndex(isServiceWord);
  const named = others.some((word) => FIRST_NAMES.has(word) && !isServiceWord(word));
  const known = others.filter((word) => isServiceWord(word) || FIRST_NAMES.has(word)).length;
  if (others.length - known > MOST_UNKNOWN) return undefined;
  // Of "a nota da Ana" and "a nota da revisão" there may be one; for somebody it is to be made.
  const isMade = /^(?:pr[ao]|para|p\/) ?/.test(rest) || !/^d[aeo]s? /.test(rest);
  const tells = amounts.length > 0 ? worked >= 0 || named : isMade && (worked >= 0 || named);
  if (!tells) return undefined;
  // Digits and a name may be the number of a note that somebody has; "nota 12 joana" is not enough.
  if (worked < 0 && amounts.every((word) => /^\d{1,2}$/.test(word)) && amounts.length > 0)
    return undefined;
  return { how: "terse", work: workIn(words) };
}

/** From the first word of work to what is none of it. */
function workIn(words: readonly string[]): string {
  const start = words.findIndex(isServiceWord);
  if (start < 0) return "";
  const tail = words.slice(start);
  const end = tail.findIndex(
    (word, at) => at > 0 && (AMOUNT.test(word) || FIRST_NAMES.has(word) || ENDS.test(word)),
  );
  return tail.slice(0, end < 0 ? undefined : end).join(" ");
}

const ENDS = /^(?:pr[ao]|para|p|hoje|ontem|cpf|cnpj|r\$|por|valor)$/;
