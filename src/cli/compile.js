/**
 * Loads our own TypeScript: types are taken off, nothing is put in. tsx, which runs everything else (flows, tools), wraps
 * every function that is made at run time in a call that sets its name; that is a twentieth of a message's cost.
 *
 * Module hooks of Node, run in the loader's thread. What was made stands beside the packages, found by its content.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { transform, version } from "esbuild";
import { KeptCode } from "./kept-code.js";

const SOURCES = new URL("..", import.meta.url).href;
const HOME = fileURLToPath(SOURCES);
const kept = new KeptCode(
  fileURLToPath(new URL("../../node_modules/.cache/prosa/code", import.meta.url)),
);
/** @type {import("esbuild").TransformOptions} */
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
  const name = path.relative(HOME, file).replaceAll(path.sep, "/");
  const known = kept.find(name, digest);
  if (known !== undefined) return known;
  const { code } = await transform(source, { ...OPTIONS, sourcefile: file });
  kept.keep(name, digest, code);
  return code;
}
