/** Where a name ends that nothing marks the end of: "Bia Ramos corte de cabelo". Pure. */
import { FIRST_NAMES, isServiceWord, plain } from "../../../../plugin.ts";

const PARTICLE = /^(?:d[aeo]s?|e)$/;
/** So many words in small letters are a name and something else. */
const LONG = 4;
/** … where the first is a word of companies. */
const LONG_FIRM = 6;

/** Family names that are written in small letters after a first name with its capital. */
const SURNAME =
  /^(?:silva|souza|sousa|costa|santos|oliveira|pereira|lima|ferreira|almeida|rocha|cruz|luz|paz|ribeiro|carvalho|gomes|martins|araujo|barbosa|cardoso|nascimento|moreira|nunes|mendes|freitas|dias|ramos|reis|campos|jesus|graca|gracas|conceicao|carmo|socorro|penha|rosario|prado|neves|castro|melo|mello|pinto|teixeira|correia|moura|aparecida|cunha|rosa|paula|andrade|anjos|motta|mota|gloria|luca|queiroz|farias|faria|fonseca|franca|guerra|macedo|maia|matos|mattos|medeiros|menezes|miranda|monteiro|morais|moraes|paiva|passos|pires|porto|rego|rios|sa|sales|salles|serra|siqueira|soares|tavares|torres|vale|veiga|viana|vianna|vieira|xavier|assis|avila|azevedo|barros|batista|bastos|borges|braga|brito|bueno|camargo|camara|carneiro|chagas|coelho|cordeiro|coutinho|domingos|duarte|esteves|fernandes|figueiredo|fontes|garcia|gama|goncalves|guimaraes|lacerda|leal|leite|lemos|lopes|luna|machado|magalhaes|maranhao|marques|meireles|meira|mesquita|nobrega|nogueira|pacheco|padilha|peixoto|pena|pimentel|pinheiro|portela|ramalho|rangel|resende|rezende|sampaio|santana|santiago|saraiva|seixas|sena|simoes|teles|toledo|trindade|valente|vargas|vasconcelos|vaz|veloso|vidal|zanetti)$/;
const CONNECTING = /^(?:d[aeo]s?|e|di|du|del|della|von|van|y|&)$/;
/** What may also stand inside a company's name: "Escola Passo a Passo", "Casa com Arte". */
const CONNECTING_FIRM =
  /^(?:d[aeo]s?|e|di|du|del|della|von|van|y|&|a|à|ao|em|no|na|com|para|por|p\/|of|the|and)$/u;

interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * How many characters of what follows "pra" are a name. "Bia Ramos corte de cabelo" ends after the words with capitals;
 * 0 when nobody can say where it ends, and when two people are named.
 */
export function nameLength(said: string): number {
  const words: readonly Word[] = [...said.matchAll(/\S+/g)].map(({ index, 0: word }) => ({
    word,
    start: index,
    end: index + word.length,
  }));
  const first = plain(words[0]?.word ?? "");
  if (twoPeople(words)) return 0;
  if (COMPANY.test(said)) return firmLength(said);
  // What was done begins: "sofia lemos aula de francês".
  const service = words.findIndex(
    ({ word }, at) => at > 0 && /^\p{Ll}/u.test(word) && isServiceWord(plain(word)),
  );
  if (service > 0) {
    const before = trailing(words.slice(0, service));
    const known = FIRST_NAMES.has(first) || before.every(({ word }) => isCapital(word));
    return known ? nameLength(said.slice(0, before.at(-1)?.end ?? 0)) : 0;
  }
  const other = words.findIndex(({ word }, at) => at > 0 && AFTER_NAME.test(word));
  if (other > 0 && !isCapital(words[0]?.word ?? "a"))
    return nameLength(said.slice(0, words[other - 1]?.end ?? 0));
  // "lucas meira da matrícula": after a particle only a family name goes on.
  if (
    FIRST_NAMES.has(first) &&
    words.some(
      ({ word }, at) =>
        at > 1 &&
        PARTICLE.test(words[at - 1]?.word ?? "") &&
        words.slice(1, at).every((one) => joinsOn(one.word, words[0]?.word ?? "")) &&
        /^\p{Ll}/u.test(word) &&
        !PARTICLE.test(word) &&
        !SURNAME.test(plain(word)) &&
        !FIRST_NAMES.has(plain(word)),
    )
  )
    return 0;
  if (!isCapital(words[0]?.word ?? "a"))
    return words.filter(({ word }) => !PARTICLE.test(word)).length >=
      (isCompanyWord(first) ? LONG_FIRM : LONG)
      ? 0
      : said.length;
  const joins = FIRST_NAMES.has(first) ? CONNECTING : CONNECTING_FIRM;
  let at = 0;
  // Words with capitals, and small ones that join one of them to the next.
  for (let next = 0; next < words.length; next += 1) {
    const word = words[next]?.word ?? "";
    const folded = plain(word);
    if (
      isCapital(word) ||
      SURNAME.test(folded) ||
      (FIRST_NAMES.has(first) && FIRST_NAMES.has(folded))
    )
      at = next + 1;
    else if (!joins.test(word)) break;
  }
  const last = words[at - 1];
  if (at >= words.length || !last) return said.length;
  const left = words.slice(at);
  // "Mercado do bairro": a particle before a small word is as well a part of the name.
  if (PARTICLE.test(left[0]?.word ?? "") && left[0]?.word !== "e") return 0;
  if (at >= 2 || left[0]?.word === "e") return last.end;
  if (FIRST_NAMES.has(first)) return AFTER_NAME.test(left[0]?.word ?? "") ? last.end : 0;
  return left.length === 1 && isCompanyWord(first) ? said.length : 0;
}

