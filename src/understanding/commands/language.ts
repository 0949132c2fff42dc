/**
 * The language that a text is written in, or asks for.
 *
 * Only clear words count. A single name or number says nothing, and one English word in a Portuguese sentence is no wish.
 */
import { foldWords } from "../../brazil/index.ts";
import type { Business } from "../business.ts";

type Locale = "pt-BR" | "en";

/** Languages as people call them. */
const CALLED: readonly (readonly [Locale, RegExp])[] = [
  ["en", /^(?:english|ingles)$/],
  ["pt-BR", /^(?:portuguese|portugues)$/],
];
/** What may stand beside the name of a language where nothing but the language is asked for. */
const BESIDE =
  /^(?:can|could|may|would|lets|let|us|i|we|you|u|do|prefer|only|just|speak|talk|write|chat|answer|reply|continue|switch|change|go|back|in|to|the|language|sorry|hi|hello|please|pls|now|instead|eu|voce|voces|vc|podemos|pode|prefiro|so|fala|fale|falo|falar|conversar|escreve|escrever|responde|responder|continuar|seguir|ser|muda|mudar|volta|voltar|em|pra|para|pro|o|idioma|lingua|por|favor|desculpa|desculpe|oi|ola|agora)$/;
/** "I do not speak Portuguese" asks for the other one; "do you not speak English?" still asks for English. */
const NEGATED = /^(?:not|dont|don|t|cant|cannot|nao)$/;
const TO_US = /^(?:you|u|voce|voces|vc)$/;
/** Words that are of one language alone. */
const ENGLISH =
  /^(?:hello|hey|hi|good|morning|afternoon|evening|i|im|need|want|would|like|its|we|was|sorry|have|know|today|yesterday|an|the|my|you|your|is|are|for|can|could|please|thanks|thank|help|what|how|with|from|receipt|yes|this|it)$/;
const PORTUGUESE =
  /^(?:oi|ola|opa|eai|bom|boa|dia|tarde|noite|preciso|quero|queria|gostaria|uma|um|da|do|das|dos|de|pra|para|pro|por|favor|voce|voces|meu|minha|nao|sim|que|qual|com|obrigado|obrigada|eu|isso|tem|ta|esta|valor)$/;
/** A greeting says it alone. */
const GREETING = /^(?:hello|hey|hi|good (?:morning|afternoon|evening))(?: there)?$/;
const SAUDACAO = /^(?:oi|ola|opa|bom dia|boa tarde|boa noite)$/;
const LETTER = /[a-z]/;
/** So many words of one language and none of the other make a sentence of it. */
const ENOUGH = 2;

/** The language somebody asks for by its name, and says nothing else. */
export function languageAsked(text: string): Locale | undefined {
  const words = foldWords(text).split(" ");
  const isName = (word: string) => CALLED.some(([, name]) => name.test(word));
  const named = CALLED.filter(([, name]) => words.some((word) => name.test(word)));
  const [locale] = named[0] ?? [];
  if (locale === undefined || named.length > 1) return undefined;
  const others = words.filter((word) => !isName(word));
  if (!others.every((word) => BESIDE.test(word) || NEGATED.test(word))) return undefined;
  const isDenied =
    others.some((word) => NEGATED.test(word)) && !others.some((word) => TO_US.test(word));
  return isDenied ? CALLED.find(([other]) => other !== locale)?.[0] : locale;
}

/** The language a text is clearly written in. */
export function languageWrittenIn(text: string, business?: Business): Locale | undefined {
  const said = foldWords(text);
  if (GREETING.test(said)) return "en";
  if (SAUDACAO.test(said)) return "pt-BR";
  if (!LETTER.test(said)) return undefined;
  const words = said.split(" ");
  const isOf = (word: string, locale: Locale) => business?.spoken?.[locale].includes(word);
  const count = (of: RegExp, locale: Locale) =>
    words.filter((word) => of.test(word) || isOf(word, locale)).length;
  const english = count(ENGLISH, "en");
  const portuguese = count(PORTUGUESE, "pt-BR");
  if (english >= ENOUGH && portuguese === 0) return "en";
  // Names and streets are Portuguese in every language.
  return portuguese >= ENOUGH && english === 0 ? "pt-BR" : undefined;
}

/** What a text says of the language of its person. */
export interface SaidLanguage {
  /** Asked for by its name, and nothing else. */
  readonly asked: Locale | undefined;
  /** Clearly written in it. */
  readonly heard: Locale | undefined;
  /** The asking is a sentence: nobody's name and no description, also where any text is an answer. */
  readonly isSentence: boolean;
}

/** So many words ask; "português" alone may be the answer to what was done. */
const SENTENCE = 3;

export function languageIn(text: string, business?: Business): SaidLanguage | undefined {
  const [asked, heard] = [languageAsked(text), languageWrittenIn(text, business)];
  if (!asked && !heard) return undefined;
  return { asked, heard, isSentence: !!asked && foldWords(text).split(" ").length >= SENTENCE };
}
