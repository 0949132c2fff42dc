/** What a run writes into the README itself: each bench owns what stands between its two marks there. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const README = path.join(import.meta.dirname, "README.md");

/** Puts the text between the marks of this name. Throws when they are not there. */
export function place(name: "message" | "start" | "contacts", text: string): void {
  const readme = readFileSync(README, "utf8");
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md has no ${begin} … ${end}`);
  const [before, after] = [readme.slice(0, from + begin.length), readme.slice(to)];
  writeFileSync(README, `${before}\n\n${text.trim()}\n\n${after}`);
}
