/** What stands in brackets right behind what was done belongs to it: "recarga de extintores (14 un)". */
import { plain, tidy } from "../../../../plugin.ts";

const LONGEST = 80;
const WORD = /[a-z]+|\d+/g;
/** The number of a line ("(4)"), a day, a month, an hour or an amount, which are none of what was done. */
const OTHER =
  /^\(\d{1,2}$|\d{1,2}\/\d{1,4}|\b\d{1,2}h|r\$|,\d\d\b|\b(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez|ontem|hoje|cpf|cnpj|nota|valor|pix|pag[oa]|multa)\b/;
/** "manutenção (PMOC) dos 14 aparelhos": what was done goes on behind them. */
const GOES_ON = /^ ?(?:d[aeo]s?|n[ao]s?|em|com|e|para|pra|p\/|\+)(?= )/;

/**
 * `description`, unless a word of it stands nowhere in the text as it came: readers put other words in the place of some ("q",
 * "serv", "of"), and none of them may be told back as somebody's own.
 */
export function asWritten(description: string | null, text: string): string | null {
  if (description === null) return null;
  const came = new Set(plain(tidy(text)).match(WORD));
  return (plain(description).match(WORD) ?? []).every((word) => came.has(word))
    ? description
    : null;
}

/** `text` is as it came. Null when the description goes on behind the brackets: nobody knows then where it ends. */
export function withBrackets(description: string, text: string): string | null {
  const whole = tidy(text);
  const folded = plain(whole);
  const wanted = plain(description);
  const at = folded.indexOf(wanted);
  const end = at + wanted.length;
  if (at < 0 || !/^ ?\(/.test(folded.slice(end, end + 2))) return description;
  const open = folded.indexOf("(", end);
  const close = folded.indexOf(")", open);
  if (close < 0 || close - open > LONGEST || OTHER.test(folded.slice(open, close)))
    return description;
  if (GOES_ON.test(folded.slice(close + 1))) return null;
  return `${description} ${whole.slice(open, close + 1)}`;
}
