/** A laid-out chart as a standalone SVG document, for `flows graph --format svg`, documents and pull requests. */
import { escapeXml } from "../../base/index.ts";
import { type Theme, filledStyle, pageColour } from "./chart-style.ts";
import { type Marks, type Shape, drawing } from "./drawing.ts";
import type { LaidOut } from "./laid-out.ts";
import { CHIP_SIZE } from "./sizes.ts";
import { textWidth } from "./text-width.ts";

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
export function chartSvg(laid: LaidOut, options: Marks & { readonly theme?: Theme } = {}): string {
  const theme = options.theme ?? "light";
  const head = heading(laid);
  const width = Math.ceil(Math.max(laid.width, head.right + 16));
  const height = Math.ceil(laid.height + HEAD);
  const style = `${filledStyle(theme)}.chart .name{font-size:17px;font-weight:700}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escapeXml(laid.title)}</title>`,
    `<style>${style}</style>`,
    `<rect width="${width}" height="${height}" fill="${pageColour(theme)}"/>`,
    head.text,
    `<g transform="translate(${(width - laid.width) / 2} ${HEAD})">`,
    ...drawing(laid, options).map(print),
    "</g></svg>\n",
  ].join("\n");
}
