/** How large everything on the drawing is, in pixels; the layouter and the drawing read the same numbers. */
import type { ChartEdge } from "../../flow/chart/chart-model.ts";

const LABEL_SIZE = 13;
export const CHIP_SIZE = 11;
const PILL_SIZE = 11.5;
const GROUP_SIZE = 11;

/** Height of a box without chips, of a row of chips, of a pill line, and of a group's title bar. */
export const NODE_HEIGHT = 38;
export const CHIP_ROW = 19;
export const PILL_LINE = 15;
export const GROUP_TITLE = 30;

/** Place of the icon at the left of a label. */
export const ICON_PLACE = 34;

const NODE_PAD = 16;
const NODE_MIN = 96;
const NODE_MAX = 250;
const CHIP_PAD = 12;
const CHIP_GAP = 5;
const CHIP_EDGE = 10;
const PILL_PAD = 16;
const PILL_MAX = 220;

/** The dot that starts a chart, and the ring that ends it, are round. */
const START_SIZE = 18;

interface Size {
  readonly width: number;
  readonly height: number;
}

interface PlacedChip {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export function nodeLabel(label: string): string {
  return fitText(label, LABEL_SIZE, NODE_MAX - ICON_PLACE - NODE_PAD, true);
}

function labelWidth(label: string): number {
  const text = textWidth(nodeLabel(label), LABEL_SIZE, true);
  return Math.min(NODE_MAX, Math.max(NODE_MIN, ICON_PLACE + text + NODE_PAD));
}

function chipWidth(chip: string): number {
  return textWidth(chip, CHIP_SIZE) + CHIP_PAD;
}

/** Chips in rows inside a box of `width`, positions relative to the box. */
export function placeChips(chips: readonly string[], width: number): PlacedChip[] {
  const inner = width - 2 * CHIP_EDGE;
  const placed: PlacedChip[] = [];
  let x = CHIP_EDGE;
  let row = 0;
  for (const chip of chips) {
    const text = fitText(chip, CHIP_SIZE, inner - CHIP_PAD);
    const own = chipWidth(text);
    if (x > CHIP_EDGE && x + own > width - CHIP_EDGE) {
      x = CHIP_EDGE;
      row += 1;
    }
    placed.push({ text, x, y: NODE_HEIGHT - 4 + row * CHIP_ROW, width: own });
    x += own + CHIP_GAP;
  }
  return placed;
}

/** Size of a box with its label and chips. */
export function nodeSize(kind: string, label: string, chips: readonly string[]): Size {
  if (kind === "start") return { width: START_SIZE, height: START_SIZE };
  const widest = Math.max(0, ...chips.map((chip) => chipWidth(chip) + 2 * CHIP_EDGE));
  const width = Math.min(NODE_MAX, Math.max(labelWidth(label), widest));
  const placed = placeChips(chips, width);
  const last = placed[placed.length - 1];
  return { width, height: last ? last.y + CHIP_ROW + 2 : NODE_HEIGHT };
}

/** Room for the icon of a pill; the kinds that have one are told by more than their colour. */
export function pillIconPlace(kind: ChartEdge["kind"]): number {
  return kind === "timer" || kind === "condition" || kind === "goto" ? 16 : 0;
}

export function pillLines(lines: readonly string[]): string[] {
  return lines.map((line) => fitText(line, PILL_SIZE, PILL_MAX - PILL_PAD));
}

export function pillSize(lines: readonly string[], kind: ChartEdge["kind"]): Size {
  const widest = Math.max(...pillLines(lines).map((line) => textWidth(line, PILL_SIZE)));
  return { width: widest + PILL_PAD + pillIconPlace(kind), height: lines.length * PILL_LINE + 6 };
}

/** What a group's title needs at least. */
export function groupTitleWidth(label: string): number {
  return textWidth(label, GROUP_SIZE, true) + 24;
}

/*
 * Width of a text without a browser: advance widths of the Helvetica family (Arial and Liberation Sans share them), in
 * thousandths of the font size.
 */

/** Room for fonts that run wider than the table: other interface fonts are within a few per cent. */
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
function fitText(text: string, size: number, width: number, bold = false): string {
  if (textWidth(text, size, bold) <= width) return text;
  const signs = [...text];
  while (signs.length > 1 && textWidth(`${signs.join("")}…`, size, bold) > width) signs.pop();
  return `${signs.join("").trimEnd()}…`;
}
