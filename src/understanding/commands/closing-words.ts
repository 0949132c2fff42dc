/** Words that end something ("ok", thanks, no more messages), and politeness around a wish or a short answer. */
import { fold, foldWords } from "../../brazil/index.ts";

/** "ok", "blz", 👍: no wish, right after an end. "Sim" and "quero" may be one. */
const CLOSING =
  /^(?:ok+(?:ay)?|blz|beleza|ta(?: (?:bom|ok|certo|joia))?|certo|entendi|combinado|joia|show|got it|great|all ?right|fine)?$/;

export function isClosing(text: string): boolean {
  const words = foldWords(text);
  if (!CLOSING.test(words) || text.includes("?")) return false;
  // Words of another script fold to nothing, and are no smile.
  return words !== "" || /^[^\p{L}\p{N}]+$/u.test(text);
}

const POLITE =
  /^(?:(?:oi|ola|bom dia|boa tarde|boa noite|por favor|eu|quero|queria|preciso|pode|me|hi|hello|please|i want to)[,.! ]+)+/;

/** A wish without the politeness in front. Of folded text. */
export function withoutPoliteness(said: string): string {
  return said.replace(POLITE, "");
}

const NO = /^(?:nao|n|no)\b/;

/** "Não, obrigada": thanks that are an answer. Of folded words. */
export function beginsWithNo(said: string): boolean {
  return NO.test(said);
}

const ALWAYS = new RegExp(
  [
    String.raw`\b(?:nao quero (?:mais )?(?:receber|mensage)|nao me mand[ae] mais|par(?:a|e|ar) de (?:me )?mandar`,
    String.raw`parar de receber|descadastr|tira da lista|remover meu numero|unsubscribe|stop messaging)|^me remove$`,
  ].join("|"),
);
/** The word that the privacy notice names. */
const NOTICED = /^(?:parar|stop)$/;
/** On short messages carriers and the law know one word. */
const SHORT = /^(?:sair|parar|pare|stop|descadastrar)$/;

/** How plainly a text says it; undefined where it does not. `word`: only where nothing else can be meant. */
export function stopsMessages(
  text: string,
): { readonly by: "sentence" | "word"; readonly isNoticed: boolean } | undefined {
  const said = fold(text);
  if (ALWAYS.test(said)) return { by: "sentence", isNoticed: false };
  return SHORT.test(said) ? { by: "word", isNoticed: NOTICED.test(said) } : undefined;
}

const BEFORE =
  /^(?:(?:oi+e?|ola|opa|bom dia|boa tarde|boa noite|entao|ah|olha|tipo|assim|sim|ok|ta bom|beleza|blz|certo|desculpa)[,.!]* )+(?=[a-z0-9])/;
/** Looked for at the beginning of a run of marks only: from within one it would take the square of the run's length. */
const AFTER =
  /(?<![,.!])(?:[,.!]* (?:por favor|por gentileza|pf|pfv|muito obrigad[oa]|obrigad[oa]|brigad[oa]|obg|vlw|valeu|viu|ok|msm|mesmo|ne|blz|beleza|k{2,}|(?:rs){2,}))+[.!]*$/;

/** How many characters of politeness a text begins and ends with; 0 and 0 when it is nothing else. */
export function courtesy(line: string): { readonly before: number; readonly after: number } {
  const before = BEFORE.exec(line)?.[0].length ?? 0;
  const after = AFTER.exec(line.slice(before))?.[0].length ?? 0;
  return before + after < line.length ? { before, after } : { before: 0, after: 0 };
}

export function withoutCourtesy(line: string): string {
  const { before, after } = courtesy(line);
  return line.slice(before, line.length - after);
}
