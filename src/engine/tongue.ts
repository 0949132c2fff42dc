/**
 * The language of a conversation follows the person: what they write tells it, and what they ask for settles it.
 *
 * Only clear words count. A single name or number says nothing, and one English word in a Portuguese sentence is no wish.
 */
import { foldWords } from "../brazil/index.ts";
import type { Draft } from "./draft.ts";
import type { Session } from "./session.ts";

type Locale = Session["locale"];

const ASKED: readonly (readonly [Locale, RegExp])[] = [
  [
    "en",
    /^(?:(?:can you |please |do you )?(?:speak |talk |write )?(?:in )?english(?: please)?|(?:fala |fale |em )?ingles)$/,
  ],
  [
    "pt-BR",
    /^(?:(?:can you |please )?(?:speak |talk )?(?:in )?portuguese(?: please)?|(?:fala |fale |pode falar )?(?:em )?portugues(?: por favor)?)$/,
  ],
];
/** Words that are of one language alone. */
const ENGLISH =
  /^(?:hello|hey|hi|good|morning|afternoon|evening|i|im|need|want|would|like|an|the|my|you|your|is|are|for|can|could|please|thanks|thank|help|what|how|with|from|invoice|receipt|yes|this|it)$/;
const PORTUGUESE =
  /^(?:oi|ola|opa|eai|bom|boa|dia|tarde|noite|preciso|quero|queria|gostaria|uma|um|da|do|das|dos|de|pra|para|pro|por|favor|voce|voces|meu|minha|nao|sim|que|qual|com|nota|fiscal|obrigado|obrigada|eu|isso|tem|ta|esta|valor)$/;
/** A greeting says it alone. */
const GREETING = /^(?:hello|hey|good (?:morning|afternoon|evening))(?: there)?$/;
const SAUDACAO = /^(?:oi|ola|opa|bom dia|boa tarde|boa noite)$/;
const LETTER = /[a-z]/;
/** So many words of one language and none of the other make a sentence of it. */
const ENOUGH = 2;

/** The language somebody asks for by its name, and says nothing else. */
export function tongueAsked(text: string): Locale | undefined {
  const said = foldWords(text);
  return ASKED.find(([, form]) => form.test(said))?.[0];
}

/** The language a text is clearly written in. */
export function tongueOf(text: string): Locale | undefined {
  const said = foldWords(text);
  if (GREETING.test(said)) return "en";
  if (SAUDACAO.test(said)) return "pt-BR";
  if (!LETTER.test(said)) return undefined;
  const words = said.split(" ");
  const english = words.filter((word) => ENGLISH.test(word)).length;
  const portuguese = words.filter((word) => PORTUGUESE.test(word)).length;
  if (english >= ENOUGH && portuguese === 0) return "en";
  // Names and streets are Portuguese in every language.
  return portuguese >= ENOUGH && english === 0 ? "pt-BR" : undefined;
}

/** What a text says of the language of its person. */
export interface Tongue {
  /** Asked for by its name, and nothing else. */
  readonly asked: Locale | undefined;
  /** Clearly written in it. */
  readonly heard: Locale | undefined;
}

export function tongueIn(text: string): Tongue | undefined {
  const [asked, heard] = [tongueAsked(text), tongueOf(text)];
  return asked || heard ? { asked, heard } : undefined;
}

/** Follows what somebody wrote, as far as the business speaks it. True when they asked for it by name. */
export function follow({ session, env }: Draft, { asked, heard }: Tongue): boolean {
  const speaks = (locale: Locale) => env.account.languages.includes(locale);
  if (asked && speaks(asked)) {
    session.locale = asked;
    session.localeAsked = true;
    return true;
  }
  if (heard && !session.localeAsked && speaks(heard)) session.locale = heard;
  return false;
}
