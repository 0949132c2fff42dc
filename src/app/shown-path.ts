import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

/** A file as people are told of it: from the folder they are in, else from the package's, or whole where it is elsewhere. */
export function shown(file: string): string {
  const names = [process.cwd(), PACKAGE].map((folder) => path.relative(folder, file));
  return names.find((name) => !name.startsWith("..")) ?? file;
}

/** The file that {@link shown} tells so. */
export function shownFile(name: string): string {
  return path.resolve(existsSync(name) ? "" : PACKAGE, name);
}
