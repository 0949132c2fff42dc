/** Tables of README.md that a run writes itself: each stands between two comments, the first of which names its command. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const FILE = path.join(import.meta.dirname, "README.md");

/** Puts lines in the place of what stood there. Throws when the comments of this name are not there. */
export function writeTable(name: string, lines: readonly string[]): void {
  const text = readFileSync(FILE, "utf8");
  const [open, close] = [new RegExp(`<!-- ${name}: [^\\n]*-->\\n`).exec(text), `<!-- /${name} -->`];
  const to = text.indexOf(close);
  if (!open || to < open.index) throw new Error(`README.md has no place for the table ${name}`);
  const from = open.index + open[0].length;
  writeFileSync(FILE, `${text.slice(0, from)}\n${lines.join("\n")}\n\n${text.slice(to)}`);
}

/** A row of a table; what would end its cell is taken out. */
export function rowOf(...cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replace(/[|\n]/g, " ")).join(" | ")} |`;
}
