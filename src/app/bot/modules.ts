/** Modules that a bot's `config.ts` may import. They are those of this process, so that there is one of each. */
import { existsSync, readdirSync } from "node:fs";

const PLUGINS = new URL("../../plugins/", import.meta.url);
/** Where the bundled config finds the modules of this process. */
const PLACE = Symbol.for("prosa.modules");

type Modules = Record<string, object>;

/** The JavaScript of a module that hands on what the one named so exports. Throws for a name there is no module of. */
export async function handedOn(name: string): Promise<string> {
  const module = await moduleOf(name);
  const all = ((globalThis as { [PLACE]?: Modules })[PLACE] ??= {});
  all[name] = module;
  const from = `globalThis[Symbol.for("prosa.modules")][${JSON.stringify(name)}]`;
  return `export const { ${Object.keys(module).join(", ")} } = ${from};`;
}

async function moduleOf(name: string): Promise<object> {
  if (name === "prosa") return await import("../../index.ts");
  if (name === "prosa/plugin") return await import("../../plugin.ts");
  const plugin = name.slice("prosa/".length);
  const shipped = readdirSync(PLUGINS).filter((one) =>
    existsSync(new URL(`${one}/index.ts`, PLUGINS)),
  );
  if (!shipped.includes(plugin)) {
    const names = ["prosa", "prosa/plugin", ...shipped.map((one) => `prosa/${one}`)];
    throw new Error(`There is no module ${name}. There are: ${names.join(", ")}.`);
  }
  // The bundler looks for what the name may be, and bundles each apart.
  return (await import(`../../plugins/${plugin}/index.ts`)) as object;
}
