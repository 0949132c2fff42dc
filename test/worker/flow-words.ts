/** The engine's own words as operators read them: the shared catalogue, and no flow. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { createLibrary, type FlowLibrary } from "../../src/flow/index.ts";

function catalogue(locale: string): never {
  const file = new URL(`../../src/flow/texts.${locale}.yaml`, import.meta.url);
  return parse(readFileSync(file, "utf8")) as never;
}

export const library: FlowLibrary = createLibrary({
  ...{ flows: [], effects: [] },
  common: { "pt-BR": catalogue("pt-BR"), en: catalogue("en") },
});
