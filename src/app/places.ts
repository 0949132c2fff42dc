/** Where things lie: this package, the bot's folder, and a file as people are told of it. And the error for words or folders that are none. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/**
 * The command was called with words it does not know, or in a folder of flows that is none: exit code 2. The message says what to
 * write instead.
 */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
/** The bot of this package. */
export const FLOWS_FOLDER = path.join(PACKAGE, "flows");

/**
 * The conversations, one folder each: a setting by itself, for commands that need no other. Without it the bot is the working
 * directory where its `config.ts` imports `prosa` or its `package.json` depends on it, else the one of this installation.
 * Throws a {@link UsageError} for a setting that names no folder.
 */
export function flowsFolder(env: NodeJS.ProcessEnv, workingDirectory = process.cwd()): string {
  const named = env["PROSA_FLOWS_DIR"]?.trim();
  if (named) {
    const folder = path.resolve(named);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
    throw new UsageError(`There is no folder ${folder} to read flows from: mend PROSA_FLOWS_DIR.`);
  }
  const config = path.join(workingDirectory, "config.ts");
  if (!existsSync(config)) return FLOWS_FOLDER;
  const isBot =
    /from\s*["']prosa["']/.test(readFileSync(config, "utf8")) || dependsOnProsa(workingDirectory);
  return isBot ? workingDirectory : FLOWS_FOLDER;
}

/** False also for a `package.json` that is not there or no JSON: npm tells of that. */
function dependsOnProsa(folder: string): boolean {
  try {
    const text = readFileSync(path.join(folder, "package.json"), "utf8");
    const { dependencies = {}, devDependencies = {} } = Manifest.parse(JSON.parse(text));
    return "prosa" in dependencies || "prosa" in devDependencies;
  } catch {
    return false;
  }
}
const Manifest = z.looseObject({
  dependencies: z.looseObject({}).optional(),
  devDependencies: z.looseObject({}).optional(),
});

/** A file as people are told of it: from the folder they are in, else from the package's, or whole where it is elsewhere. */
export function shown(file: string): string {
  const names = [process.cwd(), PACKAGE].map((folder) => path.relative(folder, file));
  return names.find((name) => !name.startsWith("..")) ?? file;
}

/** Names in a folder; none where it is not there, or no folder. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The file that {@link shown} tells so. */
export function shownFile(name: string): string {
  return path.resolve(existsSync(name) ? "" : PACKAGE, name);
}
