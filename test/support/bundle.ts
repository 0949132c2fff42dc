/**
 * One program of ours as one file with V8's code cache beside it, so that a process killed two hundred times is back in
 * half a second and costs half the processor time. Files that code finds beside itself (`import.meta.url`) stay where they
 * are; packages and flows are built in, only what is native or a tool stays outside.
 *
 * A plant changes the sources on their way into the bundle: a bug put in on purpose, to see a test find it.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { HEAP_FLAG } from "../../src/app/start/process-limits.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Beside the packages, so that the bundle finds those that stay outside. */
const CACHE = path.join(ROOT, "node_modules/.cache");
const LUA = "src/store/redis/lua";
/** Native, run by path, or a tool that only some commands need. */
const OUTSIDE = ["libsql", "elkjs", "esbuild", "prettier", "typescript"];
/** For packages that are both: the half that modules import stands beside the one that is required. */
const RESOLVE =
  '((name) => require("node:url").pathToFileURL(require.resolve(name).replace(/[.]cjs$/, ".mjs")).href)(';
/**
 * Of the HTTP client nothing of ours takes what browsers have (fetch, sockets, cookies) or its mocks, which read half of
 * Node's own modules at each start; and neither client nor server speaks the second version of HTTP. Whoever takes something
 * of it here is told.
 */
