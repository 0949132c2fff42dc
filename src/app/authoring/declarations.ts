/**
 * What the compiler knows of flows beyond their code, as declaration files beside them. `texts.d.ts` comes from the catalogues
 * and `effects.d.ts` from the bot's own effects; both are made on each machine and not committed. `gateway.d.ts` comes from
 * the contract; it is committed, because it changes with the runtime and not with flows.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Catalogues, textTypes } from "../../flow/index.ts";
import { effectFiles } from "../bot/load-bot.ts";
import { shown, textsOf } from "../loading/flow-files.ts";
import { routeTypes, routeTypesMark } from "./route-types.ts";

export interface Declarations {
  /** Files that were written, since they were not there or said something else. */
  readonly written: readonly string[];
  /** Kept files that say something else and were left as they are. */
  readonly stale: readonly string[];
}

/** Writes what has changed; with `check` a kept file is left as it is and told. */
export async function declarations(
  folder: string,
  options: { readonly check?: boolean } = {},
): Promise<Declarations> {
  const made = [writeTextTypes(folder, textsOf(folder)), writeEffectTypes(folder)];
  const gateway = path.join(folder, "gateway.d.ts");
  const written = made.flatMap((file) => (file === undefined ? [] : [shown(file)]));
  if (contentOf(gateway)?.includes(routeTypesMark())) return { written, stale: [] };
  if (options.check) return { written, stale: [shown(gateway)] };
  replace(gateway, await formatted(routeTypes()));
  return { written: [...written, shown(gateway)], stale: [] };
}

/** Writes `texts.d.ts` of a folder where it differs; gives its path when it did. */
export function writeTextTypes(
  folder: string,
  texts: ReadonlyMap<string, Catalogues>,
): string | undefined {
  const file = path.join(folder, "texts.d.ts");
  const text = textTypes(texts);
  if (contentOf(file) === text) return undefined;
  replace(file, text);
  return file;
}

/** Writes `effects.d.ts` of a folder with effects of its own where it differs; gives its path when it did. */
export function writeEffectTypes(folder: string): string | undefined {
  const files = effectFiles(folder);
  const file = path.join(folder, "effects.d.ts");
  if (files.length === 0) return undefined;
  const names = files.map((one) => path.basename(one));
  const text = [
    "/** Effects of this bot, for the compiler. Made by `prosa flows types`; edit the files in effects/ instead. */",
    'import type { EffectTypes } from "prosa";',
    ...names.map((name, at) => `import type effect${at} from "./effects/${name}";`),
    "",
    'declare module "prosa" {',
    `  interface OwnEffects extends EffectTypes<${names.map((_name, at) => `typeof effect${at}`).join(" | ")}> {}`,
    "}",
    "",
  ].join("\n");
  if (contentOf(file) === text) return undefined;
  replace(file, text);
  return file;
}

/** Whole or not at all: a compiler or another process may read it at this moment. */
function replace(file: string, text: string): void {
  const part = `${file}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, file);
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Formatted as the runtime's sources, where the formatter is installed: only who works on the runtime has it. */
async function formatted(text: string): Promise<string> {
  try {
    const { format } = await import("prettier");
    return await format(text, { parser: "typescript", printWidth: 100 });
  } catch {
    return text;
  }
}
