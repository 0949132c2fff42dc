/**
 * One program of ours as one file, so that a process killed two hundred times is back in half a second. Files that code
 * finds beside itself (`import.meta.url`) stay where they are; the flows are built in.
 *
 * A plant changes the sources on their way into the bundle: a bug put in on purpose, to see a test find it.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Beside the packages, so that the bundle finds them. */
const CACHE = path.join(ROOT, "node_modules/.cache");
const LUA = "src/store/redis/lua";

/** One change of one source file. `find` must be there exactly once, else the plant is stale. */
export interface Edit {
  /** From the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Bundled {
  /** The file to run with `node`. */
  readonly file: string;
  /** Folder to remove when done. */
  readonly folder: string;
}

function edited(file: string, edits: readonly Edit[]): string {
  let text = readFileSync(path.join(ROOT, file), "utf8");
  for (const edit of edits.filter((one) => one.file === file)) {
    if (text.split(edit.find).length !== 2)
      throw new Error(`${file} does not hold exactly once: ${edit.find}`);
    text = text.replace(edit.find, () => edit.replace);
  }
  return text;
}

function sources(edits: readonly Edit[], lua: string): Plugin {
  return {
    name: "sources",
    setup(on) {
      on.onResolve({ filter: /^prosa$/ }, () => ({ path: path.join(ROOT, "src/index.ts") }));
      on.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const name = path.relative(ROOT, file);
        if (name.startsWith("node_modules")) return undefined;
        const home = name === "src/store/redis/scripts.ts" ? path.join(lua, "x") : file;
        let contents = edited(name, edits).replaceAll(
          "import.meta.url",
          JSON.stringify(pathToFileURL(home).href),
        );
        if (name === "src/app/flow-files.ts")
          contents = contents.replace(
            "import(pathToFileURL(file).href)",
            "import(`../../flows/${path.basename(folder)}/flow.ts`)",
          );
        return { contents, loader: "ts" };
      });
    },
  };
}

/** Bundles an entry file of the repository, with these edits. */
export async function bundle(entry: string, edits: readonly Edit[] = []): Promise<Bundled> {
  const folder = path.join(CACHE, `prosa-chaos-${process.pid}-${(count += 1)}`);
  const lua = path.join(folder, "store");
  mkdirSync(lua, { recursive: true });
  cpSync(path.join(ROOT, LUA), path.join(lua, "lua"), { recursive: true });
  for (const { file } of edits.filter((one) => one.file.startsWith(LUA)))
    writeFileSync(path.join(lua, "lua", path.relative(LUA, file)), edited(file, edits));
  const file = path.join(folder, "program.mjs");
  await build({
    entryPoints: [path.join(ROOT, entry)],
    outfile: file,
    plugins: [sources(edits, lua)],
    ...{ bundle: true, platform: "node", format: "esm", packages: "external" },
    ...{ target: "node20", logLevel: "error" },
  });
  return { file, folder };
}

let count = 0;
