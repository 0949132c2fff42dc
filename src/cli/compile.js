/**
 * Loads our own TypeScript: types are taken off, nothing is put in. tsx, which runs everything else (flows, tools), wraps
 * every function that is made at run time in a call that sets its name; that is a twentieth of a message's cost.
 *
 * Module hooks of Node, run in the loader's thread. What was made stands beside the packages, found by its content.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { transform, version } from "esbuild";

const SOURCES = new URL("..", import.meta.url).href;
const HOME = fileURLToPath(SOURCES);
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/prosa/", import.meta.url));
const OPTIONS = {
  ...{ loader: "ts", format: "esm", target: "node20", sourcemap: "inline" },
  sourcesContent: false,
};

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
  if (!url.startsWith(SOURCES) || !url.endsWith(".ts")) return next(url, context);
  const file = fileURLToPath(url);
  return { format: "module", source: await compiled(file), shortCircuit: true };
}

/** @param {string} file */
async function compiled(file) {
  const source = readFileSync(file, "utf8");
  const digest = createHash("sha256").update(`${version}\0${file}\0${source}`).digest("hex");
  // One for each source, so that their number is bounded; the last line tells of which content.
  const kept = path.join(CACHE, `${path.relative(HOME, file).replaceAll(path.sep, "+")}.js`);
  const mark = `\n// ${digest}\n`;
  try {
    const known = readFileSync(kept, "utf8");
    if (known.endsWith(mark)) return known;
  } catch {
    // Not there yet.
  }
  const made = await transform(source, { ...OPTIONS, sourcefile: file });
  const code = made.code + mark;
  try {
    // Whole or not at all, also when two start at once.
    const part = `${kept}.${process.pid}`;
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(part, code);
    renameSync(part, kept);
  } catch {
    // An installation nobody may write to: made anew at each start.
  }
  return code;
}
