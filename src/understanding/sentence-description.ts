/** What was done, of a sentence about a note: what is left when everything else is cut out. */
import { FIRST_NAMES } from "./first-names.ts";
import { serviceText } from "./free-text.ts";
import { plain } from "./plain.ts";
import { CUT, type Draft } from "./sentence.ts";
import { describesNothing, isSomebody, withoutName } from "./sentence-leftover.ts";
import { UNIT_NOUNS } from "./sentence-value.ts";
import { isServiceWord } from "./service-words.ts";

/** Words of asking, which describe nothing. */
const ASKING =
  /^[\s:.!?]*(?:(?:oi|ola|gente|pessoal|moca|moco|td bem|tdo bem|blz|bom dia|boa tarde|boa noite|por favor|pf|tudo (?:bem|bom)|quero|queria|preciso|gostaria|solicitar|pedir|pode|podem|poderia|consegue|conseguem|tem|como|faz|faca|fazer|gera|gerar|manda|mandar|emite|emitem|emitir|emita|fatura|faturar|tira|tirar|lanca|lancar|solta|uma|um|a|o|da|de|do|das|dos|que|me|paguei|ter|eu|vc|vcs|voce|voces|fazem|bota|recibo|paguei|(?:duas|2) notas|meu|minha|i|need|an|invoice|issue|of|for|the|please|nova|nota|notas|nf|nfs-?e|nfse|fiscal|servico|servicos|no|na|valor|total|por|pelo|pela|com|e|eh|foi|pra|para|cpf|cnpj|ref|referente|referente a|ao|mim|cliente|favor|obrigad[oa]|pix|reais|hoje|fiz|fizemos|d|dum|duma|entao|ai|aqui|notinha|notinhas|avulsa|eletronica|prestados?|prestacao|segue(?: abaixo)?(?: os)? dados|encaminhada|pra declarar|ve|faria|dar|cobra|cobrar|tipo|nome|empresa|firma|tomador|tomadora|da da|vendi|valores?|quanto|solicito|precisava|precisamos|queremos|gostaria|emissao|emita|eh|voce|prestei|realizei|descricao|data|nome|r\$)\b[\s:.!?]*)+/;

/** A whole clause that asks for the note: "então eu queria que você fizesse uma nota". */
const REQUEST =
  /^(?=.*\b(?:quer|queri|quis|precis|gostari|solicit|fiz(?:esse|er)|faz|fac|faca|emit|ger[aeo]|tir[aeo]|mand|pod|pec|ped|lanc|bota|solta|consegu|tem como|da pra|arruma|prepar|fech)\w*\b.*\b(?:notas?|notinhas?|nf|nfs-?e)\b)[a-z ]{0,80}?\b(?:notas?|notinhas?|nf|nfs-?e)\b(?: fiscal)?(?: eletronica)?/;
const LONGEST_REQUEST = 160;
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
const EXPLICIT =
  /\b(?:servicos?|descricao|referente(?: a)?|ref)\b[\s:.!?]*(?:(?:a|ao|o|de|da|do|um|uma|prestados?|prestacao)\b[\s:.!?]*)*$/;

interface Piece {
  /** As written, without the words of asking. */
  readonly original: string;
  readonly asked: string;
  /** Right after the amount. */
  readonly priced: boolean;
  /** Right before a document. */
  readonly documented: boolean;
  /** A mark divides it from what stands before. */
  readonly marked: boolean;
}

/** How certain it is that a piece says what was done: by its label, by its first word, by what is left of it alone. */
const SURE = { labelled: 3, work: 2, left: 1 } as const;

/** Without a name so far, words right before a document ("150 maria souza 529.982.247-25") may be one: left out. */
export function takeDescription(draft: Draft, named: boolean): string | null {
  const found: { readonly text: string; readonly sure: number }[] = [];
  for (const piece of piecesOf(draft)) {
    const text = described(piece, named, found.length > 0);
    if (text !== null) found.push({ text, sure: sureness(piece, text) });
  }
  const most = found.reduce<number>((top, { sure }) => Math.max(top, sure), 0);
  const texts = found.filter(({ sure }) => sure === most).map(({ text }) => text);
  // Of several pieces that only were left over, nobody knows which is meant.
  if (texts.length === 0 || (most === SURE.left && texts.length > 1)) return null;
  return texts.join(", ");
}

function sureness({ asked }: Piece, text: string): number {
  if (EXPLICIT.test(asked)) return SURE.labelled;
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
    const asked = requested + (ASKING.exec(piece.slice(requested.length))?.[0] ?? "");
    const end = match.index + match[0].length;
    pieces.push({
      original: draft.line.slice(match.index + lead + asked.length, end),
      asked,
      priced,
      documented: match[0].endsWith(" ") && draft.marks.has(end),
      marked: /^[.:\-–]/.test(match[0].trim()),
    });
  }
  return pieces;
}

/** "desentupimento e foi |": words that join what was done to what was cut out after it. */
const JOINS = /^(?:e|d[aeo]s?|n[ao]s?|em|foi|foram|feit[oa]s?|realizad[oa]s?|prestad[oa]s?)$/;

function withoutJoining(text: string): string {
  const words = text.trimEnd().split(" ");
  while (words.length > 1 && JOINS.test(words.at(-1) ?? "")) words.pop();
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
  const text = serviceText(
    withoutJoining(withoutName(original).replace(/[?!\s]+$|(?<=[a-z]{3})\.\s*$/, "")),
  );
  if (text === null || describesNothing(plain(text))) return null;
  return text;
}
