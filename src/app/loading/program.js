/**
 * Our sources as the program that runs: bundled by esbuild into a folder whose name tells the state of the sources. Plain
 * JavaScript, because a start runs it before there is a program.
 */
import { createHash, randomUUID } from "node:crypto";
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
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));
const BESIDE = path.join(PACKAGE, "node_modules", ".cache", "prosa");
/** Programs that are kept, of this and other states of the sources: someone may go back and forth between branches. */
const KEPT = 6;
/** The others are kept so long after the last start of them, ms: what runs loads parts of its program later. */
const UNUSED_MS = 7 * 86_400_000;
const NAME = /^program-[0-9a-f]{16}(?:\.[\w-]+)?$/;
/** A process has one program, also where this file is in the program once more. */
const OURS = Symbol.for("prosa.program");

/**
 * The folder with `main.mjs`, which is the command line, `kit.mjs`, which is "prosa" to code in threads, and the threads of the
 * runtime.
 * @returns {Promise<string>}
 */
export function program() {
  const all = /** @type {{ [OURS]?: Promise<string> }} */ (globalThis);
  return (all[OURS] ??= foundOrMade());
}

/**
 * The address of a thread's code in the program. Sources named `*-thread.ts` begin a thread.
 * @param {URL} source
 * @returns {Promise<URL>}
 */
export async function threadUrl(source) {
  const name = path.relative(path.join(PACKAGE, "src"), fileURLToPath(source));
  return pathToFileURL(path.join(await program(), name.replace(/ts$/, "mjs")));
}

async function foundOrMade() {
  const name = `program-${digest()}`;
  // Also in an installation that nobody may write to.
  const beside = path.join(BESIDE, name);
  if (existsSync(beside)) return used(beside);
  const home = cacheFolder();
  const folder = path.join(home, name);
  if (existsSync(folder)) return used(folder);
  const part = `${folder}.${randomUUID()}`;
  try {
    await build(part);
    if (home !== BESIDE) symlinkSync(packagesFolder(), path.join(part, "node_modules"), "junction");
    renameSync(part, folder);
  } catch (error) {
    attempt(() => rmSync(part, { recursive: true, force: true }));
    // Unless another start was first.
    if (!existsSync(folder)) throw error;
  }
  attempt(() => prune(home));
  return folder;
}

/** @param {string} folder */
function used(folder) {
  attempt(() => utimesSync(folder, new Date(), new Date()));
  return folder;
}

/** What only keeps order among programs ends no start. @param {() => void} step */
function attempt(step) {
  try {
    step();
  } catch {
    // Not this user's, or another start is at it.
  }
}

/**
 * Names, sizes and times of all that a program is made of and with. A copy may keep the time of the last change; the file
 * system's own (`ctime`) it cannot keep.
 */
