/** The amount that is said to be all of it, whatever its parts come to. Of plain text. */
import { NOTE_NOUNS } from "../../talk/nouns.ts";
import { money } from "../../../../plugin.ts";
import type { Hit } from "./sentence-numbers.ts";

/** More numbers than this are a table, and every sum would be met by chance. */
const MOST_PARTS = 8;
/** "total 600", "deu 450", "= 1.760,00"; or behind it: "450 no total". */
const ALL_BEFORE =
  /(?:\b(?:total(?:izando| geral| d[ao] (?:nota|nf|servico))?|soma|somando|deu tudo|tudo deu|ficou|deu|da)(?: (?:de|e|eh|foi|deu|da|ficou(?: em)?|em))?[:=]? ?|= ?)$/;
const ALL_BEHIND = /^(?: reais)?,? (?:no total|ao todo|em tudo|no todo|tudo junto|total)\b/;
/** "total da nota 1.400,00": what the note is for, though a share of something else is told. */
const OF_THE_NOTE =
  /\b(?:total|valor) (?:total |final |correto |certo )?d[ae] (?:nota|nf|nfs-?e)(?: fiscal)?(?: (?:de|e|eh|fica|foi))?[:=]? ?(?:r\$ ?)?$/;
const NOT_SURE = /\b(?:desconto|menos|acho|uns|quase|ou|talvez|metade)\b/;

/** The one that the others add up to, or come to so many times over; null when there is none or several are. */
export function wholeOf(folded: string, hits: readonly Hit[]): Hit | null {
  if (hits.length > MOST_PARTS || NOT_SURE.test(folded)) return null;
  const said = hits.filter(
    ({ text, start }) => OF_THE_NOTE.test(folded.slice(0, start)) && /\d{2}/.test(text),
  );
  if (said.length === 1) return said[0] ?? null;
  const cents = hits.map(({ text }) => {
    const read = money(text, { business: NOTE_NOUNS });
    return read.ok ? read.value : 0;
  });
  const whole = hits.filter(({ start, end }, at) => {
    const before = folded.slice(0, start).replace(/r\$ ?$/, "");
    if (!ALL_BEFORE.test(before) && !ALL_BEHIND.test(folded.slice(end))) return false;
    return isMet(
      cents[at] ?? 0,
      cents.filter((_, other) => other !== at),
    );
  });
  return whole.length === 1 ? (whole[0] ?? null) : null;
}

/** Two of the parts or more are the whole together, or one is so many times as another counts. */
function isMet(whole: number, parts: readonly number[]): boolean {
  const sums = new Map<number, number>([[0, 0]]);
  for (const part of parts)
    for (const [sum, count] of [...sums])
      if (part > 0) sums.set(sum + part, Math.max(sums.get(sum + part) ?? 0, count + 1));
  const times = parts.some((one, at) =>
    parts.some((other, index) => index !== at && one * other === whole * PER_ONE),
  );
  return whole > 0 && ((sums.get(whole) ?? 0) > 1 || times);
}

const PER_ONE = 100;
