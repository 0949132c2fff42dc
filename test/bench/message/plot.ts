/** CPU for one message as bars with their spread, one group per form: a drawing without a library. */
import { CONTESTANTS, type Name } from "./fleet.ts";
import { TITLES } from "./report.ts";
import { figure, type Found } from "./result.ts";

const WIDTH = 720;
const LEFT = 190;
const RIGHT = 90;
const ROW = 26;
const GAP = 34;
const TOP = 40;
const COLORS: Readonly<Record<Name, string>> = {
  prosa: "#0f766e",
  grammy: "#b45309",
  bullmq: "#6d28d9",
  restate: "#be123c",
  floor: "#64748b",
};

export function svg(all: readonly Found[]): string {
  const ran = (found: Found) => CONTESTANTS.filter((name) => found.rounds[name].length > 0);
  const highest = Math.max(
    ...all.flatMap((found) => ran(found).map((name) => figure(found, name, "cpuMs").high)),
  );
  const x = (value: number) => LEFT + (value / highest) * (WIDTH - LEFT - RIGHT);
  const parts: string[] = [];
  let y = TOP;
  for (const found of all) {
    parts.push(text(16, y + 4, `${found.length} questions`, "600"));
    y += 14;
    for (const name of ran(found)) {
      const { median, low, high } = figure(found, name, "cpuMs");
      const middle = y + ROW / 2;
      parts.push(
        text(LEFT - 8, middle + 4, TITLES[name], "400", "end"),
        `<rect x="${LEFT}" y="${y + 4}" width="${round(x(median) - LEFT)}" height="${ROW - 8}" fill="${COLORS[name]}"/>`,
        `<path d="M${round(x(low))} ${middle}H${round(x(high))}" stroke="currentColor" stroke-width="2"/>`,
        text(round(x(high)) + 8, middle + 4, `${median.toFixed(2)} ms`),
      );
      y += ROW;
    }
    y += GAP;
  }
  const title = "CPU time of the bot's process for one message, ms";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y - GAP + 16}" font-family="system-ui, sans-serif" font-size="13" color="#334155" role="img" aria-label="${title}">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    text(16, 20, title, "600"),
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

function text(x: number, y: number, words: string, weight = "400", anchor = "start"): string {
  return `<text x="${x}" y="${y}" font-weight="${weight}" text-anchor="${anchor}" fill="#334155">${words}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
