/**
 * What a bot's author wrote, made into JavaScript with all it imports, so that it runs in the process and in threads, wherever
 * the bot's folder is. Only the process has "prosa/plugin" and the shipped plugins; a thread has the kit.
 */
import { createHash } from "node:crypto";
import { SourceMap, type SourceMapPayload } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { OutputFile, Plugin } from "esbuild";
import { addresses, program } from "../loading/program.js";
import { handedOn } from "./modules.ts";

/** A place in what an author wrote. */
export interface Spot {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Bundled {
  /** Address of the JavaScript; it holds all of it. */
  readonly url: string;
  /** SHA-256 of it, 32 hexadecimal digits. */
  readonly digest: string;
  /** It uses nothing but "prosa": the same code makes the same again, and leaves nothing behind in its thread. */
  readonly isAlone: boolean;
  /** Where in the author's files a stack of this code begins. */
  spotIn(stack: string): Spot | undefined;
}

/** Names by which code gets at what may be another at the next start. */
const IMPURE_NAMES = [
  // Other code, whose changes its digest does not tell. The names of its own place are literals by now.
  ["import", "require", "Worker", "WebAssembly"],
  // Code made of a text, and what leads to `Function`.
  ["eval", "Function", "constructor", "prototype", "__proto__"],
  // All globals, by names that are made up while it runs.
  ["globalThis", "global", "Reflect"],
  // The process, its settings and its machine.
  ["process", "navigator", "localStorage", "sessionStorage"],
  // The clock, in all that tells a time or waits for one.
  ["Date", "Temporal", "performance", "Event", "File", "Atomics", "AbortSignal"],
  ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"],
  // Chance, and memory that holds what was in it before.
  ["Math", "crypto", "createObjectURL", "Buffer"],
  // The language and the zone of the machine.
  ["Intl", "toLocale\\w*", "localeCompare"],
  // Answers of others, and boundaries of forms, which are made by chance.
  ["fetch", "Request", "Response", "WebSocket", "EventSource"],
  ["MessageChannel", "BroadcastChannel"],
  // When memory is cleared away; the address of this very read, which stands in a stack.
  ["WeakRef", "FinalizationRegistry", "stack", "captureStackTrace", "prepareStackTrace"],
  // What it prints would be printed at the first start alone.
  ["console"],
];
/** For honest code: what hides a name may be kept though it differs. In a text a name costs a read at each start, no more. */
const IMPURE = new RegExp(`\\b(?:${IMPURE_NAMES.flat().join("|")})\\b`);
/** Those of the kit, where there are no others. */
const IMPORTS = /^import [^"]*"[^"]*";$/gm;

/** Of the program that runs. */
export async function kitUrl(): Promise<string> {
  return pathToFileURL(path.join(await program(), "kit.mjs")).href;
}

/**
 * One for each file, in their order. "prosa" in them is the kit at this address; without one it is that of this process, as it is
 * for a `config.ts`. Throws esbuild's error for what does not compile: its `errors` have places.
 */
export async function bundled(files: readonly string[], kit?: string): Promise<readonly Bundled[]> {
  const { build } = await import("esbuild");
  const outdir = path.dirname(files[0] ?? "");
  const { define, plugins } = addresses();
  const { outputFiles, metafile } = await build({
    entryPoints: files.map((file, at) => ({ in: file, out: String(at) })),
    outdir,
    write: false,
    metafile: true,
    sourcemap: "external",
    sourcesContent: false,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
    // What is written in Portuguese has no escapes in it.
    charset: "utf8",
    define,
    plugins: [kit === undefined ? ofProcess : ofThreads(kit), ...plugins],
  });
  const outputs = Object.values(metafile.outputs);
  return files.map((file, at) => {
    const output = (name: string): OutputFile | undefined =>
      outputFiles.find((one) => one.path === path.join(outdir, name));
    const imports = outputs.find(
      ({ entryPoint = "" }) => path.resolve(entryPoint) === file,
    )?.imports;
    const code = withRequire(output(`${at}.js`)?.text ?? "", file);
    return {
      ...moduleOf(code, output(`${at}.js.map`)?.text ?? "{}", outdir),
      isAlone:
        imports?.every((one) => one.path === kit) === true &&
        !IMPURE.test(code.replace(IMPORTS, "")),
    };
  });
}

/** Packages in CommonJS ask for modules of Node by `require`, which ES modules lack. It stands on the first line: places stay. */
function withRequire(code: string, file: string): string {
  const bare = code.replace(/^#!.*/, "");
  if (!bare.includes("__require(")) return bare;
  const from = JSON.stringify(pathToFileURL(file).href);
  return `import { createRequire as __createRequire } from "node:module"; const require = __createRequire(${from}); ${bare}`;
}

/** A message without the author's code, which an address of it holds. */
export function withoutCode(message: string): string {
  return message.replace(/'?data:text\/javascript,\S*/g, "this file");
}

function moduleOf(code: string, map: string, home: string): Omit<Bundled, "isAlone"> {
  const digest = createHash("sha256").update(code).digest("hex").slice(0, 32);
  const named = `${code}//# sourceURL=${digest}.mjs`;
  return {
    url: `data:text/javascript,${encodeURIComponent(named)}`,
    digest,
    spotIn: (stack) => {
      const place = new RegExp(`${digest}\\.mjs(?:#\\d+)?:(\\d+):(\\d+)`);
      const [, line, column] = place.exec(stack) ?? [];
      if (line === undefined) return undefined;
      const found = new SourceMap(JSON.parse(map) as SourceMapPayload).findEntry(
        Number(line) - 1,
        Number(column) - 1,
      );
      if (!("originalSource" in found)) return undefined;
      return {
        file: path.resolve(home, found.originalSource),
        line: found.originalLine + 1,
        column: found.originalColumn + 1,
      };
    },
  };
}

const PROSA = /^prosa(?:\/|$)/;

const ofProcess: Plugin = {
  name: "modules of this process",
  setup(build) {
    build.onResolve({ filter: PROSA }, ({ path: name }) => ({ path: name, namespace: "prosa" }));
    build.onLoad({ filter: /./, namespace: "prosa" }, async ({ path: name }) =>
      handedOn(name).then(
        (contents) => ({ contents }),
        ({ message }: Error) => ({ errors: [{ text: message }] }),
      ),
    );
  },
};

function ofThreads(kit: string): Plugin {
  return {
    name: "the kit",
    setup(build) {
      build.onResolve({ filter: PROSA }, ({ path: name }) =>
        name === "prosa"
          ? { path: kit, external: true }
          : {
              errors: [
                { text: `Only config.ts can import "${name}"; flows and effects have "prosa"` },
              ],
            },
      );
    },
  };
}
