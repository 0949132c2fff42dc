/**
 * The common texts of a bot: the runtime's, those of plugins, and above both, key by key, those of the bot's own
 * `texts.<locale>.yaml`. Pure.
 */
import { didYouMean, type Finding } from "../ast/finding.ts";
import type { Origin } from "../ast/origin.ts";
import { Catalogue, type Locale, LOCALES, textsOf, type Catalogues } from "../texts/catalogue.ts";
import { placeholders, type Text } from "../texts/template.ts";

/**
 * Common words of one language: `say` by key, `bad` (why an answer was not taken) by kind of slot and reason.
 *
 *     { say: { "parcel-late": "Your parcel is late." }, bad: { parcel: { default: "Which parcel?" } } }
 */
export type AddedTexts = Pick<Catalogue, "say" | "bad">;

/**
 * Common words that a plugin adds, by language. A key that somebody before it has is an error that names both.
 *
 *     texts: { "pt-BR": { say: { "parcel-late": "…" } }, en: { say: { "parcel-late": "…" } } }
 *
 * A bot's own `texts.<locale>.yaml` may say each of them otherwise.
 */
export type PluginTexts = { readonly [L in Locale]?: AddedTexts };

/** A text every flow shares. */
export interface CommonText {
  readonly locale: Locale;
  /** Where it stands in its catalogue: `say.cancelled`, `bad.cpf.default`. */
  readonly key: string;
  readonly text: Text;
  /** Who brings it: `runtime`, the name of a plugin, or `bot`. */
  readonly from: string;
}

interface CommonSources {
  readonly runtime: Catalogues;
  /** Of plugins in their order, then of the bot's `config.ts`. */
  readonly added: readonly { readonly from: string; readonly texts: PluginTexts }[];
  /** The bot's own files, and where their texts stand. */
  readonly own: Catalogues;
  readonly places: NonNullable<Origin["texts"]>;
  /** Catalogues the bot has; all by default. */
  readonly languages?: readonly Locale[] | undefined;
  /** Of the bot, as people know it: findings about plugins name it. */
  readonly config?: string | undefined;
}

export interface CommonTexts {
  readonly common: Catalogues;
  readonly findings: readonly Finding[];
  /** Every text as it is said, in the order of the catalogues. */
  list(): readonly CommonText[];
}

/** Catalogues being put together. */
type Open = { [L in Locale]?: Catalogue };

/**
 * Puts the common texts together. What is wrong with one is a finding, and that text is left out: a key somebody has
 * already, a key that is none, or a reference that text is not given.
 */
export function commonTextsOf(sources: CommonSources): CommonTexts {
  const { added, own, languages } = sources;
  const runtime = spoken(sources.runtime, languages);
  const findings: Finding[] = [];
  const brought = new Map<string, string>();
  // The very same object where nothing lies over it: what was made of it before stays good.
  const common: Open = added.length + Object.keys(own).length === 0 ? runtime : { ...runtime };
  const owners = new Map(keysOf(sources.runtime).map((key) => [key, "runtime"]));
  for (const { from, texts } of added) {
    const file = sources.config === undefined ? {} : { file: sources.config };
    const told = (message: string): void =>
      void findings.push({ rule: "bot/text", severity: "error", ...file, message });
    const good = checked(from, texts, told);
    add(common, from, good, owners, told);
    for (const locale of LOCALES)
      for (const { key } of listOf({ locale, ...good[locale] }))
        if (owners.get(key) === from) brought.set(`${locale} ${key}`, from);
  }
  const known = given(common);
  for (const locale of LOCALES) {
    const [base, over] = [common[locale], own[locale]];
    if (!base || !over) continue;
    const file = sources.places[locale];
    const tell = (key: string, message: string): void => {
      const at = file?.places.get(key);
      const place = { ...(file ? { file: file.file } : {}), ...(at ?? {}) };
      findings.push({ rule: "bot/text", severity: "error", ...place, message });
    };
    common[locale] = overlaid(base, over, known, tell);
    for (const { key } of textsOf(over)) brought.set(`${locale} ${key}`, "bot");
  }
  const list = (): readonly CommonText[] =>
    LOCALES.flatMap((locale) =>
      listOf(common[locale]).map(({ key, text }) => {
        const from = brought.get(`${locale} ${key}`) ?? "runtime";
        return { locale, key, text, from };
      }),
    );
  return { common, findings, list };
}

/** Only the languages a bot has. */
export function spoken(texts: Catalogues, languages: readonly Locale[] | undefined): Catalogues {
  if (languages === undefined || LOCALES.every((one) => languages.includes(one))) return texts;
  return Object.fromEntries(
    Object.entries(texts).filter(([one]) => languages.includes(one as Locale)),
  );
}

function listOf(catalogue: Catalogue | undefined): ReturnType<typeof textsOf> {
  return catalogue ? textsOf(catalogue) : [];
}

function keysOf(texts: Catalogues): readonly string[] {
  return LOCALES.flatMap((locale) => listOf(texts[locale]).map(({ key }) => key));
}

const Added = Catalogue.pick({ say: true, bad: true });

/** Without what is no catalogue. */
function checked(from: string, texts: PluginTexts, tell: (message: string) => void): PluginTexts {
  const good: { [L in Locale]?: AddedTexts } = {};
  for (const [locale, table] of Object.entries(texts)) {
    const parsed = Added.safeParse(table);
    const [issue] = parsed.error?.issues ?? [];
    const name = LOCALES.find((one) => one === locale);
    if (name === undefined)
      tell(`${whose(from)} texts in ${locale}. Languages are ${LOCALES.join(" and ")}.`);
    else if (issue)
      tell(
        `${whose(from)} texts in ${locale} that are none: ${issue.path.join(".")}: ${issue.message}`,
      );
    else good[name] = table;
  }
  return good;
}

/** What somebody's `texts` do, as the beginning of a sentence. */
function whose(from: string): string {
  return from === "bot" ? "This file adds" : `The plugin ${from} adds`;
}

function add(
  common: Open,
  from: string,
  texts: PluginTexts,
  owners: Map<string, string>,
  tell: (message: string) => void,
): void {
  const refused = new Set<string>();
  const isFree = (key: string): boolean => {
    const owner = owners.get(key);
    if (owner === undefined || owner === from) {
      owners.set(key, from);
      return true;
    }
    if (!refused.has(key)) {
      const other = owner === "runtime" ? "the runtime" : `the plugin ${owner}`;
      tell(`${whose(from)} the text ${key}, as ${other} does: rename it.`);
    }
    refused.add(key);
    return false;
  };
  for (const locale of LOCALES) {
    const [base, more] = [common[locale], texts[locale]];
    if (!base || !more) continue;
    const free = <T>(group: string, table: Readonly<Record<string, T>> = {}): Record<string, T> =>
      Object.fromEntries(Object.entries(table).filter(([key]) => isFree(`${group}.${key}`)));
    const bad = { ...base.bad };
    for (const [kind, table] of Object.entries(more.bad ?? {}))
      bad[kind] = { ...bad[kind], ...free(`bad.${kind}`, table) };
    common[locale] = { ...base, say: { ...base.say, ...free("say", more.say) }, bad };
  }
}

/** What each common text may read: whatever it reads in any language. */
function given(common: Catalogues): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const locale of LOCALES)
    for (const { key, text } of listOf(common[locale])) {
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
