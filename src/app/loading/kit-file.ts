/**
 * The kit as one file, for the threads that read flows: from its four hundred sources and packages each of them takes more
 * than a second of a processor to begin, from one file a third of that. It stands beside the packages, with the sizes and
 * times of what it was made of, and is used only while none of these is another; the first thread of a new version waits
 * until it is made, a fifth of a second.
 */
import { lstatSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Of what the file was made. */
interface Kept {
  readonly kit: string;
  readonly node: string;
  readonly inputs: readonly string[];
  /** Of all inputs, in their order. */
  readonly marks: string;
}

/** What costs much and no flow can ask for while it is read. */
const OUTSIDE = ["elkjs", "esbuild", "prettier", "tsx", "typescript"];

const REQUIRE =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/** How far a file's times may lag behind the clock, ms. */
const CLOCKS_MS = 50;

/** Begun by this process, by entry: one at a time, and no more once it failed. */
const making = new Map<string, Promise<void>>();

/** The file to load for the kit whose entry is `kit`, of the installation in the folder `home`: itself where none can be made. */
export async function kitFile(kit: string, home: string): Promise<string> {
  const place = placeIn(home);
  if (place === undefined) return kit;
  if (isFresh(place, kit)) return place;
  if (!making.has(kit))
    making.set(
      kit,
      // A folder nobody may write to, or a source that does not compile, which the thread will tell of.
      made(kit, home, place).then(
        () => void making.delete(kit),
        () => undefined,
      ),
    );
  await making.get(kit);
  return isFresh(place, kit) ? place : kit;
}

/** None where the packages are another installation's: two would take turns in writing it. */
function placeIn(home: string): string | undefined {
  const packages = path.join(home, "node_modules");
  const found = lstatSync(packages, { throwIfNoEntry: false });
  return found?.isDirectory() ? path.join(packages, ".cache/prosa/kit.mjs") : undefined;
}

function isFresh(place: string, kit: string): boolean {
  try {
    const kept = JSON.parse(readFileSync(`${place}.json`, "utf8")) as Kept;
    const isOurs = kept.kit === kit && kept.node === process.version;
    return isOurs && statSync(place).isFile() && kept.marks === marksOf(kept.inputs);
  } catch {
    return false;
  }
}

/** Throws where one is gone. */
function marksOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const { size, mtimeMs, ctimeMs } = statSync(file);
      return `${size} ${mtimeMs} ${ctimeMs}`;
    })
    .join("\n");
}

async function made(kit: string, home: string, place: string): Promise<void> {
  // Loaded here: most starts find the file, or read no flow.ts at all.
  const { build } = await import("esbuild");
  const began = Date.now() - CLOCKS_MS;
  const result = await build({
    entryPoints: [kit],
    absWorkingDir: home,
    ...{ write: false, metafile: true, logLevel: "silent", legalComments: "none" },
    ...{ bundle: true, platform: "node", format: "esm", target: "node20", external: OUTSIDE },
    // Packages inside it that are CommonJS ask for Node's own modules by it.
    banner: { js: REQUIRE },
  });
  const code = result.outputFiles[0]?.text;
  if (code === undefined) return;
  const inputs = Object.keys(result.metafile.inputs).map((name) => path.resolve(home, name));
  // What changed meanwhile may be in it as it was before.
  if (inputs.some((file) => statSync(file).ctimeMs > began)) return;
  const kept: Kept = { kit, node: process.version, inputs, marks: marksOf(inputs) };
  mkdirSync(path.dirname(place), { recursive: true });
  whole(place, code);
  whole(`${place}.json`, JSON.stringify(kept));
}

/** Whole or not at all, also when two write at once. */
function whole(file: string, text: string): void {
  const part = `${file}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, file);
}
