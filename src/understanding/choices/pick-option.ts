/**
 * Which of the offered options an answer means: by number, ordinal, label, alias or an unmistakable beginning. And which service
 * of a business a sentence names by itself.
 */
import { foldWords } from "../../brazil/index.ts";
import type { Business } from "../business.ts";
import { plainOf } from "../plain.ts";

export interface Pickable {
  readonly id: string;
  readonly label: string;
  readonly aliases?: readonly string[];
}

export type Picked<T extends Pickable> =
  | { readonly type: "match"; readonly option: T }
  | { readonly type: "ambiguous"; readonly options: readonly T[] }
  | { readonly type: "none" };

const ORDINALS = [
  /^primeir[oa]$/,
  /^segund[oa]$/,
  /^terceir[oa]$/,
  /^quart[oa]$/,
  /^quint[oa]$/,
  /^sext[oa]$/,
  /^setim[oa]$/,
  /^oitav[oa]$/,
  /^non[oa]$/,
  /^decim[oa]$/,
];
const CARDINALS = ["um", "dois", "tres", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"];
/** "a opção 2", "quero o primeiro", "número 3, por favor". */
const AROUND =
  /^(?:(?:eu|quero|queria|vou|de|escolho|prefiro|pode|ser|e|eh|o|a|opcao|numero|n|item|servico|seria|com) )+|(?: (?:por favor|pf|pfv|mesmo|opcao|obrigado|obrigada))+$/g;
/** An answer longer than this names no option. */
const LONGEST = 300;
/** A beginning shorter than this is no sign of intent. */
const SHORTEST_PREFIX = 3;

export function pickOption<T extends Pickable>(text: string, options: readonly T[]): Picked<T> {
  if (text.length > LONGEST) return { type: "none" };
  const exact = options.filter((option) => option.id === text.trim());
  if (exact[0]) return { type: "match", option: exact[0] };
  // Keycap emoji ("2️⃣") are a digit and invisible marks.
  const said = foldWords(plainOf(text).replace(/\ufe0f|\u20e3/g, ""));
  const core = said.replace(AROUND, "").trim();
  for (const form of new Set([said, core])) {
    if (form === "") continue;
    const named = unique(options.filter((option) => names(option).includes(form)));
    if (named.length > 0) return found(named);
    const place = placeOf(form, options.length);
    if (place !== null) {
      const option = options[place];
      return option ? { type: "match", option } : { type: "none" };
    }
  }
  return found(alike(core === "" ? said : core, options));
}

/** What may stand around the name of an option without saying anything more. */
const AROUND_WHOLE: ReadonlySet<string> = new Set(
  (
    "sim ok okay pode podem quero vou eu por favor pf pfv ja agora mesmo logo entao certo tudo bem bom beleza blz isso ai la ta esta " +
    "o a os as de da do e eh esse essa este esta meu minha seu sua pedido opcao numero item tarde dia noite oi ola " +
    "obrigado obrigada valeu yes please now the this that it my your request option number thanks thank you i is can go ahead"
  ).split(" "),
);

/**
 * Whether a text names an option and says nothing more: "sim, pode aprovar esse pedido" does, "aprovo mas o valor é 120" and
 * "aprovar?" do not. For choices after which nothing can be taken back.
 */
export function isWhole(
  text: string,
  option: Pickable,
  { things, beside = [] }: Pick<Business, "things" | "beside"> = { things: [] },
): boolean {
  if (text.includes("?")) return false;
  const plain = (line: string) => foldWords(plainOf(line).replace(/\ufe0f|\u20e3/g, ""));
  const said = plain(text);
  if (names(option).some((name) => name.startsWith(said))) return true;
  // The longest name goes first: "pode emitir" is more than "pode".
  const own = [...names(option)].sort((one, other) => other.length - one.length);
  const left = own.reduce((line, name) => line.replaceAll(` ${name} `, "  "), ` ${said} `);
  const words = left.split(" ").filter((word) => word !== "");
  // A number chooses by itself ("opção 1"); beside the name it is something else ("aprovar por 120").
  const isNumbered = left.trim() === said;
  return words.every(
    (word) =>
      AROUND_WHOLE.has(word) ||
      things.includes(word) ||
      beside.includes(word) ||
      (isNumbered && placeOf(word, 1) !== null),
  );
}

function names(option: Pickable): readonly string[] {
  return [option.label, ...(option.aliases ?? [])].map(foldWords);
}

function unique<T>(list: readonly T[]): readonly T[] {
  return [...new Set(list)];
}

function found<T extends Pickable>(options: readonly T[]): Picked<T> {
  const [only, second] = options;
  if (second) return { type: "ambiguous", options };
  return only ? { type: "match", option: only } : { type: "none" };
}

/** Index of "2", "segunda", "dois", "último"; beyond the list for a number that is not offered; null for no number. */
function placeOf(form: string, count: number): number | null {
  if (/^\d{1,3}$/.test(form)) return Number(form) === 0 ? count : Number(form) - 1;
  if (/^ultim[oa]$/.test(form)) return count - 1;
  const ordinal = ORDINALS.findIndex((pattern) => pattern.test(form));
  if (ordinal >= 0) return ordinal;
  const cardinal = CARDINALS.indexOf(form === "uma" ? "um" : form === "duas" ? "dois" : form);
  return cardinal >= 0 ? cardinal : null;
}

/** By beginning of a name first, then by containing every word said, then by being contained in the answer. */
function alike<T extends Pickable>(said: string, options: readonly T[]): readonly T[] {
  if (said.length < SHORTEST_PREFIX) return [];
  const begins = options.filter((option) => names(option).some((name) => name.startsWith(said)));
  if (begins.length > 0) return begins;
  const words = said.split(" ").filter((word) => word.length >= SHORTEST_PREFIX);
  const has = (name: string, word: string): boolean => ` ${name}`.includes(` ${word}`);
  const holds = options.filter((option) =>
    names(option).some((name) => words.length > 0 && words.every((word) => has(name, word))),
  );
  if (holds.length > 0) return holds;
  // A denial or a second thought names an option without choosing it.
  if (/\b(?:nao|nem|menos|exceto|sem|tanto faz)\b/.test(said)) return [];
  return options.filter((option) =>
    names(option).some(
      (name) => name.length >= SHORTEST_PREFIX && ` ${said} `.includes(` ${name} `),
    ),
  );
}

/** Longer texts are stories. */
const STORY = 200;
/** They tell two names apart no more than an article does. */
const SMALL: ReadonlySet<string> = new Set(["de", "da", "do", "das", "dos", "a", "o", "as", "os"]);
/** Something is said against it, or another thing was done beside it. */
const MORE = /[,;+&/]|\b(?:e|ou|mais|com|sem|nao|nem|menos|exceto|and|or|plus|with|without|not)\b/;

/**
 * Which of a business's services the words of a sentence name: "corte de cabelo masculino" → "Corte de cabelo". Its id, or null.
 *
 * Nobody was asked, and tax codes hang on it: the words are the name, begin with it, or are its beginning, and only one
 * service fits. Anything else is asked. Narrower than {@link pickOption}, which reads the answer to a question.
 */
export function namedService(text: string, services: readonly Pickable[]): string | null {
  if (text.length > STORY) return null;
  const said = wordsOf(text);
  if (said.length === 0) return null;
  const names = services.flatMap(({ id, label, aliases = [] }) =>
    [label, ...aliases].map((name) => ({ id, words: wordsOf(name) })),
  );
  const whole = names.filter(({ words }) => words.length === said.length && begins(said, words));
  if (whole.length > 0) return only(whole);
  // A name may have an "e" itself; what is only alike may not.
  if (MORE.test(plainOf(text))) return null;
  return only(
    names.filter(({ words }) => words.length > 0 && (begins(said, words) || begins(words, said))),
  );
}

function only(found: readonly { readonly id: string }[]): string | null {
  const [id, second] = new Set(found.map((one) => one.id));
  return id === undefined || second !== undefined ? null : id;
}

function begins(words: readonly string[], head: readonly string[]): boolean {
  return head.every((word, index) => words[index] === word);
}

function wordsOf(text: string): string[] {
  return foldWords(text)
    .split(" ")
    .filter((word) => word !== "" && !SMALL.has(word))
    .map(singular);
}

/** One form for both numbers; no dictionary, so that a word which only looks like a plural loses its end on both sides. */
export function singular(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/oes$/, "ao")
    .replace(/ais$/, "al")
    .replace(/ns$/, "m")
    .replace(/([rz])es$/, "$1")
    .replace(/s$/, "");
}
