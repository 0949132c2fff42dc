/** What was done, of a sentence about a note: what is left when everything else is cut out. */
import { NOTE_NOUNS } from "../../talk/nouns.ts";
import { FIRST_NAMES, isServiceWord, plain, serviceText, trimEnds } from "../../../../plugin.ts";
import { CUT, type Draft } from "../sentence.ts";
import {
  describesNothing,
  isClean,
  isSomebody,
  OF_FIRST_NAME,
  withoutName,
} from "../sentence-leftover.ts";
import { COMPANY_WORDS } from "./name-length.ts";
import { UNIT_NOUNS } from "./sentence-numbers.ts";

/** Words of asking, which describe nothing. */
const ASKING =
  /^[\s:.!?]*(?:(?:oi|ola|chefia|chefe|patrao|patroa|gente|pessoal|moca|moco|td bem|tdo bem|blz|bom dia|boa tarde|boa noite|por favor|pf|tudo (?:bem|bom)|quero|queria|preciso|gostaria|solicitar|pedir|pode|podem|poderia|consegue|conseguem|tem|como|faz|faca|fazer|gera|gerar|manda|mandar|emite|emitem|emitir|emita|fatura|faturar|tira|tirar|lanca|lancar|solta|uma|um|a|o|da|de|do|das|dos|que|me|paguei|ter|eu|vc|vcs|voce|voces|fazem|bota|recibo|paguei|(?:duas|2) notas|meu|minha|i|need|an|invoice|issue|of|for|the|please|nova|nota|notas|nf|nfs-?e|nfse|fiscal|servico|servicos|no|na|valor|total|por|pelo|pela|com|e|eh|foi|pra|para|cpf|cnpj|ref|referente|referente a|ao|mim|cliente|favor|obrigad[oa]|pix|reais|hoje|fiz|fizemos|d|dum|duma|entao|ai|aqui|notinha|notinhas|avulsa|eletronica|prestados?|prestacao|segue(?: abaixo)?(?: os)? dados|encaminhada|pra declarar|ve|faria|dar|cobra|cobrar|tipo|nome|empresa|firma|tomador|tomadora|da da|vendi|valores?|quanto|solicito|precisava|precisamos|queremos|gostaria|emissao|emita|eh|voce|prestei|realizei|descricao|data|nome|objeto|titulo|obsequio|gentileza|providenciar|providencie|emitam|lancar|nosso|nossa|conforme|mensal|aquel[ea]|daquel[ea]|cobranca|contratei|contratamos|r\$)\b[\s:.!?]*)+/;

/** A whole clause that asks for the note: "então eu queria que você fizesse uma nota". */
const REQUEST =
  /^(?=.*\b(?:quer|queri|quis|precis|gostari|solicit|fiz(?:esse|er)|faz|fac|faca|emit|ger[aeo]|tir[aeo]|mand|pod|pec|ped|lanc|bota|solta|consegu|tem como|da pra|arruma|prepar|fech)\w*\b.*\b(?:notas?|notinhas?|nf|nfs-?e)\b)[a-z ]{0,80}?\b(?:notas?|notinhas?|nf|nfs-?e)\b(?: fiscal)?(?: eletronica)?/;
const LONGEST_REQUEST = 160;
const OF_A_KIND = /(?:^|\b)servicos [a-z]{3,}(?:eis|ais|icos|arios|ivos|istas)\b/;
/** Right after an amount: what one of costs that much. */
const OF_A_UNIT = new RegExp(`^ ?(?:(?:por|a|o|cada|pela|pelo) |/ ?)(?:${UNIT_NOUNS}|cada|uma)\\b`);
/** Words that say what was done, in small letters: a name or a company would have its capital. */
function isService(original: string): boolean {
  const said = original.trim();
  const words = plain(said).split(" ");
  return (
    /^[a-z\u00e0-\u00ff]/.test(said) &&
    isServiceWord(plain(said)) &&
    !words.slice(1).some((word) => FIRST_NAMES.has(word))
  );
}

