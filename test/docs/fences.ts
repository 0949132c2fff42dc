/**
 * The code blocks of a Markdown file, and what their info string says they are: ```` ```ts flow=coffee ````. Renderers show
 * only the first word.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "../..");

export interface Fence {
  /** `flows/README.md:42`. */
  readonly place: string;
  readonly lang: string;
  /** `flow` of `flow=coffee`; empty when there is none. */
  readonly role: string;
  readonly arg: string;
  readonly code: string;
}

export function textOf(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

/** Every page below `src/`, from the root: `src/worker/README.md`. */
export function pagesOfTheSources(): readonly string[] {
  return readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => path.posix.join("src", file.replaceAll(path.sep, "/")))
    .sort();
}

export function fencesOf(file: string): readonly Fence[] {
  const found: Fence[] = [];
  let open: { line: number; info: string; rows: string[] } | undefined;
  for (const [index, row] of textOf(file).split("\n").entries()) {
    if (!row.startsWith("```")) open?.rows.push(row);
    else if (!open) open = { line: index + 1, info: row.slice(3).trim(), rows: [] };
    else {
      const [lang = "", what = ""] = open.info.split(/\s+/);
      const [role = "", arg = ""] = what.split("=");
      const code = `${open.rows.join("\n")}\n`;
      found.push({ place: `${file}:${open.line}`, lang, role, arg, code });
      open = undefined;
    }
  }
  if (open) throw new Error(`${file}:${open.line}: the block does not end`);
  return found;
}
