/** A bot's own words in place of the runtime's: its `texts.<locale>.yaml` lies over the common catalogue, key by key. Pure. */
import { type Catalogue, LOCALES } from "../catalogue.ts";
import { didYouMean, type Finding } from "../finding.ts";
import type { Catalogues } from "../lookup.ts";
import type { Origin } from "../origin.ts";
import { placeholders, type Text } from "../template.ts";
import { textsOf } from "../text-refs.ts";

/** A text every flow shares. */
export interface CommonText {
  readonly locale: (typeof LOCALES)[number];
  /** Where it stands in its catalogue: `say.cancelled`, `bad.cpf.default`. */
  readonly key: string;
  readonly text: Text;
  /** Whether the bot brought it. */
  readonly isOwn: boolean;
}

/** Every common text as it is said in this bot, in the order of the catalogues. */
export function commonTextList(common: Catalogues, own: Catalogues): readonly CommonText[] {
  return LOCALES.flatMap((locale) => {
    const catalogue = common[locale];
    const ours = new Set(keysOf(own[locale]));
    return catalogue
      ? textsOf(catalogue).map(({ key, text }) => ({ locale, key, text, isOwn: ours.has(key) }))
      : [];
  });
}

/**
 * The common catalogues with the bot's words in them. What names no common text, or reads what that text is not given, is a
 * finding at its place and left out.
 */
export function withOwnTexts(
  common: Catalogues,
  own: Catalogues,
  places: NonNullable<Origin["texts"]>,
): { readonly common: Catalogues; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  // The very same object where nothing lies over it: what was made of it before stays good.
  if (Object.keys(own).length === 0) return { common, findings };
  const merged: { [L in (typeof LOCALES)[number]]?: Catalogue } = { ...common };
  for (const locale of LOCALES) {
    const [base, over] = [common[locale], own[locale]];
    if (!base || !over) continue;
    const file = places[locale];
    const tell = (key: string, message: string): void => {
      const at = file?.places.get(key);
      const place = { ...(file ? { file: file.file } : {}), ...(at ?? {}) };
      findings.push({ rule: "bot/text", severity: "error", ...place, message });
    };
    merged[locale] = overlaid(base, over, given(common), tell);
  }
  return { common: merged, findings };
}

/** What each common text may read: whatever it reads in any language. */
function given(common: Catalogues): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const locale of LOCALES)
    for (const { key, text } of common[locale] ? textsOf(common[locale]) : []) {
      const refs = all.get(key) ?? new Set();
      for (const { ref } of placeholders(text)) refs.add(ref);
      all.set(key, refs);
    }
  return all;
}

function overlaid(
  base: Catalogue,
  over: Catalogue,
  known: ReadonlyMap<string, ReadonlySet<string>>,
  tell: (key: string, message: string) => void,
): Catalogue {
  const say = { ...base.say };
  const bad = { ...base.bad };
  for (const { key, text } of textsOf(over)) {
    const refs = known.get(key);
    if (!refs || !/^(?:say|bad)[.]/.test(key)) {
      tell(key, `The runtime says no text ${key}.${didYouMean(key, known.keys())}`);
      continue;
    }
    const stray = placeholders(text).find(({ ref }) => !refs.has(ref));
    if (stray) {
      const names = [...refs].map((ref) => `{{${ref}}}`).join(", ") || "nothing";
      tell(key, `${key} reads {{${stray.ref}}}; it is given ${names}.`);
      continue;
    }
    const [group = "", name = "", reason = ""] = key.split(".");
    const own = group === "say" ? over.say?.[name] : over.bad?.[name]?.[reason];
    if (own === undefined) continue;
    if (group === "say") say[name] = own;
    else bad[name] = { ...bad[name], [reason]: own };
  }
  for (const group of ["title", "start", "options", "confirm"] as const)
    if (over[group] !== undefined)
      tell(group, `A bot's own texts are those of say and bad; ${group} belongs to a flow.`);
  return { ...base, say, bad };
}

function keysOf(catalogue: Catalogue | undefined): readonly string[] {
  return catalogue ? textsOf(catalogue).map(({ key }) => key) : [];
}
