/**
 * Width of a text without a browser: advance widths of the Helvetica family (Arial and Liberation Sans share them), in
 * thousandths of the font size. Other interface fonts are within a few per cent, which {@link SPARE} covers.
 */

/** Room for fonts that run wider than the table. */
const SPARE = 1.06;

/** What a sign outside the table (emoji, other scripts) takes at most. */
const UNKNOWN = 1100;

const ROWS: readonly (readonly [number, string])[] = [
  [191, "'"],
  [222, "ijl"],
  [260, "|"],
  [278, " !,./:;I[]\\ft"],
  [333, "()-`r"],
  [334, "{}"],
  [355, '"'],
  [389, "*"],
  [400, "“”·"],
  [469, "^"],
  [500, "Jckvsxyz"],
  [556, "#$0123456789?L_abdeghnopqu–"],
  [584, "+<=>~"],
  [611, "FTZ"],
  [667, "&ABEKPSVXY"],
  [722, "CDHNRUw"],
  [778, "GOQ"],
  [833, "Mm"],
  [889, "%"],
  [944, "W"],
  [1000, "—…→↻"],
  [1015, "@"],
];

const WIDTHS = new Map(ROWS.flatMap(([width, signs]) => [...signs].map((sign) => [sign, width])));

/** Width of one line in pixels at `size` pixels. Bold runs about 6 % wider. */
export function textWidth(text: string, size: number, bold = false): number {
  let units = 0;
  for (const sign of text.normalize("NFD").replace(/\p{Mn}/gu, ""))
    units += WIDTHS.get(sign) ?? UNKNOWN;
  return Math.ceil((units / 1000) * size * SPARE * (bold ? 1.06 : 1));
}

/** The text, cut with an ellipsis so that it fits `width` pixels at `size`. */
export function fitText(text: string, size: number, width: number, bold = false): string {
  if (textWidth(text, size, bold) <= width) return text;
  const signs = [...text];
  while (signs.length > 1 && textWidth(`${signs.join("")}…`, size, bold) > width) signs.pop();
  return `${signs.join("").trimEnd()}…`;
}
