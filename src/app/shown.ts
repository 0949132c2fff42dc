import path from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

/** A file as people are told of it: from the package's folder on, or whole where it is elsewhere. */
export function shown(file: string): string {
  const name = path.relative(PACKAGE, file);
  return name.startsWith("..") ? file : name;
}
