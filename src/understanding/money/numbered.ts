/** Numbers that tell which thing of a business is meant ("o pedido 12"), never how much. Of plain text. */
import { type Business, perBusiness } from "../business.ts";

const SIGN = "(?:n[º°o.]{1,2}|numero|num|#)";
const FIGURE =
  "(?:\\d{1,3}(?:\\.\\d{3})+|\\d{1,15})(?![\\d.,]*\\d)(?! ?(?:reais|real|r\\$|mil|k|contos?|pilas?)\\b)";

interface Patterns {
  /** "cancela o pedido 12", "a segunda via do pedido 12", "pedido nº 12". */
  readonly named: RegExp;
  /** "o pedido 12 tá com valor errado", "o mesmo valor do pedido 12", "o pedido 89 já chegou?": told or asked of one. */
  readonly told: RegExp;
}

const patternsOf = perBusiness((thing): Patterns => ({
  named: new RegExp(
    `\\b(?:cancel|anul|estorn|substitu|reenvi|segunda via|2a via|copia|status|situacao)[a-z]*\\b[^\\d.,;]{0,30}\\b${thing}(?: n\\S{0,2}| numero| num)? ?${FIGURE}(?: d[oe] dia \\d{1,2}(?:\\/\\d{1,2})?)?` +
      `|\\b${thing} ?${SIGN} ?${FIGURE}`,
    "g",
  ),
  told: new RegExp(
    `\\b(?:mesm[oa]s?|igual|iguais|parecid[oa]s?|same|like)\\b[^\\d.,;]{0,30}\\b${thing} ?${FIGURE}` +
      `|\\b${thing} ?${FIGURE}(?= (?:que|ja|ta|tava|esta|estava|foi|era|veio|saiu|chegou|ficou|nao|tem|com (?:o )?(?:valor|erro|nome)|errad[oa]|cancelad[oa]|is|was|has|had|came|already|with the)\\b|[^?]{0,60}\\?)`,
    "g",
  ),
}));

/** The text without such numbers. An amount that stands beside a thing that is told of may be that one's: it is no clear one. */
export function withoutNumbered(line: string, business: Business | undefined): string {
  const { named, told } = patternsOf(business);
  return line.replace(named, " ").replace(told, " antes ");
}

/** Whether the number that begins there is one of them. */
export function isNumbered(line: string, start: number, business: Business | undefined): boolean {
  const { named, told } = patternsOf(business);
  return [named, told].some((pattern) =>
    [...line.matchAll(pattern)].some(
      ({ index, 0: found }) => index <= start && start < index + found.length,
    ),
  );
}
