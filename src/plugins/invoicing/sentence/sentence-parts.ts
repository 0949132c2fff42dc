/**
 * A sentence as its readers want it: a new line, a bar, a bracket and the end of a clause all become a semicolon, marks of
 * bold and of lists go, short forms stand in full, and numbers stand apart from words.
 */
import { trimEnds } from "../../../plugin.ts";

/** Marks of bold ("*Valor:*"); the one of "3 * 50" stands between numbers. */
const BOLD = /(?<![\d\s])[*_~]|[*_~](?![\d\s])/g;
/** "1) nome 2) valor", "- nome": the beginning of a part. */
const LISTED = /(?:^|(?<=[;\s]))(?:\d{1,2}(?:\)|º\)|\.-)|[•·▪➡✅🔹➤>]+) ?(?=\S)/gu;
const DASHED = /(?:^|; ?)[-–—] ?(?=\S)/g;
/** "Razão Social......: X", "CNPJ=…": other ways to write a label. */
const LEADERS = /\.{3,}(?= ?:)| ?=(?= ?[\p{L}\d])(?<=\p{Lu}=|\p{L} ?=)/gu;
/** Marks of speech around what somebody else wrote. */
const QUOTES = /["“”«»]/g;
/** A question ends a clause as well. */
const ASKED = /(?<=[\p{L}\d)][?!]{1,3}) (?=\S)/gu;
/** A full stop ends a clause after a whole word, not after "Dr.", "S.A." or "J.". */
const STOP =
  /(?<=\p{L}{3}|[\d)]|\d\p{Lu})(?<!(?<!\p{L})(?:sra|dra|cia|ltda|cond|serv|desc|descr|ref|pres|prof|profa|eng|num|tel|cel|jd|res|edf|apto|comp|com|ind|imp|exp|dist|transp|const|adm|assoc|inst|mrs|inc|vol|obs|val|vlr|mec|sta|sto|odonto|end|edif|sind|faz|esc|col|hosp|univ|fund|fed|mun|gov|farm|lab|pad|rest|venc|vcto|mat|equip|prod|alim|ltd|bros|coop|pref|manut|instal|limp|mens|trein|repres|distr|merc|superm|lanch|benef|cerv|imob|trab|incorp|constr|ass|emp|arq|panif|odontol|farmac|acad))[.] (?=\S)/giu;
