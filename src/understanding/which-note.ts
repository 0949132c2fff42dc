/** Numbers that tell which note is meant, never how much. Of plain text. */

/** "a nota fiscal", "nf", "nfs-e", "the invoice". */
const NOTE = "\\b(?:notas?|nfs?-?e?|invoices?)(?: fiscal| fiscais)?";
const SIGN = "(?:n[º°o.]{1,2}|numero|num|#)";
const FIGURE =
  "(?:\\d{1,3}(?:\\.\\d{3})+|\\d{1,15})(?![\\d.,]*\\d)(?! ?(?:reais|real|r\\$|mil|k|contos?|pilas?)\\b)";

/** "cancela a nota 12", "a segunda via da nf 12", "nota nº 12". */
const NAMED = new RegExp(
  `\\b(?:cancel|anul|estorn|substitu|reenvi|segunda via|2a via|copia|status|situacao)[a-z]*\\b[^\\d.,;]{0,30}${NOTE}(?: n\\S{0,2}| numero| num)? ?${FIGURE}(?: d[oe] dia \\d{1,2}(?:\\/\\d{1,2})?)?` +
    `|${NOTE} ?${SIGN} ?${FIGURE}`,
  "g",
);
/** "a nota 12 tá com valor errado", "o mesmo valor da nota 12", "a nf 89 já chegou?": something is told or asked of a note. */
const TOLD_OF = new RegExp(
  `\\b(?:mesm[oa]s?|igual|iguais|parecid[oa]s?|same|like)\\b[^\\d.,;]{0,30}${NOTE} ?${FIGURE}` +
    `|${NOTE} ?${FIGURE}(?= (?:que|ja|ta|tava|esta|estava|foi|era|veio|saiu|chegou|ficou|nao|tem|com (?:o )?(?:valor|erro|nome)|errad[oa]|cancelad[oa]|is|was|has|had|came|already|with the)\\b|[^?]{0,60}\\?)`,
  "g",
);

/** The text without such numbers. An amount that stands beside a note that is told of may be that note's: it is no clear one. */
export function withoutNoteNumbers(line: string): string {
  return line.replace(NAMED, " ").replace(TOLD_OF, " antes ");
}

/** Whether the number that begins there is one of them. */
export function isNoteNumber(line: string, start: number): boolean {
  return [NAMED, TOLD_OF].some((pattern) =>
    [...line.matchAll(pattern)].some(
      ({ index, 0: found }) => index <= start && start < index + found.length,
    ),
  );
}
