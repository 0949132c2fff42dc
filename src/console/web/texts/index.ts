/** The console's words in the chosen language. */
import { signal } from "@preact/signals";
import { en } from "./en.ts";
import { ptBR, type TextKey } from "./pt-br.ts";

export type { TextKey };
export type Language = "pt-BR" | "en";

const KEY = "prosa.language";

function firstLanguage(): Language {
  const kept = localStorage.getItem(KEY);
  if (kept === "pt-BR" || kept === "en") return kept;
  return navigator.language.startsWith("en") ? "en" : "pt-BR";
}

export const language = signal<Language>(firstLanguage());

export function setLanguage(next: Language): void {
  localStorage.setItem(KEY, next);
  language.value = next;
  document.documentElement.lang = next;
}

/** The text of a key, its `{names}` replaced. */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  const text: string = language.value === "en" ? en[key] : ptBR[key];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The text of a key made at run time, or the fallback when there is none. */
export function told(key: string, fallback: string): string {
  return key in ptBR ? t(key as TextKey) : fallback;
}
