/** What notes are called, for readings of names, numbers and days beside them. */
import type { Business } from "../../../plugin.ts";

/** By language, as the engine wants them. */
export const NOUNS = {
  "pt-BR": {
    things: ["nota", "notas", "nf", "nfs", "nfse", "nfs-e", "nfe", "nf-e"],
    people: ["tomador", "tomadora"],
    beside: ["fiscal", "fiscais"],
    months: ["competencia", "comp", "comp."],
  },
  en: { things: ["invoice", "invoices"] },
} as const;

export const NOTE_NOUNS: Business = {
  things: [...NOUNS["pt-BR"].things, ...NOUNS.en.things],
  people: NOUNS["pt-BR"].people,
  beside: NOUNS["pt-BR"].beside,
  months: NOUNS["pt-BR"].months,
};
