/**
 * The name of this build, told by its sources as they stand there: what is worked out by one build and kept is worked out
 * anew by another. Sizes and times are looked at, not contents: a start looks at all of them. The time of
 * a change by the file system's own account is among them: a copy may keep every other.
 */
import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const SOURCES = fileURLToPath(new URL("../..", import.meta.url));
/** What the package manager writes with each change of the packages; in an installation that is a package itself, none. */
const PACKAGES = fileURLToPath(
  new URL("../../../node_modules/.package-lock.json", import.meta.url),
);
/** The rooms that read, check and compile flows, and what these are made of. `test/app/loading/kept.test.ts` holds it whole. */
export const ROOMS: readonly string[] = [
  ...["app", "base", "brazil", "channels", "console", "engine", "flow", "gateway", "plugins"],
  ...["store", "understanding", "worker"],
];

/** Sixteen hex digits. */
export function buildId(): string {
  const hash = createHash("sha256").update(process.version);
  const add = (file: string): void => {
    const found = statSync(file, { throwIfNoEntry: false });
    hash.update(`${file} ${found?.size} ${found?.mtimeMs} ${found?.ctimeMs}\n`);
  };
  add(PACKAGES);
  // What flows import as "prosa", and plugins as "prosa/plugin".
  for (const door of ["index.ts", "plugin.ts"]) add(path.join(SOURCES, door));
  for (const room of ROOMS)
    for (const name of readdirSync(path.join(SOURCES, room), { recursive: true }) as string[])
      if (/\.[jt]s$/.test(name)) add(path.join(SOURCES, room, name));
  return hash.digest("hex").slice(0, 16);
}
