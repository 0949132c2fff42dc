/** The console's words, and those that plugins add, in the chosen language. */
import { signal } from "@preact/signals";
import { en } from "./en.ts";
import { ptBR, type TextKey } from "./pt-br.ts";

export type { TextKey };
type Language = "pt-BR" | "en";
export type Texts = Readonly<Record<Language, Readonly<Record<string, string>>>>;

const KEY = "prosa.language";

function firstLanguage(): Language {
  const kept = localStorage.getItem(KEY);
  if (kept === "pt-BR" || kept === "en") return kept;
  return navigator.language.startsWith("en") ? "en" : "pt-BR";
}

export const language = signal<Language>(firstLanguage());

const OWN: Texts = { "pt-BR": ptBR, en };
/** With what plugins add. */
const texts = signal<Texts>(OWN);

/** Puts a plugin's words over the console's. */
export function addTexts(added: Texts): void {
  const { "pt-BR": portuguese, en: english } = texts.value;
  texts.value = {
    "pt-BR": { ...portuguese, ...added["pt-BR"] },
    en: { ...english, ...added.en },
  };
}

export function setLanguage(next: Language): void {
  localStorage.setItem(KEY, next);
  language.value = next;
  document.documentElement.lang = next;
}

type Values = Readonly<Record<string, string | number>>;

/** The text of a key, its `{names}` replaced. */
export const t: (key: TextKey, values?: Values) => string = textOf;

/** The same for keys of plugins. A key without a text is told as it is. */
export function textOf(key: string, values: Values = {}): string {
  // Whatever a plugin names.
  const text = String(told(key, key));
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The text of a key made at run time, or the fallback when there is none. */
export function told(key: string, fallback: string): string {
  const known = texts.value[language.value];
  return Object.hasOwn(known, key) ? (known[key] ?? fallback) : fallback;
}