function digest() {
  const hash = createHash("sha256").update(`${process.version} ${PACKAGE}\n`);
  const sources = path.join(PACKAGE, "src");
  const settings = ["package.json", "tsconfig.json"].map((name) => path.join(PACKAGE, name));
  const bundler = path.join(packagesFolder(), "esbuild", "package.json");
  for (const name of [bundler, ...settings, ...sourcesIn(sources)]) {
    const stat = statSync(path.resolve(sources, name), { throwIfNoEntry: false });
    hash.update(`${name} ${stat?.size} ${stat?.mtimeMs} ${stat?.ctimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** @param {string} folder */
function sourcesIn(folder) {
  const names = /** @type {string[]} */ (readdirSync(folder, { recursive: true }));
  return names.filter((name) => /\.[jt]s$/.test(name)).sort();
}

/** Leaves the programs that were used last or lately. @param {string} home */
function prune(home) {
  const all = readdirSync(home)
    .filter((name) => NAME.test(name))
    .map((name) => path.join(home, name))
    .map((folder) => ({ folder, at: statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at);
  for (const { folder, at } of all.slice(KEPT))
    if (Date.now() - at > UNUSED_MS) rmSync(folder, { recursive: true, force: true });
}

/** Beside the packages, or among the user's temporary files where nobody may write there. */
function cacheFolder() {
  try {
    mkdirSync(BESIDE, { recursive: true });
    accessSync(BESIDE, constants.W_OK);
    return BESIDE;
  } catch {
    return ownTemporaryFolder();
  }
}

/** Others may write among the temporary files, too: a folder that is not this user's alone is refused. */
function ownTemporaryFolder() {
  const folder = path.join(tmpdir(), `prosa-${process.getuid?.()}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  const isOwn = uid === process.getuid?.() && (mode & 0o077) === 0;
  if (process.platform === "win32" || isOwn) return folder;
  throw new Error(
    `${folder} is not this user's alone. Remove it, or make node_modules/.cache writable.`,
  );
}

/** The folder of packages that the sources are run with. Throws where they are not installed. */
function packagesFolder() {
  const folders = createRequire(import.meta.url).resolve.paths("esbuild") ?? [];
  const folder = folders.find((one) => existsSync(path.join(one, "esbuild")));
  if (folder !== undefined) return folder;
  throw new Error(`The packages of ${PACKAGE} are not installed. Run npm ci there.`);
}

/**
 * Makes the program of a checkout in a folder.
 * @param {string} folder @param {string} root
 */
export async function build(folder, root = PACKAGE) {
  // Loaded here: most starts find their program.
  const { build: esbuild } = await import("esbuild");
  const sources = path.join(root, "src");
  const names = sourcesIn(sources);
  const users = names
    .map((name) => path.join(sources, name))
    .filter((file) => ADDRESS.test(readFileSync(file, "utf8")));
  const threads = names.filter((name) => name.endsWith("-thread.ts"));
  await esbuild({
    entryPoints: [
      { in: path.join(sources, "cli/main.ts"), out: "main" },
      { in: path.join(sources, "index.ts"), out: "kit" },
      ...threads.map((name) => ({ in: path.join(sources, name), out: name.replace(/\.ts$/, "") })),
    ],
    ...{ absWorkingDir: root, outdir: folder, outExtension: { ".js": ".mjs" }, logLevel: "silent" },
    ...{ bundle: true, splitting: true, format: "esm", platform: "node", target: "node20" },
    ...{ packages: "external", sourcemap: "linked", sourcesContent: false, legalComments: "none" },
    ...addresses(users),
  });
}

const ADDRESS = /\bimport\.meta\.(?:url|dirname|filename)\b/;

/**
 * Options of a bundle whose modules find what lies beside them: `import.meta.url`, `dirname` and `filename` of each are those of
 * its source.
 * @param {readonly string[]} [users] the files that have one of them, where they are known
 * @returns {Required<Pick<import("esbuild").BuildOptions, "define" | "plugins">>}
 */
export function addresses(users) {
  // The bundler takes no escape of a character that has no meaning in a pattern.
  const names = users?.map((file) => file.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const filter = names ? new RegExp(`^(?:${names.join("|")})$`) : /\.[cm]?[jt]s$/;
  return {
    define: {
      "import.meta.url": "__source.url",
      "import.meta.dirname": "__source.dirname",
      "import.meta.filename": "__source.filename",
    },
    plugins: [
      {
        name: "addresses",
        setup(build) {
          build.onLoad({ filter }, async ({ path: filename }) => {
            const text = await readFile(filename, "utf8");
            if (!ADDRESS.test(text)) return undefined;
            const url = pathToFileURL(filename).href;
            const source = JSON.stringify({ url, dirname: path.dirname(filename), filename });
            const loader = /ts$/.test(filename) ? "ts" : "js";
            // On the first line, so that places stay; what names its interpreter there becomes a comment.
            const contents = `const __source = ${source};${text.replace(/^#!/, "//")}`;
            return { contents, loader };
          });
        },
      },
    ],
  };
}
