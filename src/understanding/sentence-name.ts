/** Who receives the note, of a sentence about one. */
import { personOrCompany } from "./name.ts";
import { cut, type Draft } from "./sentence.ts";
import { NUMBER_WORD } from "./sentence-value.ts";

/** After "pra", "para", "em nome de", "cliente": up to a comma, a cut, or a word that begins something else. */
const NAME =
  /\b(?:(?:pra|para|pro|em nome d[aeo]|no nome d[aeo]|cliente|tomador|destinatario|to)\b:?|(?<= )p(?:\/|\b(?= ))|nome(?: completo)?:?(?= )|(?:nome(?: completo)?|razao social|empresa):) ?(?:(?:o|a|os|as|ao) )?(?:(?:sr|sra|dr|dra|dona|seu|cliente|empresa)\.? )?([a-z][^,;:\u0001]{1,149}?)(?= (?:ref|referente|por|valor|no valor|cpf|cnpj|r\$|pelo|pela|de r\$|pagou|deu|servico|tel|telefone|cep|semana|mes|amanha|e manda|e envia)\b| ?[,;:.(\u0001]| - |$)/g;
const NOBODY =
  /^(?:pagamento|reembolso|imposto|declaracao|contabilidade|mim|ele|ela|eles|voce|vc|hoje|ontem|amanha|cliente|mes|o mes|esse|essa|este|esta|um|uma|meu|minha|emitir|fazer|gente|pedir|tirar|ter|conseguir|receber)\b/;

export function takeName(draft: Draft): string | null {
  const names: string[] = [];
  for (const match of draft.folded.matchAll(NAME)) {
    const said = match[1] ?? "";
    const start = match.index + match[0].length - said.length;
    // "pra Maria de 150 reais": an amount at the end is not part of a name.
    const tail = AMOUNT_TAIL.exec(said);
    const end = tail ? start + tail.index : start + said.length;
    if (NOBODY.test(said)) continue;
    // "pra Ana e de 200 pra Bia": two notes in one sentence, not to be told apart.
    if (/ (?:pra|para|pro) /.test(said)) return null;
    const length = nameLength(draft.line.slice(start, end));
    // Somebody, though nobody knows who: at least it is not what was done.
    if (length === 0) cut(draft, match.index, end);
    const name = length === 0 ? null : personOrCompany(draft.line.slice(start, start + length));
    if (name === null) continue;
    names.push(name);
    cut(draft, match.index, start + length);
  }
  const [only] = names;
  return only !== undefined && names.length === 1 ? only : null;
}

const AMOUNT_TAIL = new RegExp(
  ` (?:de|por|no valor de|valor) (?=\\d|r\\$|(?:${NUMBER_WORD})\\b)|,? (?:rua|r\\.|av\\.?|avenida|travessa|alameda|rg) `,
);
const PARTICLE = /^(?:d[aeo]s?|e)$/;
const COMPANY = /\b(?:ltda|me|mei|epp|eireli|s\/?a)\b/i;
/** So many words in small letters are a name and something else. */
const LONG = 4;

/**
 * How many characters of what follows "pra" are a name. "Bia Ramos corte de cabelo" ends after the words with capitals;
 * 0 when nobody can say where it ends, and when two people are named.
 */
function nameLength(said: string): number {
  const words = [...said.matchAll(/\S+/g)].map((match) => ({
    word: match[0],
    end: match.index + match[0].length,
  }));
  if (words.length === 3 && words[1]?.word === "e") return 0;
  if (COMPANY.test(said)) return said.length;
  const capital = (word: string): boolean => /^[^a-z\u00df-\u00ff]/.test(word);
  const plainWords = words.filter(({ word }) => !PARTICLE.test(word));
  const small = plainWords.filter(({ word }) => !capital(word));
  if (!capital(words[0]?.word ?? "a")) return plainWords.length >= LONG ? 0 : said.length;
  // The first small word that no particle joins to the name before it.
  const at = words.findIndex(
    ({ word }, index) =>
      !capital(word) && !PARTICLE.test(word) && !PARTICLE.test(words[index - 1]?.word ?? ""),
  );
  if (at < 0) return said.length;
  if (at >= 2) return words[at - 1]?.end ?? 0;
  return small.length === 1 ? said.length : 0;
}
