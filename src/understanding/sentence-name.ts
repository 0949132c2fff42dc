/** Who receives the note, of a sentence about one. */
import { FIRST_NAMES } from "./first-names.ts";
import { isInstead } from "./name-around.ts";
import { personOrCompany } from "./name.ts";
import { plain } from "./plain.ts";
import { cut, type Draft } from "./sentence.ts";
import { NUMBER_WORD } from "./sentence-value.ts";

/** After "pra", "para", "em nome de", "cliente": up to a comma, a cut, or a word that begins something else. */
const NAME =
  /\b(?:(?:pra|para|pro|em nome d[aeo]|no nome d[aeo]|(?:em|a) favor d[aeo]|cliente|tomadora?|destinatari[oa]|contratante|to)\b:?|(?<= )p(?:\/|\b(?= ))|nome(?: completo)?:?(?= )|(?:nome(?: completo)?|razao social|empresa):) ?(?:(?:o|a|os|as|ao) )?(?:(?:sr|sra|dr|dra|dona|seu|cliente|empresa)\.? )?([a-z][^,;:\u0001]{1,149}?)(?= (?:ref|referente|por|valor|no valor|cpf|cnpj|r\$|pelo|pela|(?:(?:de|por|a) )?(?:r\$ ?\d|\d[\d.,]*(?: mil)? (?:reais|real|contos?|pilas?|paus?|mangos?)|\d[\d.]*,\d\d)|pagou|deu|servico|tel|telefone|cep|semana|mes|amanha|e manda|e envia)\b| ?[,;:.(\u0001]| - |$)/g;
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
    // "pra igreja", "pra minha mãe", "pro aluno Caio": somebody, and no name.
    if (isInstead(said.trim()) || JUDGED.test(said) || /^(?:d[aeo]s?|e)$/.test(said.trim())) {
      cut(draft, match.index, match.index + match[0].length);
      continue;
    }
    if (NOBODY.test(said)) continue;
    // "pra Ana e de 200 pra Bia": two notes in one sentence, not to be told apart.
    if (/ (?:pra|para|pro) /.test(said)) return null;
    const full = draft.line.slice(start, end);
    // "pra Pedro Alves 100": a person's name ends before a number.
    const number = FIRST_NAMES.has(plain(full).split(" ")[0] ?? "")
      ? / \d[\d.]*$/.exec(full)
      : null;
    const length = nameLength(full.slice(0, number?.index));
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

/** "nota 10 pro atendimento": a service is praised, nobody is named. */
const JUDGED =
  /^(?:alun[oa]|paciente|tutora?|dependente|atendimento|servico|trabalho|bot|app|aplicativo|site|sistema)\b/;

/** What a company's name begins or ends with. */
const COMPANY_WORDS =
  /^(?:padaria|mercado|mercadinho|supermercado|auto|oficina|clinica|escola|colegio|igreja|construtora|condominio|restaurante|lanchonete|bar|pizzaria|farmacia|drogaria|hotel|pousada|academia|salao|barbearia|associacao|instituto|fundacao|transportes|transportadora|distribuidora|comercial|grupo|studio|estudio|loja|lojas|prefeitura|cooperativa|imobiliaria|metalurgica|industria|editora|livraria|pet|petshop|posto|sitio|fazenda|agro|agropecuaria|confeitaria|floricultura|grafica|laboratorio|hospital|centro|casa|empresa|organizacoes|consultorio|escritorio|atelie|otica|papelaria|mecanica|madeireira|marmoraria|serralheria)$/;
const FIRM = /\b(?:ltda|mei|epp|eireli|s\/?a|me)\.?$/;
const NAME_WORD = /^\p{Lu}[\p{L}'’.-]*$/u;
const JOINING = /^(?:d[aeo]s?|e|&)$/;
/** Before a loose name: words of asking and a colon. */
const ASKED_FOR =
  /^(?:[a-z ]{0,40}\b(?:notas?|nf|nfs-?e)(?: fiscal)?(?: d[ao])?:? |(?:nome|cliente|emitir|emite|emita):? )/;
const MOST_WORDS = 7;

/**
 * A name that nothing introduces: "Rafael Teixeira" between two commas, "Agro Serra Ltda" beside a number. Every word has its
 * capital, and the first is a first name or a word of companies; a service would be written otherwise.
 */
export function takeLooseName(draft: Draft): string | null {
  const found: { readonly name: string; readonly start: number; readonly end: number }[] = [];
  for (const match of draft.line.matchAll(/[^,;\n()\u0001]+/g)) {
    const whole = match[0];
    const lead = /^[\s.:\-–]*/.exec(whole)?.[0].length ?? 0;
    const asked = ASKED_FOR.exec(plain(whole.slice(lead)))?.[0].length ?? 0;
    const start = match.index + lead + asked;
    const said = draft.line.slice(start, match.index + whole.length).replace(/[\s.!:\-–]+$/, "");
    if (isLooseName(said, asked > 0 && / d[ao] $/.test(plain(whole).slice(0, lead + asked))))
      found.push({ name: said, start, end: start + said.length });
  }
  const [only] = found;
  if (!only || found.length > 1) return null;
  const name = personOrCompany(only.name);
  if (name !== null) cut(draft, only.start, only.end);
  return name;
}

function isLooseName(said: string, ofSomebody: boolean): boolean {
  const words = said.split(" ");
  const [first = ""] = words;
  const last = words.at(-1) ?? "";
  if (words.length > MOST_WORDS || JOINING.test(last) || !NAME_WORD.test(first)) return false;
  const firm = FIRM.test(plain(said)) && words.length > 1;
  const proper = words.every(
    (word) => NAME_WORD.test(word) || JOINING.test(word) || (firm && /^[\p{L}\d/.&]+$/u.test(word)),
  );
  if (!proper) return false;
  const begin = plain(first);
  if (firm) return true;
  // "nota da Vanessa": one first name is enough after the words that ask.
  if (words.length === 1) return ofSomebody && FIRST_NAMES.has(begin);
  return FIRST_NAMES.has(begin) || COMPANY_WORDS.test(begin);
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
