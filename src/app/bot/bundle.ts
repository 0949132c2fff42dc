/**
 * A bot's own code, made into one JavaScript file with what it imports; "prosa" in it is the kit of this installation. So it runs
 * in the process and in threads, wherever the bot's folder is. Only the process has "prosa/plugin" and the shipped plugins.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { SourceMap, type SourceMapPayload } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
import { kitFile } from "../loading/kit-file.ts";
import { handedOn } from "./modules.ts";

const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));
const CACHE = path.join(PACKAGE, "node_modules", ".cache", "prosa");

/** A place in what an author wrote. */
export interface Spot {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Bundled {
  /** Address of the JavaScript. */
  readonly url: string;
  /** SHA-256 of it, 32 hexadecimal digits. */
  readonly digest: string;
  /** Where in the author's files a stack of this code begins. */
  spotIn(stack: string): Spot | undefined;
}

/**
 * `inProcess`: "prosa" in it is that of this process, too, as it is for a `config.ts`; else the file can be loaded in a thread.
 * Throws esbuild's error for what does not compile: its `errors` have places.
 */
export async function bundled(file: string, { inProcess = false } = {}): Promise<Bundled> {
  const { build } = await import("esbuild");
  const kit = inProcess
    ? undefined
    : pathToFileURL(await kitFile(path.join(PACKAGE, "src", "index.ts"), PACKAGE)).href;
  const prosa: Plugin = {
    name: "prosa",
    setup(build) {
      build.onResolve({ filter: /^prosa(?:\/|$)/ }, ({ path: name }) =>
        kit !== undefined && name === "prosa"
          ? { path: kit, external: true }
          : { path: name, namespace: "prosa" },
      );
      build.onLoad({ filter: /./, namespace: "prosa" }, async ({ path: name }) =>
        handedOn(name).then(
          (contents) => ({ contents }),
          ({ message }: Error) => ({ errors: [{ text: message }] }),
        ),
      );
    },
  };
  const { outputFiles } = await build({
    entryPoints: [file],
    ...{ write: false, outdir: path.dirname(file), sourcemap: "external", sourcesContent: false },
    ...{ bundle: true, platform: "node", format: "esm", target: "node20" },
    ...{ logLevel: "silent", plugins: [prosa, addresses] },
  });
  const textOf = (ending: string): string =>
    outputFiles.find((one) => one.path.endsWith(ending))?.text ?? "";
  const code = textOf(".js");
  const map = JSON.parse(textOf(".map")) as SourceMapPayload;
  const digest = createHash("sha256").update(code).digest("hex").slice(0, 32);
  const name = `bot-${digest}.mjs`;
  return {
    url: pathToFileURL(written(name, code)).href,
    digest,
    spotIn: (stack) => {
      const [, line, column] = new RegExp(`${name}:(\\d+):(\\d+)`).exec(stack) ?? [];
      if (line === undefined) return undefined;
      const found = new SourceMap(map).findEntry(Number(line) - 1, Number(column) - 1);
      if (!("originalSource" in found)) return undefined;
      return {
        file: path.resolve(path.dirname(file), found.originalSource),
        line: found.originalLine + 1,
        column: found.originalColumn + 1,
      };
    },
  };
}

const ADDRESS = /\bimport\.meta\.url\b/g;

/** The one JavaScript file lies elsewhere: `import.meta.url` of a module in it is written out, so that it finds what lies beside it. */
const addresses: Plugin = {
  name: "addresses",
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      const contents = text.replaceAll(ADDRESS, JSON.stringify(pathToFileURL(file).href));
      if (contents === text) return undefined;
      const loader = /ts$/.test(file) ? "ts" : "js";
      return { contents, loader };
    });
  },
};

/** Whole or not at all, beside the packages; elsewhere in an installation that nobody may write to. */
function written(name: string, code: string): string {
  for (const folder of [CACHE, path.join(tmpdir(), "prosa-bot")])
    try {
      const file = path.join(folder, name);
      if (existsSync(file)) return file;
      mkdirSync(folder, { recursive: true });
      const part = `${file}.${process.pid}`;
      writeFileSync(part, code);
      renameSync(part, file);
      return file;
    } catch {
      // The next folder.
    }
  throw new Error(`Neither ${CACHE} nor the folder of temporary files can be written to.`);
}
