/** What was done, of a sentence about a note: what is left when everything else is cut out. */
import { serviceText } from "./free-text.ts";
import { plain } from "./plain.ts";
import { CUT, type Draft } from "./sentence.ts";

/** The commonest first names: "nota do joão" is about a person, "nota da consulta" about what was done. */
const FIRST_NAMES = new Set(
  (
    "ana maria jose joao antonio francisco carlos paulo pedro lucas luiz luis marcos gabriel rafael daniel marcelo bruno " +
    "eduardo felipe rodrigo fernando gustavo andre fabio leonardo tiago thiago ricardo roberto sergio vitor victor caio diego " +
    "julia juliana fernanda patricia aline sandra camila amanda bruna jessica leticia vanessa mariana beatriz bia larissa " +
    "adriana marcia luciana renata cristina claudia paula carla simone debora priscila tatiana isabela laura alice helena " +
    "sofia lucia rita vera sonia teresa tereza marina joana ze zeca chico caetano jorge mario miguel arthur artur davi " +
    "matheus mateus henrique guilherme leandro alexandre anderson wagner wesley edson nelson cesar hugo igor otavio vinicius"
  ).split(" "),
);

/** Words of asking, which describe nothing. */
const ASKING =
  /^(?:(?:oi|ola|bom dia|boa tarde|boa noite|por favor|pf|tudo (?:bem|bom)|quero|queria|preciso|gostaria|solicitar|pedir|pode|podem|poderia|consegue|conseguem|tem|como|faz|faca|fazer|gera|gerar|manda|mandar|emite|emitem|emitir|emita|fatura|faturar|tira|tirar|lanca|lancar|solta|uma|um|a|o|da|de|do|das|dos|que|me|paguei|ter|eu|vc|vcs|voce|voces|fazem|bota|recibo|paguei|(?:duas|2) notas|meu|minha|i|need|an|invoice|issue|of|for|the|please|nova|nota|notas|nf|nfs-?e|nfse|fiscal|servico|servicos|no|na|valor|total|por|pelo|pela|com|e|eh|foi|pra|para|cpf|cnpj|ref|referente|referente a|ao|mim|cliente|favor|obrigad[oa]|pix|reais|hoje|fiz|fizemos|prestei|realizei|descricao|data|nome|r\$)\b[\s:.!?]*)+/;

/** Words that only say how much. */
const COUNTING =
  /\b(?:uns|umas|uma?|ou|e|d[aeo]s?|p|por|mais|menos|quase|cerca|ate|entre|cada|cento|vezes|reais|real|contos?|mil|acho|que|maximo|minimo|desconto|com|sem|euros?|dolar(?:es)?|usd)\b/g;
/** What a piece may say that describes nothing. */
const NOTHING =
  /@|^(?:(?:nao|n) (?:tenho|sei|tem|lembro)|sem|semana|mes que|ano|meu|rua|av|avenida|travessa|alameda|rg|(?:\d+ )?notas?)\b|^(?:minha )?empresa$/;
/** The words of asking end with "pra": what follows is a person, whoever it is. */
const FOR_SOMEBODY = /\b(?:pra|para|pro)\s*$/;
/** "nota da Bia": a person too. */
const OF_SOMEBODY = /\b(?:notas?|nf|nfs-?e)(?: fiscal)? d[ao]\s*$/;
const ONE_CAPITAL = /^\p{Lu}\p{Ll}+$/u;
/** Two or more words in capitals are as well a name as a service. */
const CAPITALS = /^\p{Lu}\p{Ll}+(?: (?:d[aeo]s?|e|\p{Lu}\p{Ll}+))* \p{Lu}\p{Ll}+$/u;

/** Without a name so far, words right before a document ("150 maria souza 529.982.247-25") may be one: left out. */
export function takeDescription(draft: Draft, named: boolean): string | null {
  const found: string[] = [];
  const pattern = new RegExp(`[^,;\\n${CUT}]+`, "g");
  for (const match of draft.folded.matchAll(pattern)) {
    let { index } = match;
    let piece = match[0];
    const lead = /^[\s.:!?\-–]+/.exec(piece)?.[0].length ?? 0;
    index += lead;
    piece = piece.slice(lead);
    const asked = ASKING.exec(piece)?.[0] ?? "";
    const asking = asked.length;
    const original = draft.line.slice(index + asking, match.index + match[0].length);
    if (NOTHING.test(plain(original)) || FOR_SOMEBODY.test(asked)) continue;
    if (!named && CAPITALS.test(original.trim())) continue;
    const [word = ""] = plain(original).split(" ");
    if (OF_SOMEBODY.test(asked) && (/^\p{Lu}\p{Ll}/u.test(original) || FIRST_NAMES.has(word)))
      continue;
    const text = serviceText(
      original.replace(/^\((.*)\)$/, "$1").replace(/(?<=[a-z]{3})\.\s*$/, ""),
    );
    const nameless =
      !named && match[0].endsWith(" ") && draft.marks.has(match.index + match[0].length);
    // "emite 450 reais clínica sorriso": a person, a company or a service; only the person knows.
    const nobodyKnows =
      !named && match.index === draft.amount && asking === 0 && !/^[.:\-–]/.test(match[0].trim());
    if (
      nameless ||
      nobodyKnows ||
      /^(?:hora|horas|cada|dia|mes|vezes|parcelas?)$/.test(plain(original).trim())
    )
      continue;
    if (!named && (/ - /.test(original) || (found.length > 0 && ONE_CAPITAL.test(original.trim()))))
      continue;
    if (/ (?:pra|para|pro) /.test(plain(original)) || /\bnotas? d[ao] /.test(plain(original)))
      continue;
    const says = plain(text ?? "").replace(COUNTING, "");
    if (text !== null && says.replace(/[^a-z]/g, "").length >= 3) found.push(text);
  }
  const [first, ...rest] = found;
  return first === undefined ? null : [first, ...rest].join(", ");
}