/** "Abílio Nogueira cirurgia de fimose": behind a name with capitals what is in small letters begins something else. */
function joinsOn(word: string, first: string): boolean {
  return !isCapital(first) || isCapital(word) || PARTICLE.test(word) || SURNAME.test(plain(word));
}

/** No part of a name, and none of what was done. */
const AFTER_NAME =
  /^(?:parcelad[oa]|pago|paga|urgente|hj|hoje|ontem|agora|logo|rapido|rápido|ja|já|com|no|na|em|aqui|ai|aí|la|lá|q|que|tb|tbm|tambem|também|ainda|pfv|pf|blz|vlw|obg|ok|conforme|ate|até|dia|sobre)$/u;

/** Of a name in small letters: it begins with a first name or a word of companies, or ends with a form of them. */
export function isKnownName(said: string): boolean {
  const first = said.trim().split(/[ .]/, 1)[0] ?? "";
  return FIRST_NAMES.has(first) || isCompanyWord(first) || COMPANY.test(said);
}

export function isCapital(word: string): boolean {
  return /^[^a-z\u00df-\u00ff]/.test(word);
}

/** "Ana e Bia", "maria e joão silva". */
function twoPeople(words: readonly Word[]): boolean {
  const isFirm = words.some(({ word }) => COMPANY.test(word));
  return (
    (words.length === 3 && words[1]?.word === "e") ||
    words.some(
      ({ word }, at) =>
        at > 0 && /^(?:e|ou)$/.test(word) && RELATED.test(plain(words[at + 1]?.word ?? "")),
    ) ||
    (!isFirm &&
      words[1]?.word === "e" &&
      isCapital(words[0]?.word ?? "a") &&
      FIRST_NAMES.has(plain(words[2]?.word ?? ""))) ||
    // "Edson Vieira e da Márcia Vieira"
    words.some(
      ({ word }, at) =>
        word === "e" &&
        FIRST_NAMES.has(plain(words[0]?.word ?? "")) &&
        /^(?:d[ao]|pr[ao]|[oa])$/.test(words[at + 1]?.word ?? "") &&
        FIRST_NAMES.has(plain(words[at + 2]?.word ?? "")),
    ) ||
    words.some(
      ({ word }, at) =>
        /^(?:e|ou)$/.test(word) &&
        (FIRST_NAMES.has(plain(words[at - 1]?.word ?? "")) ||
          (at > 1 && FIRST_NAMES.has(plain(words[0]?.word ?? "")))) &&
        FIRST_NAMES.has(plain(words[at + 1]?.word ?? "")),
    )
  );
}

/** "Mário Lúcio ou esposa". */
const RELATED = /^(?:espos[oa]|marido|mulher|mae|pai|familia)$/;

/** A company's name ends with its form, unless a name goes on: "Beta Ltda serviço" and "Beta Ltda ME". */
function firmLength(said: string): number {
  const forms = [...said.matchAll(new RegExp(COMPANY, "giu"))];
  const last = forms.at(-1);
  return last ? last.index + last[0].length : said.length;
}

/** Without the joining words at the end. */
function trailing(words: readonly Word[]): readonly Word[] {
  let end = words.length;
  while (end > 1 && /^(?:d[aeo]s?|e|de|pel[ao]|por|uma?)$/.test(words[end - 1]?.word ?? ""))
    end -= 1;
  return words.slice(0, end);
}

/** What a company's name begins or ends with. */
export const COMPANY_WORDS =
  /^(?:[a-z]{3,}(?:aria|eria)|padaria|mercado|mercadinho|supermercado|auto|oficina|clinica|escola|colegio|igreja|construtora|condominio|restaurante|lanchonete|bar|pizzaria|farmacia|drogaria|hotel|pousada|academia|salao|barbearia|associacao|instituto|fundacao|transportes|transportadora|distribuidora|comercial|grupo|studio|estudio|loja|lojas|prefeitura|cooperativa|imobiliaria|metalurgica|industria|editora|livraria|pet|petshop|posto|sitio|fazenda|agro|agropecuaria|confeitaria|floricultura|grafica|laboratorio|hospital|centro|casa|empresa|organizacoes|consultorio|escritorio|atelie|otica|papelaria|mecanica|madeireira|marmoraria|serralheria)$/;
/** More of them, of which the learnt second opinion knows nothing. */
const MORE_COMPANY_WORDS =
  /^(?:agencia|produtora|seguradora|incorporadora|administradora|locadora|dedetizadora|panificadora|mineradora|sindicato|paroquia|edificio|camara|frigorifico|ceramica|cerealista|cartorio|creche|sociedade|ong|residencial|viacao|vidracaria|faculdade|universidade|granja|consorcio|haras|municipio|clube|companhia|cia|federacao|vinicola|boutique|bistro|emporio|hostel|supermercados|tabelionato)$/;

export function isCompanyWord(word: string): boolean {
  return COMPANY_WORDS.test(word) || MORE_COMPANY_WORDS.test(word);
}

/** The form of a company, which ends its name: "Ltda", "ME", "S/A". Of text as it was written. */
export const COMPANY = /(?<![\p{L}\d])(?:ltda|me|mei|epp|eireli|s\/a|s\.a\.?|sa)(?![\p{L}\d])\.?/iu;