/** The words of asking end with "pra": what follows is a person, whoever it is. */
const FOR_SOMEBODY = /\b(?:pra|para|pro)(?: [oa]s?)?\s*$/;
/** "nota da Bia": a person too. */
const OF_SOMEBODY = /\b(?:notas?|nf|nfs-?e)(?: fiscal)? d[ao]\s*$/;
/** "serviço: …", "referente a …": this is what was done, whatever else is left over. */
export const EXPLICIT =
  /\b(?:servicos?|descricao|referente(?: a)?|ref)\b[\s:.!?]*(?:(?:a|ao|o|de|da|do|um|uma|prestados?|prestacao)\b[\s:.!?]*)*$/;

interface Piece {
  readonly start: number;
  readonly end: number;
  /** As written, without the words of asking. */
  readonly original: string;
  readonly asked: string;
  /** Right after the amount. */
  readonly priced: boolean;
  /** Right before a document. */
  readonly documented: boolean;
  /** A mark divides it from what stands before. */
  readonly marked: boolean;
  /** A mark stands right behind it. */
  readonly beforeMark: boolean;
}

/** How certain it is that a piece says what was done: by its label, by its first word, by what is left of it alone. */
const SURE = { labelled: 3, work: 2, left: 1, generic: 0.5 } as const;
/** Who works, or what money is for: beside words of what was done they add nothing. */
const GENERIC =
  /^(?:honorarios?|comissao|mao de obra|taxa|visita|servente|diarias?|pecas.*|[a-z]{3,}(?:eiro|eira|ista)|despachante|garcom|contador|contadora|pintor|pintora|encanador|jardineiro|funcionari[oa]s?|matriz|filial|casamento|evento|festa|sessao|consulta|aula|\d{1,3} (?:aulas?|sessoes|sessao|encontros?|consultas?|visitas?|atendimentos?|horas?|diarias?)|pacote de \d+|turma.*)$/;

