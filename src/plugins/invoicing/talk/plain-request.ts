/** What plainly asks for a note, so that nothing else in it makes it talk; and what is worded as a wish. */
import { plain } from "../../../plugin.ts";
import type { InvoiceSentence } from "../sentence/invoice-sentence.ts";

const NOTE = "(?:nota|nf|nfs-?e|notinha)(?: fiscal)?";
/** "emitir nota de R$ 4.800,00", "faz uma nf 150". */
const MAKE_ONE = new RegExp(
  `\\b(?:emitir|emite|emita|fazer|faz|faca|gerar|gere|gera|tirar|tira) (?:[ao] |uma )?${NOTE} (?:(?:de|no valor de|com valor de) )?(?:r\\$ ?)?\\d`,
);
const GREETING = "(?:(?:oi|ola|bom dia|boa tarde|boa noite|opa|por favor)[ ,.!]+)*";
/** "oi, faz nota de 300 pra …", "nf pra …" at the beginning. */
const FOR_SOMEBODY = new RegExp(
  `^${GREETING}(?:(?:me |por favor )?(?:emite|emita|emitir|faz|faca|fazer|gera|gere|tira|tire|solta|quero|preciso d[ea]) )?(?:a |uma )?${NOTE}(?: de (?:r\\$ ?)?[\\d.,]+(?: reais)?)? (?:pra|para|pro|p\\/) `,
);

/** "…, preciso da nota", "pode emitir a nota dela" at the end, "favor emitir". */
const AT_LAST = new RegExp(
  `\\b(?:preciso d[ae]|quero a|queria a|faz|fa[cz]a|emite|emita|emitir|tira|pode (?:fazer|emitir|tirar|gerar|mandar)) (?:[ao] |uma )?${NOTE}(?: del[ae])?(?: a[ie])?(?:,? (?:por favor|pf|pfv|obrigad[oa]|please|pls))*[.! ]*$|\\bfavor emitir\\b`,
);
/** "nota do corte", "nota 150", "manda …" at the beginning; "quer nota", "manda a nota", "nota no nome …" anywhere. */
const WISHES = new RegExp(
  `^${GREETING}(?:(?:a |uma )?${NOTE}(?:: ?| )(?:d[aeo] |(?:r\\$ ?)?\\d)|(?:emite|faz|tira|gera|manda|lanca|solta) )|\\b(?:quer(?:em|ia|o)?|pedi(?:u|ram)?|mandar?|passa|solta|poe|lanca|precis\\w+)(?: d[ea])? (?:a |uma )?${NOTE}\\b|\\b${NOTE}(?: de [\\d.,]+(?: reais)?)? (?:pr[ao]|para|p\\/|n[oa] (?:nome|cpf|cnpj)|em nome)|[,;.:] ?(?:a |com )?${NOTE}(?: por favor| pf)?[.! ]*$|\\bpor favor\\b`,
);

/** Most that has such words, or says how much beside a document, asks for one: it need not be as likely by all else. */
export function hasWish({ document, value }: InvoiceSentence, text: string): boolean {
  return (document !== undefined && value !== undefined) || WISHES.test(plain(text));
}

/**
 * `found`: what the rules read in `text`. Of some 1,280 open sentences like this one asks for none. A question is none of them, nor is
 * what the rules hold for talk, and what is surely talk (`no-request.ts`) is not asked about.
 */
export function isPlainRequest(
  { value, description, name, document, date }: InvoiceSentence,
  { text, refused }: { readonly text: string; readonly refused: boolean },
): boolean {
  if (text.includes("?")) return false;
  const folded = plain(text);
  const isSomebodys = name !== undefined || document !== undefined;
  if (isSomebodys && FOR_SOMEBODY.test(folded)) return true;
  if (isSomebodys && value !== undefined && description !== undefined && MAKE_ONE.test(folded))
    return true;
  const isSome = value !== undefined || document !== undefined || date !== undefined;
  return isSome && !refused && AT_LAST.test(folded);
}
