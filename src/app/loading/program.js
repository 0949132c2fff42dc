/**
 * Our sources as the program that runs: bundled by esbuild into a folder whose name tells the state of the sources. Plain
 * JavaScript, because a start runs it before there is a program.
 */
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));
/** Programs that are kept, of this and other states of the sources: someone may go back and forth between branches. */
const KEPT = 6;
const NAME = /^program-[0-9a-f]{16}(?:\.\d+)?$/;
/** A process has one program, also where this file is in the program once more. */
const OURS = Symbol.for("prosa.program");

/**
 * The folder with `main.mjs`, which is the command line, and `kit.mjs`, which is "prosa" to code in threads.
 * @returns {Promise<string>}
 */
export function program() {
  const all = /** @type {{ [OURS]?: Promise<string> }} */ (globalThis);
  return (all[OURS] ??= foundOrMade());
}

async function foundOrMade() {
  const home = cacheFolder();
  const folder = path.join(home, `program-${digest()}`);
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date());
    return folder;
  }
  const part = `${folder}.${process.pid}`;
  try {
    await build(part);
    if (!part.startsWith(PACKAGE))
      symlinkSync(packagesFolder(), path.join(part, "node_modules"), "junction");
    renameSync(part, folder);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    // Unless another start was first.
    if (!existsSync(folder)) throw error;
  }
  prune(home);
  return folder;
}

/**
 * Names, sizes and times of the sources, and of the lock of the packages, which tells esbuild's version. A copy may keep the
 * time of the last change; the file system's own (`ctime`) it cannot keep.
 */
function digest() {
  const hash = createHash("sha256").update(`${process.version} ${PACKAGE}\n`);
  const sources = path.join(PACKAGE, "src");
  for (const name of ["../node_modules/.package-lock.json", ...sourcesIn(sources)]) {
    const stat = statSync(path.join(sources, name), { throwIfNoEntry: false });
    hash.update(`${name} ${stat?.size} ${stat?.mtimeMs} ${stat?.ctimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** @param {string} folder */
function sourcesIn(folder) {
  const names = /** @type {string[]} */ (readdirSync(folder, { recursive: true }));
  return names.filter((name) => /\.[jt]s$/.test(name)).sort();
}

/** Leaves the programs that were used last. @param {string} home */
function prune(home) {
  const all = readdirSync(home)
    .filter((name) => NAME.test(name))
    .map((name) => path.join(home, name))
    .map((folder) => ({ folder, at: statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at);
  for (const { folder } of all.slice(KEPT)) rmSync(folder, { recursive: true, force: true });
}

/** Beside the packages, or among the user's temporary files where nobody may write there. */
function cacheFolder() {
  const beside = path.join(PACKAGE, "node_modules", ".cache", "prosa");
  try {
    mkdirSync(beside, { recursive: true });
    accessSync(beside, constants.W_OK);
    return beside;
  } catch {
    return ownTemporaryFolder();
  }
}

/** Others may write among the temporary files, too: a folder that is not this user's alone is refused. */
function ownTemporaryFolder() {
  const folder = path.join(tmpdir(), `prosa-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  const isOwn = uid === process.getuid?.() && (mode & 0o077) === 0;
  if (process.platform === "win32" || isOwn) return folder;
  throw new Error(
    `${folder} is not this user's alone. Remove it, or make node_modules/.cache writable.`,
  );
}

/** The folder of packages that the sources are run with. */
function packagesFolder() {
  return path.resolve(createRequire(import.meta.url).resolve("esbuild/package.json"), "../..");
}

/**
 * Makes the program of a checkout in a folder.
 * @param {string} folder @param {string} root
 */
export async function build(folder, root = PACKAGE) {
  // Loaded here: most starts find their program.
  const { build: esbuild } = await import("esbuild");
  const sources = path.join(root, "src");
  const users = sourcesIn(sources)
    .map((name) => path.join(sources, name))
    .filter((file) => readFileSync(file, "utf8").includes(ADDRESS));
  await esbuild({
    entryPoints: { main: path.join(sources, "cli/main.ts"), kit: path.join(sources, "index.ts") },
    ...{ absWorkingDir: root, outdir: folder, outExtension: { ".js": ".mjs" }, logLevel: "silent" },
    ...{ bundle: true, splitting: true, format: "esm", platform: "node", target: "node20" },
    ...{ packages: "external", sourcemap: "linked", sourcesContent: false, legalComments: "none" },
    ...addresses(users),
  });
}

const ADDRESS = "import.meta.url";

/**
 * Options of a bundle whose modules find what lies beside them: `import.meta.url` of each is the address of its source.
 * @param {readonly string[]} [users] the files that have it, where they are known
 * @returns {Required<Pick<import("esbuild").BuildOptions, "define" | "plugins">>}
 */
export function addresses(users) {
  const names = users?.map((file) => file.replace(/[^\w/-]/g, "\\$&"));
  const filter = names ? new RegExp(`^(?:${names.join("|")})$`) : /\.[cm]?[jt]s$/;
  return {
    define: { [ADDRESS]: "__sourceUrl" },
    plugins: [
      {
        name: "addresses",
        setup(build) {
          build.onLoad({ filter }, async ({ path: file }) => {
            const text = await readFile(file, "utf8");
            if (!text.includes(ADDRESS)) return undefined;
            const url = JSON.stringify(pathToFileURL(file).href);
            const loader = /ts$/.test(file) ? "ts" : "js";
            return { contents: `const __sourceUrl = ${url};${text}`, loader };
          });
        },
      },
    ],
  };
}
