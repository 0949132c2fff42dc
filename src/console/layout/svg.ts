/** A laid-out chart as a standalone SVG document, for `flows graph --format svg`, documents and pull requests. */
import { escapeXml } from "../../base/index.ts";
import { type Marks, type Shape, drawing } from "./drawing.ts";
import type { LaidOut } from "./laid-out.ts";
import { CHIP_SIZE, textWidth } from "./sizes.ts";

/** Height of the title and the row of chips over the drawing, pixels. */
const HEAD = 66;

function print(shape: Shape): string {
  const attributes = Object.entries(shape.attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join("");
  const inside = shape.children
    .map((child) => (typeof child === "string" ? escapeXml(child) : print(child)))
    .join("");
  return `<${shape.tag}${attributes}>${inside}</${shape.tag}>`;
}

function heading(laid: LaidOut): { readonly text: string; readonly right: number } {
  let x = 16;
  let text = `<text x="16" y="28" class="name">${escapeXml(laid.title)}</text>`;
  for (const chip of laid.anywhere) {
    const width = textWidth(chip, CHIP_SIZE) + 12;
    text += `<g class="chip"><rect x="${x}" y="40" width="${width}" height="17" rx="5"/>`;
    text += `<text x="${x + 6}" y="52">${escapeXml(chip)}</text></g>`;
    x += width + 5;
  }
  return { text, right: Math.max(x, 16 + textWidth(laid.title, 17, true)) };
}

/** SVG text with its own colours. `live` and `visited` are step ids of a conversation. */
export function chartSvg(laid: LaidOut, marks: Marks = {}): string {
  const head = heading(laid);
  const width = Math.ceil(Math.max(laid.width, head.right + 16));
  const height = Math.ceil(laid.height + HEAD);
  const style = `${filledStyle()}.chart .name{font-size:17px;font-weight:700}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escapeXml(laid.title)}</title>`,
    `<style>${style}</style>`,
    `<rect width="${width}" height="${height}" fill="${PALETTE["page"]}"/>`,
    head.text,
    `<g transform="translate(${(width - laid.width) / 2} ${HEAD})">`,
    ...drawing(laid, marks).map(print),
    "</g></svg>\n",
  ].join("\n");
}

/** Colours and type of the drawing. The console defines its variables, the command line fills them in. */
export const CHART_STYLE = `
.chart text{font-family:var(--font);fill:var(--text)}
.chart .centred{text-anchor:middle}
.chart .group rect{fill:var(--chart-group);stroke:var(--line)}
.chart .group text{font-size:11px;font-weight:600;letter-spacing:.02em;fill:var(--muted)}
.chart .edge .line{fill:none;stroke:var(--wire);stroke-width:1.5}
.chart .edge .head{fill:var(--wire)}
.chart .edge.is-goto .line{stroke-dasharray:6 4}
.chart .edge.is-timer .line{stroke-dasharray:2 4;stroke-linecap:round}
.chart .edge.walked .line{stroke:var(--accent);stroke-width:2.25}
.chart .edge.walked .head{fill:var(--accent)}
.chart .glyph{fill:none;stroke:var(--muted);stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.chart .pill rect{fill:var(--surface);stroke:var(--line)}
.chart .pill text{font-size:11.5px;fill:var(--muted)}
.chart .pill.walked rect{stroke:var(--accent);fill:var(--accent-soft)}
.chart .pill.walked text{fill:var(--accent-text)}
.chart .pill.walked .glyph{stroke:var(--accent-text)}
.chart .node .box{fill:var(--surface);stroke:var(--line-strong);stroke-width:1.25}
.chart .node .ring{fill:none;stroke:var(--line-strong)}
.chart .node .label{font-size:13px;font-weight:600}
.chart .node.is-start circle{fill:var(--muted)}
.chart .node.is-start.visited circle{fill:var(--accent)}
.chart .node.is-end .box{fill:var(--chart-group)}
.chart .node.is-end .label{fill:var(--muted)}
.chart .chip rect{fill:var(--chart-group)}
.chart .chip text{font-size:11px;fill:var(--muted)}
.chart .node.visited .box{stroke:var(--accent)}
.chart .node.visited .glyph{stroke:var(--accent-text)}
.chart .node.is-end.visited .ring{stroke:var(--accent)}
.chart .node .tick{fill:var(--accent);stroke:var(--surface);stroke-width:1.5}
.chart .node .tick-mark{fill:none;stroke:var(--on-accent);stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}
.chart .node.live .box{fill:var(--accent);stroke:var(--accent)}
.chart .node.live .label{fill:var(--on-accent)}
.chart .node.live .glyph{stroke:var(--on-accent)}
.chart .node.live .ring{stroke:var(--on-accent)}
.chart .node.live .chip rect{fill:var(--on-accent);fill-opacity:.16}
.chart .node.live .chip text{fill:var(--on-accent)}
.chart .node .halo{fill:var(--accent);fill-opacity:.16}
`;

/** The console's light palette, for drawings that stand alone. */
const PALETTE: Readonly<Record<string, string>> = {
  font: "'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif",
  page: "#f7f6f3",
  surface: "#ffffff",
  "chart-group": "#f1efe9",
  line: "#e2dfd6",
  "line-strong": "#cdc8bb",
  wire: "#b3ad9f",
  text: "#201e1a",
  muted: "#656056",
  accent: "#0f766e",
  "accent-soft": "#dff1ee",
  "accent-text": "#0b5f58",
  "on-accent": "#ffffff",
};

/** The style sheet with colours in place of the variables, for readers that know none. */
function filledStyle(): string {
  return CHART_STYLE.replace(/var\(--([a-z-]+)\)/g, (_, name: string) => PALETTE[name] ?? "#000");
}