/** Without a name so far, words right before a document ("150 maria souza 529.982.247-25") may be one: left out. */
export function takeDescription(draft: Draft, named: boolean): string | null {
  const found: Found[] = [];
  let unread = false;
  let unsure = false;
  for (const piece of piecesOf(draft)) {
    const text = described(piece, named, found.length > 0);
    const last = found.at(-1);
    // "fisioterapia, 10 sessões": whether how many there were belongs to it, nobody can say.
    unsure ||= last !== undefined && follows(draft, last, piece) && QUANTITY.test(said(piece));
    if (text === null) {
      unread ||= tellsWork(piece);
      continue;
    }
    const sure = sureness(piece, text);
    // "90 reais Vidal": right after an amount, without a word of work; nobody can say what it is.
    if (piece.priced && !piece.marked && sure <= SURE.left) continue;
    if (last && (continues(draft, last, piece, text) || isOfField(draft, last, piece, text)))
      found.splice(-1, 1, {
        ...last,
        text: `${last.text}, ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
        end: piece.end,
      });
    else found.push({ text, sure, end: piece.end, field: isField(draft, piece, sure) });
  }
  const most = found.reduce<number>((top, { sure }) => Math.max(top, sure), 0);
  // "troquei o óleo, filtro e pastilha": beside words of work that could not be read, the rest is not all of it.
  if ((unread && most <= SURE.left) || (unsure && most < SURE.labelled)) return null;
  const texts = found.filter(({ sure }) => sure === most).map(({ text }) => text);
  // Of several pieces that are as certain as each other, nobody knows which is meant.
  if (texts.length === 0 || (most < SURE.labelled && texts.length > 1)) return null;
  return texts.join(", ");
}

/** Behind a label with its colon, or work between semicolons, which new lines and bars become. */
function isField({ line }: Draft, { start, end, asked }: Piece, sure: number): boolean {
  const [rest = ""] = line.slice(end).split(/[;\u0001]/, 1);
  const whole = line.slice(end + rest.length).replace(/^ /, "");
  if (!/^(?:;|$)/.test(whole) || /\u0001/.test(rest)) return false;
  if (sure === SURE.labelled) return /: ?$/.test(asked);
  return sure === SURE.work && asked === "" && /; ?$/.test(line.slice(0, start + 1));
}

interface Found {
  readonly text: string;
  readonly sure: number;
  readonly end: number;
  /** A label or a mark stands before it: what a comma adds is of the same part. */
  readonly field: boolean;
}

function said({ original }: Piece): string {
  return plain(original).trim();
}

/** Words of what was done, whatever else the piece holds: "revisão dos 40 mil", "costurei 3 cortinas". */
function tellsWork({ original, asked }: Piece): boolean {
  const work = plain(original)
    .trim()
    .replace(/^\d{1,3} /, "");
  return !GENERIC.test(work) && (isServiceWord(work) || DID.test(asked + work));
}

/** After a comma, and nothing else between. */
function follows(draft: Draft, last: Found, piece: Piece): boolean {
  return (
    last.sure >= SURE.work &&
    /^, ?$/.test(draft.line.slice(last.end, piece.start)) &&
    piece.asked === "" &&
    /^\p{Ll}|^\d/u.test(piece.original)
  );
}

/** "conserto da lavadora, troca do rolamento": more of the same. */
function continues(draft: Draft, last: Found, piece: Piece, text: string): boolean {
  const more = plain(text);
  return follows(draft, last, piece) && isServiceWord(more) && !GENERIC.test(more);
}

/** "Descrição: suporte de TI, visita técnica | …": a part by itself, marked at both ends, is all of what was done. */
function isOfField(draft: Draft, last: Found, piece: Piece, text: string): boolean {
  return (
    last.field &&
    follows(draft, last, piece) &&
    /^ ?(?:[;,]|$)/.test(draft.line.slice(piece.end)) &&
    /^\p{Ll}/u.test(piece.original) &&
    !GENERIC.test(plain(text)) &&
    !plain(text)
      .split(" ")
      .some((word) => FIRST_NAMES.has(word))
  );
}

const QUANTITY = /^\d{1,3} ?(?:[a-z]{3,}s\b|pax\b|m2|m²|km\b|h\b|un\b)/;
const DID =
  /^(?:eu )?(?:troquei|montei|desmontei|instalei|desinstalei|costurei|lavei|passei|pintei|consertei|arrumei|limpei|cortei|reformei|soldei|podei|entreguei|transportei|levei|carreguei|atendi|dei aula|fiz|fizemos|trocamos|montamos|instalamos|pintamos|consertamos|limpamos)\b/;

function sureness({ asked }: Piece, text: string): number {
  if (EXPLICIT.test(asked)) return SURE.labelled;
  if (GENERIC.test(plain(text))) return SURE.generic;
  return isServiceWord(plain(text).replace(/^\d{1,3} /, "")) ? SURE.work : SURE.left;
}

function piecesOf(draft: Draft): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const match of draft.folded.matchAll(new RegExp(`[^,;\\n${CUT}]+`, "g"))) {
    const priced = match.index === draft.amount;
    // "50 por aula": the price of a unit, and no service.
    if (priced && OF_A_UNIT.test(match[0])) continue;
    const lead = /^[\s.:!?)\-–]+/.exec(match[0])?.[0].length ?? 0;
    const piece = match[0].slice(lead);
    const requested = REQUEST.exec(piece.slice(0, LONGEST_REQUEST))?.[0] ?? "";
    const words = ASKING.exec(piece.slice(requested.length))?.[0] ?? "";
    // "serviços contábeis": what they are of is told of them alone.
    const kind = OF_A_KIND.test(words + piece.slice(requested.length + words.length))
      ? (/servicos $/.exec(words)?.[0].length ?? 0)
      : 0;
    const asked = requested + words.slice(0, words.length - kind);
    const end = match.index + match[0].length;
    pieces.push({
      start: match.index,
      end,
      original: draft.line.slice(match.index + lead + asked.length, end),
      asked,
      priced,
      documented: match[0].endsWith(" ") && draft.marks.has(end),
      marked: /^[.:\-–]/.test(match[0].trim()),
      beforeMark: /^ ?;/.test(draft.line.slice(end)),
    });
  }
  return pieces;
}

/** "desentupimento e foi |": words that join what was done to what was cut out after it. */
const JOINS =
  /^(?:e|[oa]s?|d[aeo]s?|n[ao]s?|em|pr[oa]|para|com|por|pel[oa]|que|foi|foram|noss[oa]|meu|minha|feit[oa]s?|realizad[oa]s?|prestad[oa]s?|executad[oa]s?|concluid[oa]s?|finalizad[oa]s?)$/;
/**
 * "design com henna pfvr", "passeio de quadriciclo nota", "parecer elaborado |": only polite, once more what is wanted, or what
 * joins a day or an amount that was cut out behind it. Of work alone: of talk it would leave something that looks like work.
 */
const POLITE =
  / (?:pfv?r?|por favor|por gentileza|please|pls|plz|pli[sz]|blz|vlw|tks|rs|elaborad[oa]|ministrad[oa]|(?<! d[aeo] )dad[oa]|data|qto|quanto|importancia|done|made|given|(?:(?:faz|faca|manda|emite|emitir|gera|gerar|tira|tirar|quero|preciso|pede|pediu) )?(?:a |uma |de )?(?:nota|nf|nfs-?e)(?: fiscal)?|emite|emitir)[.!]*$/;
/** "corte infantil mãe: Joice": who it is that a mark introduces. */
const ROLE =
  /(?<! (?:d[aeo]s?|e|[ao]s?|com|para|pr[ao])) (?:mae|pai|mamae|papai|responsavel|tutora?|noiv[oa]|hospede|proprietari[oa]|sindic[oa]|solicitante|cliente)$/;
/** "ensaio que fiz da Bruna": what follows tells of it. */
const TELLS =
  / (?:que|q) (?:eu |a gente |nos |ele |ela |voces? )?(?:fiz|fizemos|fez|fizeram|prestei|prestamos|realizei|realizamos|executei|executamos|dei|demos|entreguei|entregamos|foi|foram|toquei|combinamos|combinei)(?= |$).*$| e quem (?:paga|pagou|vai pagar|recebe)\b.*$| (?:that )?(?:you|we|i) (?:did|made|fixed|gave|had|provided)\b.*$/;
/** "lavagem da Pizzaria Dona Mirtes", "poda da dona Gertrudes Müller": whose it is mostly receives the note; where the work ends is asked. */
const OWNER =
  /(?: (?:d[aeo]|n[ao]) (?:casa|ap|apto|apartamento|loja|escritório|escritorio|sítio|sitio))? (?:d[aeo]s?|n[ao]|pr[ao]|para [ao]) (?:(?:[Dd]ona|[Ss]eu|[Ss]ra?\.?|[Dd]ra?\.?) \p{Lu}|\p{Lu}[\p{Ll}.]+ (?:(?:d[aeo]s?|e) )?\p{Lu}\p{Ll}).*$/u;

/** "consulta do meu marido", "aulas pro meu neto": whether for whose sake belongs to it, nobody can say. */
const KIN =
  / (?:d[aeo]|pr[ao]|para [ao]|para) (?:meu|minha|nosso|nossa|seu|sua) (?:mae|pai|marido|esposa|esposo|mulher|filh[oa]|filhinh[oa]|net[oa]|vo|avo|sogr[oa]|irma|irmao|tia|tio|sobrinh[oa]|namorad[oa]|prim[oa]|afilhad[oa]|noiv[oa]|amig[oa]|chefe|patrao|patroa)\b/;
/** "consulta com a doutora Paula": whether with whom belongs to it, nobody can say either. */
const WITH_WHOM = / com (?:o|a) (?:doutora?|dra?|professora?|profa?)\b| crianca [a-z]+$/;
const FIRM_END = /\b(?:ltda|me|epp|eireli|s[/.]?a)\.?$/;

/** Tells for whose sake it was done, with whom or whose it is: whether that belongs to it, nobody can say. */
export function tellsWhose(text: string): boolean {
  const folded = plain(text);
  const [, first = ""] = OF_FIRST_NAME.exec(folded) ?? [];
  return KIN.test(folded) || WITH_WHOM.test(folded) || FIRST_NAMES.has(first) || OWNER.test(text);
}

function withoutOwner(original: string): string {
  const told = TELLS.exec(plain(original))?.index ?? original.length;
  const said = original.slice(0, told);
  if (KIN.test(plain(said)) || WITH_WHOM.test(plain(said))) return "";
  const [, first = ""] = OF_FIRST_NAME.exec(trimEnds(plain(said), " .!?")) ?? [];
  if (FIRST_NAMES.has(first)) return "";
  const owner = OWNER.exec(said);
  if (!owner) return said;
  const words = plain(owner[0]).trim().split(/[ .]+/).slice(1);
  const titled = FIRM_END.test(plain(owner[0])) || /^(?:dona|seu|sra?|dra?)$/.test(words[0] ?? "");
  const known = titled || FIRST_NAMES.has(words[0] ?? "") || COMPANY_WORDS.test(words[0] ?? "");
  return known && isServiceWord(plain(said).replace(/^\d{1,3} /, "")) ? "" : said;
}

/** "treino personal novembro", "assessoria dez/2026": for which month is none of what was done. */
const MONTH_END =
  / (?:(?:de|do|em|no mes de) )?(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|(?:jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)(?=\/))(?:(?: de |\/| )(?:20)?\d\d)?$| in (?:january|february|march|april|may|june|july|august|september|october|november|december)(?: 20\d\d)?$| (?:last|this) (?:night|week|month|weekend|morning|afternoon|evening)$/;

function withoutMonth(text: string): string {
  const at = MONTH_END.exec(plain(text))?.index;
  return at === undefined ? text : text.slice(0, at);
}

/** `beforeMark`: a mark stands right behind it. */
function withoutTail(text: string, beforeMark: boolean): string {
  let left = text.trimEnd();
  if (isServiceWord(plain(left).replace(/^\d{1,3} /, "")))
    for (let tail = POLITE.exec(plain(left)); tail; tail = POLITE.exec(plain(left)))
      left = left.slice(0, tail.index);
  const role = beforeMark ? ROLE.exec(plain(left)) : null;
  return withoutJoining(role ? left.slice(0, role.index) : left);
}

function withoutJoining(text: string): string {
  const words = text.trimEnd().split(" ");
  while (words.length > 1 && JOINS.test(plain(words.at(-1) ?? ""))) words.pop();
  return words.join(" ");
}

function described(piece: Piece, named: boolean, more: boolean): string | null {
  const { original, asked } = piece;
  const word = plain(original).split(" ", 1)[0] ?? "";
  if (FOR_SOMEBODY.test(asked)) return null;
  if (OF_SOMEBODY.test(asked) && (/^\p{Lu}\p{Ll}/u.test(original) || FIRST_NAMES.has(word)))
    return null;
  // "emite 450 reais clínica sorriso": a person, a company or a service; only the person knows.
  const nobodyKnows = piece.priced && asked === "" && !piece.marked && !isService(original);
  if (!named && (piece.documented || nobodyKnows)) return null;
  if (isSomebody(original.trim(), { named, more })) return null;
  const owned = withoutName(withoutOwner(original)).replace(
    /[?!\s]+$|(?<=\p{L}{3}|(?<!\p{L})\p{Ll}{2})\.\s*$/u,
    "",
  );
  const text = serviceText(withoutTail(withoutMonth(owned), piece.beforeMark), NOTE_NOUNS);
  if (text === null || describesNothing(plain(text))) return null;
  if (!EXPLICIT.test(asked) && !isClean(text)) return null;
  return text;
}
