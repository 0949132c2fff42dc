/** "E do mês passado?" after a month's notes: the same of another month, although the words ask for nothing by themselves. */
import { type About, foldWords, type JsonObject } from "../../../plugin.ts";
import { noteWish } from "./note-wish.ts";

const LONGEST = 60;
const MONTH =
  "(?:mes (?:passado|anterior|atual|retrasado)|(?:esse|este|neste|nesse|last|this|previous) (?:mes|month)|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|january|february|march|april|may|june|july|august|september|october|november|december|(?:0?[1-9]|1[0-2]) 20\\d\\d)";
/** Nothing but the month stands there, as a question or led by an "and". */
const ELLIPTIC = new RegExp(
  `^(?:(?:e|and|what about|how about|agora|now) )?(?:(?:o|a|os|as|do|de|da|no|na|em|of|in|for|from|the|quanto (?:foi|deu)|how much) )*${MONTH}(?: (?:de |of )?20\\d\\d)?$`,
);

/** The month that is asked for, as a flow of a month's notes takes it. */
export function otherMonth(text: string, role: string, about: About): JsonObject | undefined {
  if (role !== "month-of-notes" || text.length > LONGEST) return undefined;
  const said = foldWords(text);
  if (!ELLIPTIC.test(said) || !(text.trim().endsWith("?") || /^(?:e|and|agora|now) /.test(said)))
    return undefined;
  const { month } = noteWish(text, about);
  return month === undefined ? undefined : { month };
}
