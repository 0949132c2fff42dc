/**
 * The console's files: bundled when first asked for into a folder of the data directory, kept until a source changes. Names hold
 * a hash of the content, so browsers may keep them for ever. Nothing is built at install.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type BuildOptions, type Plugin, transform, version } from "esbuild";
import { CHART_STYLE } from "./layout/svg.ts";

const SOURCES = ["web", "layout"].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
const WEB = SOURCES[0] as string;

/** Browsers of the last three years. */
const TARGET = ["chrome115", "firefox115", "safari16.4"];

export interface ConsoleFile {
  readonly type: string;
  readonly body: Buffer;
  readonly gzip: Buffer;
}

export interface ConsoleAssets {
  /** The page, with the names of the files in it. */
  readonly html: string;
  /** By name below `/console/`. */
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** A plugin's browser module in one piece. What the console has, it leaves to the console. */
export interface PanelCode {
  readonly plugin: string;
  readonly script: string;
  readonly style: string;
}

/** Packages that the console and all panels have one copy of. */
const SHARED = ["preact", "preact/*", "@preact/signals"];

const OPTIONS = {
  bundle: true,
  write: false,
  format: "esm",
  target: TARGET,
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "silent",
  tsconfigRaw: {},
} satisfies BuildOptions;

type Output = { readonly path: string; readonly text: string };

const textOf = (files: readonly Output[], extension: string): string =>
  files.find((file) => file.path.endsWith(extension))?.text ?? "";

export async function panelCodeOf(plugin: string, file: URL): Promise<PanelCode> {
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: [fileURLToPath(file)],
    outdir: WEB,
    external: SHARED,
  });
  return { plugin, script: textOf(outputFiles, ".js"), style: textOf(outputFiles, ".css") };
}

/** Fills the list of `panel-modules.ts`. Each module is loaded apart, so that one that throws stops no other. */
function panelModules(panels: readonly PanelCode[]): Plugin {
  const list = panels.map(
    ({ plugin }, at) => `{ plugin: ${JSON.stringify(plugin)}, load: () => import("panel:${at}") }`,
  );
  return {
    name: "panels",
    setup(build) {
      build.onLoad({ filter: /[\\/]web[\\/]operations[\\/]panel-modules\.ts$/ }, () => ({
        contents: `export const modules = [${list.join(", ")}];`,
      }));
      build.onResolve({ filter: /^panel:/ }, ({ path: name }) => ({
        path: name.slice("panel:".length),
        namespace: "panel",
      }));
      build.onLoad({ filter: /./, namespace: "panel" }, ({ path: at }) => ({
        contents: panels[Number(at)]?.script ?? "",
        resolveDir: WEB,
      }));
    },
  };
}

const hashOf = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex").slice(0, 12);

/** One hash over every source file, by relative name, and the panels. */
async function sourceHash(panels: readonly PanelCode[]): Promise<string> {
  const hash = createHash("sha256").update(version).update(CHART_STYLE);
  hash.update(JSON.stringify(panels));
  for (const folder of SOURCES) {
    const names = await readdir(folder, { recursive: true });
    for (const name of names.filter((one) => path.extname(one) !== "").sort())
      hash.update(name).update(await readFile(path.join(folder, name)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** Name and content of each file. */
async function bundle(panels: readonly PanelCode[]): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: [path.join(WEB, "main.tsx")],
    outdir: WEB,
    minify: true,
    plugins: [panelModules(panels)],
  });
  const added = await transform(panels.map(({ style }) => style).join("\n"), {
    loader: "css",
    minify: true,
    target: TARGET,
  });
  const chart = await transform(CHART_STYLE, { loader: "css", minify: true, target: TARGET });
  const icon = await readFile(path.join(WEB, "icon.svg"), "utf8");
  const script = textOf(outputFiles, ".js");
  const style = textOf(outputFiles, ".css") + chart.code + added.code;
  return new Map([
    [`app-${hashOf(script)}.js`, script],
    [`app-${hashOf(style)}.css`, style],
    [`icon-${hashOf(icon)}.svg`, icon],
  ]);
}

async function readKept(folder: string): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const names = await readdir(folder);
    const files = await Promise.all(
      names.map(async (name) => [name, await readFile(path.join(folder, name), "utf8")] as const),
    );
    const whole = files.every(([name, content]) => name.includes(hashOf(content)));
    return whole && files.length === 3 ? new Map(files) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes beside and renames, so that two starts at once never read half a folder. Failing to keep is no failure. */
async function keep(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  try {
    await mkdir(draft, { recursive: true });
    for (const [name, content] of files) await writeFile(path.join(draft, name), content);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } catch {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** What is kept in a folder of `cacheDir`, or bundled anew and kept there. */
export async function assetsIn(
  cacheDir: string,
  panels: readonly PanelCode[],
): Promise<ConsoleAssets> {
  const folder = path.join(cacheDir, `console-${await sourceHash(panels)}`);
  let texts = await readKept(folder);
  if (!texts) {
    texts = await bundle(panels);
    await keep(folder, texts);
  }
  const files = new Map<string, ConsoleFile>();
  for (const [name, content] of texts) {
    const body = Buffer.from(content);
    const type = TYPES[path.extname(name)] ?? "application/octet-stream";
    files.set(name, { type, body, gzip: gzipSync(body, { level: 9 }) });
  }
  const named = (extension: string): string =>
    `/console/${[...files.keys()].find((name) => name.endsWith(extension)) ?? ""}`;
  const page = await readFile(path.join(WEB, "index.html"), "utf8");
  const html = page
    .replace("%script%", named(".js"))
    .replace("%style%", named(".css"))
    .replace("%icon%", named(".svg"));
  return { html, files };
}
