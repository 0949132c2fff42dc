/**
 * What a start worked out of the flows' files (texts read, flows checked), kept beside the packages for the next start of
 * this build: with the same content the same comes out again, and to work it out is a third of a start. Whoever may write
 * there may change the program itself.
 */
import { createHash } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildId } from "./build.ts";

const FOLDER = fileURLToPath(new URL("../../../node_modules/.cache/prosa/", import.meta.url));
const NAME = /^made-[0-9a-f]{16}-[0-9a-f]{16}\.json$/;
/** Builds and folders of flows that are kept beside each other. */
const FILES = 12;
/** Larger files are not kept: a hundred flows take less. Bytes. */
const LARGEST = 8_000_000;

export class Kept {
  readonly #file: string;
  readonly #before: Readonly<Record<string, unknown>>;
  /** What this start used: all that the next one can use. */
  readonly #now: Record<string, unknown> = {};
  #changed = false;

  /** `flows`: the folder they are read from. `build` and `home`: for tests. */
  constructor(flows: string, { build = buildId(), home = FOLDER } = {}) {
    this.#file = path.join(home, `made-${build}-${digest(path.resolve(flows)).slice(0, 16)}.json`);
    this.#before = read(this.#file);
  }

  /**
   * What `make` gave for this content before, else what it gives now; JSON. Undefined is not kept: what is wrong is looked
   * at again.
   */
  of<T>(kind: string, content: string, make: () => T | undefined): T | undefined {
    const key = `${kind} ${digest(content)}`;
    const known = this.#now[key] ?? this.#before[key];
    if (known !== undefined) {
      this.#now[key] = known;
      return known as T;
    }
    const made = make();
    if (made === undefined) return undefined;
    this.#changed = true;
    this.#now[key] = made;
    return made;
  }

  /** Writes down what is new; whole or not at all, also when two start at once. Failing to keep is no failure. */
  save(): void {
    if (!this.#changed) return;
    try {
      const text = JSON.stringify(this.#now);
      if (text.length > LARGEST) return;
      const home = path.dirname(this.#file);
      mkdirSync(home, { recursive: true });
      const part = `${this.#file}.${process.pid}`;
      writeFileSync(part, `${digest(text)}\n${text}`);
      renameSync(part, this.#file);
      prune(home);
    } catch {
      // An installation nobody may write to: made anew at each start.
    }
  }
}

function digest(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

function read(file: string): Readonly<Record<string, unknown>> {
  try {
    const text = readFileSync(file, "utf8");
    const at = text.indexOf("\n");
    const made = text.slice(at + 1);
    // Behind its digest: what a disk or a hand changed in it is made again, and never used.
    if (text.slice(0, Math.max(at, 0)) !== digest(made)) return {};
    return (JSON.parse(made) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Leaves the latest. */
function prune(home: string): void {
  const all = readdirSync(home)
    .filter((name) => NAME.test(name))
    .map((name) => path.join(home, name))
    .map((file) => ({ file, at: statSync(file).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { file } of all.slice(FILES)) rmSync(file, { force: true });
}
