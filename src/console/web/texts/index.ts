/** The console's words and those that plugins add, and times, spans and money, in the chosen language. */
import { signal } from "@preact/signals";
import { en } from "./en.ts";
import { ptBR, type TextKey } from "./pt-br.ts";

export type { TextKey };
type Language = "pt-BR" | "en";
type Texts = Readonly<Record<Language, Readonly<Record<string, string>>>>;

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

const ZONE = "America/Sao_Paulo";

function inZone(at: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language.value, { ...options, timeZone: ZONE }).format(at);
}

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

export const clockTime = (at: number): string => inZone(at, CLOCK);

export const preciseTime = (at: number): string => inZone(at, { ...CLOCK, second: "2-digit" });

export function dayAndTime(at: number): string {
  const day = inZone(at, { day: "numeric", month: "short" });
  return `${day
    .replace(/ de |\./g, " ")
    .replace(/\s+/g, " ")
    .trim()}, ${clockTime(at)}`;
}

export const dayOf = (at: number): string =>
  inZone(at, { weekday: "short", day: "numeric", month: "long" });

export function money(value: number): string {
  return new Intl.NumberFormat(language.value, { style: "currency", currency: "BRL" }).format(
    value,
  );
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** The two largest units of a span: `1 d 3 h`, `14 min 32 s`. */
export function span(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1000) * 1000);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    if (parts.length === 2) break;
  }
  return parts.length === 0 ? "0 s" : parts.join(" ");
}

export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
