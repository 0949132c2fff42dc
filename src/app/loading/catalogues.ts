/** The catalogues of a folder: `texts.<locale>.yaml`, one for each language. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Fault } from "../../base/index.ts";
import {
  type Catalogue,
  type Catalogues,
  didYouMean,
  type Finding,
  findingLine,
  LOCALES,
  type Origin,
  parseCatalogue,
} from "../../flow/index.ts";
import { shown } from "../places.ts";
import type { Kept } from "./kept.ts";

const COMMON_FOLDER = fileURLToPath(new URL("../../flow/texts", import.meta.url));

export type TextPlaces = NonNullable<Origin["texts"]>;
interface Texts {
  readonly texts: Catalogues;
  readonly places: TextPlaces;
  readonly findings: readonly Finding[];
}

/** What is wrong with a catalogue is a finding with its file and line. */
export function catalogues(folder: string, kept?: Kept): Texts {
  const texts: { [L in (typeof LOCALES)[number]]?: Catalogue } = {};
  const places: { [L in (typeof LOCALES)[number]]?: NonNullable<TextPlaces[L]> } = {};
  const findings: Finding[] = [];
  for (const locale of LOCALES) {
    const file = path.join(folder, `texts.${locale}.yaml`);
    if (!existsSync(file)) continue;
    const text = readFileSync(file, "utf8");
    const parsed = kept?.catalogue(text, shown(file)) ?? parseCatalogue(text, shown(file));
    if (parsed.ok) {
      texts[locale] = parsed.catalogue;
      places[locale] = { file: shown(file), places: parsed.places };
    } else findings.push(...parsed.findings);
  }
  return { texts, places, findings };
}

/** Files that look like catalogues and are none: nobody reads them. */
export function strayCatalogues(folder: string): readonly Finding[] {
  const names = LOCALES.map((locale) => `texts.${locale}.yaml`);
  return readdirSync(folder)
    .filter((name) => /^texts\..*ya?ml$/.test(name) && !names.includes(name))
    .map((name) => ({
      ...{ rule: "text/file", severity: "warning", file: shown(path.join(folder, name)) },
      message: `is not read: no catalogue has this name.${didYouMean(name, names)} Rename it to one of ${names.join(", ")}.`,
    }));
}

/** The texts every flow shares, as they stood in these files when they were last read. */
let common: { readonly files: string; readonly texts: Catalogues } | undefined;

/** They come with the runtime: one that cannot be read stops the start. */
export function commonTexts(kept?: Kept): Catalogues {
  const files = LOCALES.map((locale) =>
    readFileSync(path.join(COMMON_FOLDER, `texts.${locale}.yaml`), "utf8"),
  ).join("\0");
  if (common?.files !== files) {
    const { texts, findings } = catalogues(COMMON_FOLDER, kept);
    if (findings.length > 0) throw new Fault("FLOW_INVALID", findings.map(findingLine).join("\n"));
    common = { files, texts };
  }
  return common.texts;
}