/** "Beta Ltda. Inscrição: …"; not "Beta Ltda. ME". */
const AFTER_FIRM = /(?<=(?<!\p{L})[Ll][Tt][Dd][Aa])[.] (?=\p{Lu}\p{Ll}{2})/gu;
const BRACKET =
  /\((?!\d{2}\)|\d{1,3} ?\p{L}{1,20}\)|\p{L}{2,15}\) d[aeo]s? )|(?<!\(\d{2}|\(\d{1,3} ?\p{L}{1,20})(?<!\(\p{L}{2,15}(?=\) d[aeo]s? ))\)/gu;
/** "100reais", "100pra": run together. Not "12ABC345", which is a company, nor "3h" and "2x". */
const GLUED_AFTER =
  /(?<=(?<![\w./-])\d[\d.,]{0,12})(?=(?:reais|reias|real|contos?|pilas?|pra|pro|para|por|no|na|de|do|da)\b)/gi;
const GLUED_BEFORE = /(?<=\b(?:nota|de|valor|por|r\$))(?=\d)/gi;
/** "nota da consultoria: Beta Log": a colon after a word that is no label divides, as a comma does. */
const COLON =
  /(?<!(?:servi[cç]os?|descri[cç][aã]o|nome|completo|cliente|valor|data|pre[cç]o|cpf|cnpj|tomadora?|empresa|firma|social|ref|referente|total|e-?mail|tel|telefone|fone|cel|celular|zap|whats|whatsapp|documento|doc|cep|nota|fiscal|nfs?-?e?|endere[cç]o|contratante|pagador|emitir|emite|emita|contra|horas?|\d)) ?: (?=\S)/giu;
/** "'curso livre de cerâmica'": a part of its own in single marks of speech. */
const SINGLE_QUOTES = /(?<=^|[.,;:(—–-] ?)'([^';]{3,80})'(?=\s*(?:$|[,;)—–-]))/gu;
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/(?<!\p{L})(?:discrimina[cç][aã]o|descri[cç][aã]o) d[oe]s? servi[cç]os? ?:/giu, "descrição:"],
  [
    /(?<!\p{L})servi[cç]os? (?:(?:foi |a ser )?(?:executad|prestad|realizad|contratad|feit)os?|d[ao] (?:nota|nf)) ?:/giu,
    "serviço:",
  ],
  // "Histórico do serviço: …", "Prestação: …", "Natureza – …": what offices write before what was done.
  [
    /(?<=^|[,;.] ?)(?:a que se refere|(?:hist[oó]rico|natureza|escopo|prestaç[aã]o|especifica[cç][aã]o|detalhamento|finalidade|raz[aã]o d[oe] pagamento|motivo)(?: d[aeo]s? (?:servi[cç]os?|nota|nf|opera[cç][aã]o|trabalho))?|trabalhos? (?:executad|realizad|feit|prestad)os?|atividade (?:executad|realizad|prestad)a) ?(?::|[-–](?= )) ?(?=\p{L})/giu,
    "; serviço: ",
  ],
  // "Condomínio Torres do Vale serv. limpeza": the label begins a part of its own.
  [
    /(?<=[\p{L}\d)]{2}\.? )(?<!(?<!\p{L})(?:d[aeo]s?|n[ao]s?|[ao]s?|e|um|uns|com|pel[ao]|meu|seu|ref|referente|nota|nf|tipo|valor|vlr|outro|este|esse|tal|primeiro) )(?:servi?[çc]?|srv)\.?:? (?=\p{L})(?!d[aeo]s? )/giu,
    "; serviço: ",
  ],
  [/(?<=^|[,;] ?)objeto:? (?=\S)|(?<!\p{L})OBJETO:? (?=\S)/gu, "serviço: "],
  [/(?<=^|[,;] ?)dia ?: ?(?=\d{1,2}(?!\d))/giu, "dia "],
  [/(?<!\p{L})a t[ií]tulo de /giu, "referente a "],
  [/(?<!\p{L})relativ[oa]s? (?=(?:a|à|às|ao|aos) )/giu, "referente "],
  [
    /(?<!\p{L})data (?:d[aeo] )?(?:execu[cç][aã]o|servi[cç]o|atendimento|realiza[cç][aã]o|evento|presta[cç][aã]o)(?: do servi[cç]o)? ?:/giu,
    "data:",
  ],
  [/(?<!\p{L})(?:vlr|vl|val)(?![\p{L}\d])(?:\.(?= |:)|\.$)?/giu, "valor"],
  [/(?<!\p{L})(?:servi?[çc]?|srv)(?:\.:?|:)(?= ?\S)|(?<!\p{L})serv (?=\p{L})/giu, "serviço: "],
  [/(?<!\p{L})(?:desc(?:r|ri[cç])?\.?|discr?\.?|discrimina[cç][aã]o) ?:/giu, "descrição:"],
  [/(?<![\p{L}\d$])\$ ?(?=\d)/gu, "R$ "],
  [/(?<!\p{L})cli(?:\.:|:|\.)/giu, "cliente:"],
  [/(?<!\p{L})(?:n[a-z]ota|no[a-z]ta|not[b-z]a|n[pi0]ta|ntoa|noat)\b(?! fiscais)/giu, "nota"],
  [/(?<!\p{L})(?:q|qdo|qnd) (?=\p{L})/giu, "que "],
];

/** A line of parts, of the same letters as came; nothing of it is told back but names and services. */
export function parted(text: string): string {
  let line = text.replace(/[\r\n]+/g, "; ").replace(/ (?:\/{1,3}|\|{1,2}) /g, "; ");
  line = line.replace(LEADERS, (mark) => (mark.includes("=") ? ": " : "")).replace(QUOTES, "");
  line = line.replace(SINGLE_QUOTES, "$1");
  line = line
    .replace(/ ?\.{2,} (?=\S)/g, "; ")
    .replace(/ — /g, "; ")
    .replace(ASKED, "; ");
  line = line.replace(BOLD, "").replace(LISTED, "; ").replace(DASHED, "; ");
  if ((line.match(/ [-–] /g)?.length ?? 0) > 1) line = line.replace(/ [-–] /g, "; ");
  line = line.replace(BRACKET, "; ").replace(STOP, "; ").replace(AFTER_FIRM, "; ");
  line = line.replace(GLUED_AFTER, " ").replace(GLUED_BEFORE, " ");
  for (const [short, full] of SHORT) line = line.replace(short, full);
  return trimEnds(line.replace(COLON, "; "), "; ");
}
