/** A folder's files, while somebody else writes there. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** Readings that may be overtaken before this gives up. */
const TRIES = 50;

/**
 * Every file below `folder`, by its full path, whose contents a test searches. Redis renames and removes files while it writes its
 * log anew: when one goes between being listed and being read, the folder is read once more from the start, because leaving the
 * file out would say that nothing is in it.
 *
 * @throws the ENOENT of the last reading, when each was overtaken
 */
export function folderBytes(folder: string): ReadonlyMap<string, Buffer> {
  for (let tried = 1; ; tried += 1) {
    try {
      return reading(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tried === TRIES) throw error;
    }
  }
}

function reading(folder: string): ReadonlyMap<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
  return new Map(files.map((file) => [file, readFileSync(file)]));
}
