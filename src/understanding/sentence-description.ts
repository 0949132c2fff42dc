/** What was done, of a sentence about a note: what is left when everything else is cut out. */
import { FIRST_NAMES } from "./first-names.ts";
import { serviceText } from "./free-text.ts";
import { plain } from "./plain.ts";
import { CUT, type Draft } from "./sentence.ts";
import { UNIT_NOUNS } from "./sentence-value.ts";

/** Words of asking, which describe nothing. */
const ASKING =
  /^[\s:.!?]*(?:(?:oi|ola|bom dia|boa tarde|boa noite|por favor|pf|tudo (?:bem|bom)|quero|queria|preciso|gostaria|solicitar|pedir|pode|podem|poderia|consegue|conseguem|tem|como|faz|faca|fazer|gera|gerar|manda|mandar|emite|emitem|emitir|emita|fatura|faturar|tira|tirar|lanca|lancar|solta|uma|um|a|o|da|de|do|das|dos|que|me|paguei|ter|eu|vc|vcs|voce|voces|fazem|bota|recibo|paguei|(?:duas|2) notas|meu|minha|i|need|an|invoice|issue|of|for|the|please|nova|nota|notas|nf|nfs-?e|nfse|fiscal|servico|servicos|no|na|valor|total|por|pelo|pela|com|e|eh|foi|pra|para|cpf|cnpj|ref|referente|referente a|ao|mim|cliente|favor|obrigad[oa]|pix|reais|hoje|fiz|fizemos|d|dum|duma|entao|ai|aqui|notinha|notinhas|solicito|precisava|precisamos|queremos|gostaria|emissao|emita|eh|voce|prestei|realizei|descricao|data|nome|r\$)\b[\s:.!?]*)+/;

/** A whole clause that asks for the note: "então eu queria que você fizesse uma nota". */
const REQUEST =
  /^(?=.*\b(?:quer|queri|quis|precis|gostari|solicit|fiz(?:esse|er)|faz|fac|faca|emit|ger[aeo]|tir[aeo]|mand|pod|pec|ped|lanc|bota|solta|consegu|tem como|da pra|arruma|prepar|fech)\w*\b.*\b(?:notas?|notinhas?|nf|nfs-?e)\b)[a-z ]{0,80}?\b(?:notas?|notinhas?|nf|nfs-?e)\b(?: fiscal)?(?: eletronica)?/;
const LONGEST_REQUEST = 160;
/** Told, not described: somebody did, owes or wants something. */
const TOLD =
  /\b(?:recebi|recebeu|atendi|atendeu|atendemos|paguei|pagou|pagaram|deve|devem|devia|deu|dei|foi|eram?|tenho|temos|quero|quer|preciso|vou|vai|vamos|fiquei|ficou|estou|esta|ta|sou|acho|sei|disse|falou|pediu|mandou|comprou|comprei|fez|fizeram|veio|levou|custa|cobrou|cobrei|combinamos|posso|pode|podem|gostei|chama|lembra|some|sumiu)\b/;
/** "320 e pouco", "tresentas": an amount that was not read, and no count of things ("3 aulas"). */
const NUMBERS = /^\d{2,}[\d.,]*(?! [a-z]{3,}s\b)|^\w*[cszt]ent[oa]s?\b(?! )/;
/** Right after an amount: what one of costs that much. */
const OF_A_UNIT = new RegExp(`^ ?(?:(?:por|a|o|cada|pela|pelo) |/ ?)(?:${UNIT_NOUNS}|cada|uma)\\b`);
/** Small words of work: "lavagem de carro", "instalação", "conserto do forno" are no company's name. */
const SERVICE =
  /^(?:(?!(?:associa|organiza|funda|constru|comunica|alimenta|confec)\w*)[a-z]{3,}(?:agem|agens|cao|coes|mento|mentos)|(?:pint|faxin|costur|reform|limpez|consult|aul|pales|visto|revis|manuten|assess)\w*|corte|conserto|frete|carreto|servicos?|aluguel|banho|tosa|unhas?|manicure|pedicure|escova|projeto|curso|treino|terapia|sessao|diaria|mensalidade|foto|fotos|ensaio|show|buffet|bolo|bolos|doces|jardinagem|troca|som|arte|logo|site|laudo|parecer|exame|tratamento|implante|mudanca|entrega|transporte|traducao|design|show)\b/;

/** Words that say what was done, in small letters: a name or a company would have its capital. */
function isService(original: string): boolean {
  const said = original.trim();
  const words = plain(said).split(" ");
  return (
    /^[a-z\u00e0-\u00ff]/.test(said) &&
    SERVICE.test(plain(said)) &&
    !words.slice(1).some((word) => FIRST_NAMES.has(word))
  );
}

/** Words that only say how much. */
const COUNTING =
  /\b(?:uns|umas|uma?|outr[ao]s?|ou|e|d[aeo]s?|p|por|mais|menos|quase|cerca|ate|entre|cada|cento|vezes|reais|real|contos?|mil|acho|que|maximo|minimo|desconto|com|sem|euros?|dolar(?:es)?|usd)\b/g;
/** What a piece may say that describes nothing. */
const NOTHING =
  /@|^(?:(?:nao|n) (?:tenho|sei|tem|lembro)|sem|semana|mes que|ano|meu|tutora?|paciente|alun[oa]|dependente|rua|av|avenida|travessa|alameda|rg|(?:\d+ )?notas?)\b|^(?:minha )?empresa$/;
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
    const lead = /^[\s.:!?)\-–]+/.exec(piece)?.[0].length ?? 0;
    index += lead;
    piece = piece.slice(lead);
    // "50 por aula": the price of a unit, and no service.
    if (match.index === draft.amount && OF_A_UNIT.test(match[0])) continue;
    const requested = REQUEST.exec(piece.slice(0, LONGEST_REQUEST))?.[0] ?? "";
    const asked = requested + (ASKING.exec(piece.slice(requested.length))?.[0] ?? "");
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
      !named &&
      !isService(original) &&
      match.index === draft.amount &&
      asking === 0 &&
      !/^[.:\-–]/.test(match[0].trim());
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
    // Still about the note itself: talk, not what was done.
    if (/\b(?:notas?|notinha|nf|nfs-?e)\b/.test(plain(text ?? ""))) continue;
    const plainText = plain(text ?? "");
    if (TOLD.test(plainText) || NUMBERS.test(plainText)) continue;
    // A person in small letters: "ana lima".
    if (FIRST_NAMES.has(word) && (draft.marks.size > 0 || plainText.split(" ").length === 1))
      continue;
    const says = plain(text ?? "").replace(COUNTING, "");
    if (text !== null && says.replace(/[^a-z]/g, "").length >= 3) found.push(text);
  }
  const [first, ...rest] = found;
  return first === undefined ? null : [first, ...rest].join(", ");
}
