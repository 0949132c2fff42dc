/** "Recusar, valor errado": the refusal of a request and its reason in one text. */
import { foldWords } from "../../brazil/index.ts";
import { type Business, oneOf, perBusiness } from "../business.ts";
import { decision } from "../choices/decision.ts";
import { REFUSING } from "./request-stems.ts";

export interface Refusal {
  /** The word that refuses. */
  readonly word: string;
  readonly reason: string;
}

const REFUSES = perBusiness(
  (_, { things }) =>
    new RegExp(
      String.raw`^((?:${REFUSING})\w*|nego|negad[oa])\b[\s,.:;\u2013-]*(?:(?:(?:o|a|ess[ea]|est[ea]|the|this)\s+)?(?:pedido|${oneOf(things)}|request)\b)?[\s,.:;\u2013-]*(?:(?:porque|pq|pois|because|motivo|reason)\b[\s:]*)?(\S.*)$`,
      "isu",
    ),
);
/** It takes the refusal back, or says nothing of why. */
const NO_REASON =
  /^(?:n[a\u00e3]o|ainda n[a\u00e3]o|agora|j\u00e1|ja|isso|essa?|esta?|aqui|a[i\u00ed]|ela?|it|mesmo)?[\s.!]*$/i;

const SMALL: ReadonlySet<string> = new Set(
  "a o e de da do das dos of for pra pro para cliente dona seu".split(" "),
);
/** "Recusa o pedido da Maria Souza": whose, which is no reason that a customer could read. */
const WHOSE =
  /^(?:d[aeo]|of|for|pr[ao]|para) (?:(?:[oa]|cliente|dona|seu) )*(?:\p{L}{2,20}|(?:\p{Lu}[\p{L}.]*|d[aeo]s?|e)(?: (?:\p{Lu}[\p{L}.]*|d[aeo]s?|e)){1,4})[\s.!]*$/u;
/** "Recusa a outra", "recusar todos", "recusar e A7": which, and no reason either. */
const OTHERS =
  /^(?:(?:[oa] |the )?(?:outr[oa]|other)|(?:[oa]s )?(?:dois|duas)|tod[oa]s|amb[oa]s|all|both|(?:(?:e|and) )?(?:[oa] |the )?[a-z]\d{1,6}(?: (?:e|and))?)[\s.!]*$/i;

/** Whose request, or which others, a text refuses, and by which word; undefined when it names none. */
export function refusedOf(
  text: string,
  business?: Business,
): { readonly word: string; readonly of: string } | undefined {
  const [, word, reason = ""] = REFUSES(business).exec(text.trim()) ?? [];
  return word !== undefined && isNamed(reason) ? { word, of: reason } : undefined;
}

function isNamed(reason: string): boolean {
  return WHOSE.test(reason) || OTHERS.test(reason);
}

/** Whether all of a name stands in what was shown. */
export function isNamedIn(of: string, shown: string): boolean {
  const said = ` ${foldWords(shown)} `;
  return foldWords(of)
    .split(" ")
    .filter((word) => !SMALL.has(word))
    .every((word) => said.includes(` ${word} `));
}

/** The refusal a text spells out with its reason; undefined when it gives none. */
export function refusalIn(text: string, business?: Business): Refusal | undefined {
  if (text.includes("?") || decision(text, business)) return undefined;
  const [, word, reason = ""] = REFUSES(business).exec(text.trim()) ?? [];
  return word === undefined || NO_REASON.test(reason) || isNamed(reason)
    ? undefined
    : { word, reason };
}