const BROWSERS = /^\.\/lib\/(?:web|mock)\//;
const SECOND = /^node:http2$/;
/** What gathers, pushes and invents metrics: ours are counted by hand and read at their own address. */
const GATHERERS = /^\.\/lib\/(?:cluster|pushgateway|defaultMetrics)$/;
const LEFT_OUT = `
module.exports = new Proxy({}, {
  get: (_, name) => name === "constants" ? {} : class {
    constructor() { if (name !== "CacheStorage") throw new Error("left out of the bundle: " + String(name)); }
  },
});`;
/** A bundle is CommonJS, which cannot wait at its top; an entry's last words can. */
const LAST_WORDS = /^(?:try \{|await )[\s\S]*/m;

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

/** Ages at which a process writes down the code it has compiled by then, ms. */
const AGES = [1_000, 2_500, 6_000, 15_000];

/** Stands beside the program once code kept of it was not taken. */
export const REFUSED = "refused";

const HEAD = "(function (exports, require, module, __filename, __dirname) {";

/**
 * Runs `program.cjs` with the code that earlier runs compiled. Each role writes down its own, first when it has done some
 * work, and again by whoever gets older than the one that wrote last, so that functions compiled on the way, such as those
 * of a turn, are in it. Other flags have a file of their own; another version of Node finds it refused and compiles anew.
 *
 * V8 takes such code only where its flags are those of the process that wrote it, so what the program sets as it starts is set
 * here, before it is read: else every one is refused, silently. `refused` says that one was.
 */
const START = `
const fs = require("node:fs"), path = require("node:path"), vm = require("node:vm");
require("node:v8").setFlagsFromString(${JSON.stringify(HEAP_FLAG)});
globalThis.importModule = (url) => import(url);
const file = path.join(__dirname, "program.cjs"), ages = ${JSON.stringify(AGES)};
const named = (text) => text.replace(/[^a-z0-9]+/gi, "-").slice(-100);
const [flags, role] = [named(process.execArgv.join()), named(process.argv[2] ?? "")];
const nameOf = (age, role) => ["code", flags, role, age].join(".");
const there = fs.readdirSync(__dirname);
const age = ages.findLast((one) => there.includes(nameOf(one, role))) ?? 0;
// Another role's is better than none.
const kept = age > 0 ? nameOf(age, role) : there.find((name) => name.startsWith("code." + flags + "."));
let cachedData;
try { if (kept) cachedData = fs.readFileSync(path.join(__dirname, kept)); } catch {}
const code = fs.readFileSync(file, "latin1");
const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
// Node 20 says of that, at the first import, that it may change; a program's own words are compared.
const warn = process.emitWarning;
process.emitWarning = (what, ...how) => /USE_MAIN_CONTEXT/.test(String(what)) || warn.call(process, what, ...how);
const script = new vm.Script(code, { filename: file, cachedData, importModuleDynamically });
if (script.cachedDataRejected) fs.writeFileSync(path.join(__dirname, ${JSON.stringify(REFUSED)}), kept);
for (const later of ages.filter((one) => one > age))
  setTimeout(() => {
    const cache = path.join(__dirname, nameOf(later, role));
    if (fs.existsSync(cache)) return;
    const own = path.join(__dirname, process.pid + "-" + later);
    try { fs.writeFileSync(own, script.createCachedData()); fs.renameSync(own, cache); } catch {}
  }, later).unref();
script.runInThisContext()(exports, require, module, file, __dirname);
`;

function edited(file: string, edits: readonly Edit[]): string {
  let text = readFileSync(path.join(ROOT, file), "utf8");
  for (const edit of edits.filter((one) => one.file === file)) {
    if (text.split(edit.find).length !== 2)
      throw new Error(`${file} does not hold exactly once: ${edit.find}`);
    text = text.replace(edit.find, () => edit.replace);
  }
  return text;
}

function sources(entry: string, edits: readonly Edit[]): Plugin {
  return {
    name: "sources",
    setup(on) {
      on.onResolve({ filter: /^prosa$/ }, () => ({ path: path.join(ROOT, "src/index.ts") }));
      on.onResolve({ filter: BROWSERS }, ({ importer, path: name }) =>
        importer.endsWith("/undici/index.js") ? { path: name, namespace: "left-out" } : undefined,
      );
      on.onResolve({ filter: GATHERERS }, ({ importer, path: name }) =>
        importer.endsWith("/prom-client/index.js")
          ? { path: name, namespace: "left-out" }
          : undefined,
      );
      on.onResolve({ filter: SECOND }, ({ path: name }) => ({ path: name, namespace: "left-out" }));
      on.onLoad({ filter: /./, namespace: "left-out" }, () => ({ contents: LEFT_OUT }));
      on.onLoad({ filter: /[\\/](?:src|flows|test)[\\/].*\.[jt]s$/ }, ({ path: file }) => {
        const name = path.relative(ROOT, file);
        if (name.startsWith("node_modules")) return undefined;
        // A planted script stands beside the bundle, which may be moved.
        const home =
          name === "src/store/redis/scripts.ts"
            ? 'require("node:url").pathToFileURL(`${__dirname}/store/x`).href'
            : JSON.stringify(pathToFileURL(file).href);
        // CommonJS knows no `import.meta`.
        let contents = `const __sourceUrl = ${home};${edited(name, edits)}`
          .replaceAll("import.meta.resolve(", RESOLVE)
          .replaceAll('import("esbuild")', 'Promise.resolve(require("esbuild"))');
        // What is kept of a bundle is its own: its sources are not those that stand there.
        if (name === "src/app/loading/kept.ts")
          contents = contents.replace("await program()", "__dirname");
        // Code taken from a cache has lost its way to import modules: this file asks the one that started it.
        if (name === "src/app/bot/bot-reader.ts")
          contents = contents.replace("import(code.url)", "globalThis.importModule(code.url)");
        if (name === entry)
          contents = contents.replace(
            LAST_WORDS,
            (words) => `void (async () => {\n${words}\n})();\n`,
          );
        return { contents, loader: name.endsWith(".js") ? "js" : "ts" };
      });
    },
  };
}

/** Bundles an entry file of the repository, with these edits. */
export async function bundle(entry: string, edits: readonly Edit[] = []): Promise<Bundled> {
  const folder = path.join(CACHE, `prosa-chaos-${process.pid}-${(count += 1)}`);
  return { folder, file: await built(folder, entry, edits) };
}

/** Folder of everything the files of one test run share; without the runner (`npm run chaos`), of this process. */
function sharedFolder(): string {
  const given = process.env["TEST_BUNDLES"];
  if (given !== undefined) return given;
  const own = path.join(CACHE, `prosa-run-${process.pid}`);
  mkdirSync(own, { recursive: true });
  process.env["TEST_BUNDLES"] = own;
  process.once("exit", () => rmSync(own, { recursive: true, force: true }));
  return own;
}

let count = 0;

/** The unchanged program, built once for all files of a test run. Answers the file to run with `node`. */
export async function sharedBundle(entry: string): Promise<string> {
  const folder = path.join(sharedFolder(), path.basename(entry, ".ts"));
  if (!existsSync(folder)) {
    // Two of one file may build at once.
    const own = `${folder}-${process.pid}-${(count += 1)}`;
    await built(own, entry, []);
    keep(own, folder);
  }
  return path.join(folder, "start.cjs");
}

/** A folder made beside its place, unless another file of the run was first. */
function keep(made: string, place: string): void {
  try {
    renameSync(made, place);
  } catch {
    rmSync(made, { recursive: true, force: true });
  }
}

/**
 * The same program in ASCII, which is read in half the time and kept in half the space: what the bundler leaves as it is
 * stands in regular expressions, where an escape says the same.
 */
function plain(code: string): string {
  if (/raw`[^`]*[^\0-\x7f]/.test(code)) throw new Error("A raw template holds other letters.");
  return code.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

async function built(folder: string, entry: string, edits: readonly Edit[]): Promise<string> {
  const lua = path.join(folder, "store");
  mkdirSync(lua, { recursive: true });
  cpSync(path.join(ROOT, LUA), path.join(lua, "lua"), { recursive: true });
  for (const { file } of edits.filter((one) => one.file.startsWith(LUA)))
    writeFileSync(path.join(lua, "lua", path.relative(LUA, file)), edited(file, edits));
  const made = await build({
    entryPoints: [path.join(ROOT, entry)],
    write: false,
    outfile: path.join(folder, "program.cjs"),
    plugins: [sources(entry, edits)],
    ...{ bundle: true, platform: "node", format: "cjs", external: OUTSIDE },
    ...{ target: "node20", logLevel: "error", legalComments: "none" },
    define: { "import.meta.url": "__sourceUrl" },
    // A third less to read at each of the many starts; names stay, for what errors say.
    ...{ minifyWhitespace: true, minifySyntax: true },
  });
  // With its function around it: put there at each start, all of it would be copied.
  const code = plain(made.outputFiles[0]?.text ?? "");
  writeFileSync(path.join(folder, "program.cjs"), `${HEAD}${code}\n})`);
  const file = path.join(folder, "start.cjs");
  writeFileSync(file, START);
  return file;
}
