/** The catalogues of a folder: `texts.<locale>.yaml`, one for each language. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Catalogue, Catalogues, Finding, Origin } from "../flow/index.ts";
import type { Kept } from "./kept.ts";
import { keptCatalogue } from "./kept-flows.ts";
import { shown } from "./shown.ts";

export const LOCALES = ["pt-BR", "en"] as const;

export type TextPlaces = NonNullable<Origin["texts"]>;
export interface Texts {
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
    const parsed = keptCatalogue(kept, readFileSync(file, "utf8"), shown(file));
    if (parsed.ok) {
      texts[locale] = parsed.catalogue;
      places[locale] = {
        file: shown(file),
        get places() {
          return parsed.places;
        },
      };
    } else findings.push(...parsed.findings);
  }
  return { texts, places, findings };
}
