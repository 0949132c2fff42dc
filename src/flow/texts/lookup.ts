/** Which catalogue a text is taken from: the flow's own before the common one, the wanted language before the other. */
import { askText, confirmText, LOCALES, type Catalogue, type Locale } from "./catalogue.ts";
import type { Out } from "../moves/move.ts";
import type { Text } from "./template.ts";

export type Catalogues = { readonly [L in Locale]?: Catalogue };

export function find<V>(
  from: Catalogues,
  locale: Locale,
  read: (catalogue: Catalogue) => V | undefined,
): V | undefined {
  for (const name of [locale, ...LOCALES.filter((other) => other !== locale)]) {
    const catalogue = from[name];
    const found = catalogue ? read(catalogue) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

type Table = (catalogue: Catalogue) => { readonly [reason: string]: Text } | undefined;

/** Why an answer was not taken: the slot's own words, then those of its kind; the most exact reason first. */
export function badText(
  out: Extract<Out, { type: "out.bad" }>,
  kind: string,
  [own, common]: readonly [Catalogues, Catalogues],
  locale: Locale,
): { readonly reason: string; readonly text: Text } | undefined {
  const reasons = [...(out.hint === undefined ? [] : [out.hint]), out.reason, "default"];
  // What is confirmed asks for no slot.
  const ofStep: Table = (catalogue) =>
    out.slot === ""
      ? confirmText(catalogue.confirm?.[out.facts.at])?.bad
      : askText(catalogue.ask?.[out.slot])?.bad;
  const ofKind: Table = (catalogue) => catalogue.bad?.[kind];
  const ofAny: Table = (catalogue) => catalogue.bad?.any;
  const sources: readonly (readonly [Catalogues, Table])[] = [
    [own, ofStep],
    [own, ofKind],
    [common, ofKind],
    [common, ofAny],
  ];
  for (const reason of reasons)
    for (const [from, table] of sources) {
      const text = find(from, locale, (catalogue) => table(catalogue)?.[reason]);
      if (text !== undefined) return { reason, text };
    }
  return undefined;
}
