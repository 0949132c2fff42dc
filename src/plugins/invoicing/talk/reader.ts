/** What invoicing knows about sentences: the notes that people ask for, look for, correct and have cancelled, and what they ask in passing. */
import {
  type About,
  foldWords,
  type JsonObject,
  type Passing,
  type ProgramContext,
  type Reader,
  type Said,
  type SaidCommand,
  type Told,
} from "../../../plugin.ts";
import { invoice } from "../sentence/invoice.ts";
import { isNamed, noteWish } from "./note-wish.ts";
import { NOUNS } from "./nouns.ts";
import { isWork } from "../sentence/sentence-leftover.ts";
import { openedBy, saidAmount } from "./wanted-note.ts";
import { amendedBy } from "./changed-taker.ts";

/** A longer text is never read as a bare month, characters. */
const LONGEST = 60;
const MONTH =
  "(?:mes (?:passado|anterior|atual|retrasado)|(?:esse|este|neste|nesse|last|this|previous) (?:mes|month)|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|january|february|march|april|may|june|july|august|september|october|november|december|(?:0?[1-9]|1[0-2]) 20\\d\\d)";
/** Nothing but the month stands there, as a question or led by an "and". */
const ELLIPTIC = new RegExp(
  `^(?:(?:e|and|what about|how about|agora|now) )?(?:(?:o|a|os|as|do|de|da|no|na|em|of|in|for|from|the|quanto (?:foi|deu)|how much) )*${MONTH}(?: (?:de |of )?20\\d\\d)?$`,
);

/**
 * "E do mês passado?" after a month's notes: the same question about another month, as a flow of a month's notes takes it.
 * Undefined for every other text.
 */
function otherMonth(text: string, role: string, about: About): JsonObject | undefined {
  if (role !== "month-of-notes" || text.length > LONGEST) return undefined;
  const said = foldWords(text);
  if (!ELLIPTIC.test(said) || !(text.trim().endsWith("?") || /^(?:e|and|agora|now) /.test(said)))
    return undefined;
  const { month } = noteWish(text, about);
  return month === undefined ? undefined : { month };
}

const NOTE = "(?:nota|notas|nf|nfs|nfse|nfs-e|nota fiscal|invoice|cobranca)";
/** An issued note is named: "cancelar a nota 12", "cancela aquela nota", "quero cancelar minha nota fiscal de ontem". */
const CANCEL_INVOICE = new RegExp(
  `^(?:(?:na verdade|alias|pera|perai|espera|pensando bem|antes|primeiro|agora|mas|actually|wait) )*(?:(?:(?:tem|tenho|temos) )?que |precisa(?:va|mos)? )?(?:cancel(?:ar|a|e|o)?|como cancel(?:o|ar|a)|o cancelamento d[ae]|anul(?:ar|a|e)|estorn(?:ar|a|e)|cancelamento d[ae])(?: (?:a|o|as|aquela|essa|esta|minha|uma|ultima|da|the|my)){0,3} ${NOTE}\\b`,
);
const CANCELLED = "(?:cancel|anul|estorn)(?:ei|amos|ou|aram)";
/** Who keeps the notes, or may have cancelled one there. */
const OUTSIDE = "(?:portal|prefeitura|emissor|contador[a]?|contabilidade)";
/** "já cancelei no portal a nota 12", "a prefeitura cancelou a 12", "a nota 12 foi cancelada": done outside, and told. */
const NOTE_CANCELLED = new RegExp(
  [
    `\\b${CANCELLED}(?: \\w+){0,3} (?:${NOTE}|${OUTSIDE})\\b`,
    `\\b${CANCELLED} (?:ja )?(?:as?|the) \\d{1,15}(?= |$)(?:(?: \\w+){0,6} (?:${OUTSIDE}|site|sistema)\\b|$)`,
    `\\b${OUTSIDE}(?: \\w+){0,2} ${CANCELLED} (?:as? \\d|${NOTE}\\b)`,
    `\\b${NOTE}(?: \\w+){0,4} (?:${CANCELLED}|(?:ja )?(?:foi|esta|ta|ficou|aparece)(?: \\w+){0,2} (?:cancelada|anulada|estornada))\\b`,
    "\\bcancelada (?:\\w+ )?(?:no|na|pelo|pela|por|direto no|direto na) (?:portal|prefeitura|site|sistema|emissor|contador|fora)\\b",
    "(?<!not )(?<!want )\\bcancell?ed (?:\\w+ ){0,4}(?:invoice|note|portal|town|city hall)\\b",
    "\\binvoice(?: \\w+){0,3} (?:was|is)(?: already)? cancell?ed\\b",
  ].join("|"),
);
/** "tem que cancelar a nota?": whether one has to. */
const MUST = /\b(?:tem que|tenho que|precisa(?:va)?)\b/;
/** "essa nota que tô fazendo": it is not issued yet. */
const IN_PROGRESS = /\b(?:que|q) (?:eu )?(?:to|tou|estou|estava|tava|comecei)\b/;

/** How a message is told to be one of the commands about notes. */
const noteCommands = {
  note_cancelled: {
    label: { "pt-BR": "nota cancelada por fora", en: "invoice cancelled elsewhere" },
    // "vê se a nota 12 foi cancelada" asks.
    is: ({ line, asked }: SaidCommand): boolean =>
      !line.endsWith("?") && !/\bse\b/.test(asked) && NOTE_CANCELLED.test(asked),
  },
  cancel_invoice: {
    label: { "pt-BR": "cancelar nota", en: "cancel an invoice" },
    begins: CANCEL_INVOICE,
    is: isCancelling,
  },
} as const;

const GIVES_UP = ["desisti da nota", "nao quero mais a nota", "nao quero mais nota"] as const;

function isCancelling({ line, asked, polite }: SaidCommand): boolean | "cancel" {
  if (!CANCEL_INVOICE.test(polite) || (line.endsWith("?") && MUST.test(asked))) return false;
  return IN_PROGRESS.test(polite) ? "cancel" : true;
}

/** Kinds to which the words of a question in passing may be the answer. */
const TAKES: ReadonlySet<string> = new Set(["text", "email", "password"]);

export const invoicingReader: Reader = {
  name: "invoicing",
  roles: {
    "ask-note": { fills: true, isRequest: true },
    "issue-note": { fills: true, alone: true },
    "known-customer": { fills: true, alone: true },
    "repeat-note": { alone: true },
    "look-up-note": { looksAt: "note" },
    "month-of-notes": { shared: true },
    "cancel-note": {},
    "note-cancelled": {},
  },
  words: NOUNS,
  describes: isWork,
  forms: new Map(GIVES_UP.map((form) => [form, "cancel"])),
  understands: { invoice },
  commands: {
    note_cancelled: {
      ...noteCommands.note_cancelled,
      role: "note-cancelled",
      otherwise: "cancel-invoice",
      answers: "note",
    },
    cancel_invoice: {
      ...noteCommands.cancel_invoice,
      role: "cancel-note",
      otherwise: "cancel-invoice",
      doubt: "cancel-which",
    },
  },
  opens: openedBy,
  continues: otherMonth,
  input: inputOf,
  passing: passingOf,
  sentence: sentenceOf,
  amends: amendedBy,
};

/** Which note is meant, of which month, whose, and how much. */
function inputOf(text: string, about: About): Said {
  const wish = noteWish(text, about);
  const value = saidAmount(text, about, wish.number === undefined);
  const values = {
    ...(isNamed(wish) ? { note: { ...wish } } : {}),
    ...(wish.month === undefined ? {} : { month: wish.month }),
    ...(wish.name === undefined ? {} : { name: wish.name }),
    ...(value === undefined ? {} : { value }),
  };
  const isOne = wish.number !== undefined || wish.key !== undefined || wish.last === true;
  return { values, ...(isOne ? { isNamed: true } : {}) };
}

/** "Quanto custa o corte?", "manda no meu e-mail": customers are told what is not done here. */
function passingOf(text: string, about: About, asked: string | undefined): Passing | undefined {
  if (about.role === "operator") return undefined;
  const what = aside(text);
  if (!what) return undefined;
  if (asked !== undefined && TAKES.has(asked) && !(asked === "text" && bidsEmail(text)))
    return undefined;
  // "Manda a nota no meu e-mail": the note is shown all the same, with its link.
  return what === "email" ? { word: "no-email", begins: true } : { word: "not-about-notes" };
}

function sentenceOf(text: string, context: ProgramContext): Told | undefined {
  const understood = invoice(text, context);
  if (!understood.ok) return undefined;
  const { value, description, ...others } = understood.value;
  return {
    ...others,
    ...(value === undefined ? {} : { money: value }),
    ...(description === undefined ? {} : { text: description }),
  };
}

/** `email`: something is to come by e-mail. `business`: prices, places, ways of paying, appointments. */
type Aside = "email" | "business";

/** Longer is more than an aside. */
const LONGEST_QUESTION = 140;
const LEAD =
  "(?:(?:oi|ola|opa|bom dia|boa tarde|boa noite|por favor|me diz|me fala|ah|e|mas|so uma duvida|uma duvida|queria saber|gostaria de saber|hi|hello|but|and) )*";
const THEM =
  "(?:d?e? ?voces?|d?e? ?vcs?|d[ao] (?:loja|empresa|salao|escritorio|clinica|oficina|estudio)|a[ei]|your|the (?:shop|store))";
const BUSINESS = [
  `(?:qual|onde)(?: (?:e|eh|fica))? (?:o |a )?(?:endereco|localizacao|telefone|whatsapp|site|instagram|insta|pix|chave pix) ${THEM}`,
  `onde (?:(?:voces?|vcs?|a loja|o salao|a empresa) )?(?:fica|ficam|e|estao)(?: (?:localizad[oa]s?|voces?|vcs?|(?:o|a) (?:loja|empresa|salao|escritorio|clinica|oficina|estudio)|${THEM}))?`,
  "(?:quanto|qto|qnto) (?:custa|ta|esta|e|eh|fica|sai|cobra|cobram|voces cobram|vcs cobram)\\b(?!.*\\bnotas?\\b) .{2,60}",
  "quanto (?:eu )?(?:(?:vou|tenho que|preciso) )?pag\\w+ (?:de|em) (?:impostos?|iss|taxas?)\\b.{0,40}",
  "qual (?:e |eh )?(?:o )?(?:preco|valor) (?:d[aeo]s? )(?!nota).{1,60}",
  "(?:(?:voces?|vcs?) )?(?:aceitam?|recebem?|trabalham? com|parcelam?)\\b.{0,40}",
  "(?:(?:eu )?(?:posso|quero|queria|da pra|tem como|consigo) )(?:marcar|agendar|remarcar|desmarcar)\\b(?!.*\\bnotas?\\b).{0,60}",
  "(?:voces? |vcs? |ai )?tem (?:vaga|vagas|horario|estacionamento|promocao|desconto|wi ?fi|delivery)\\b.{0,40}",
  "(?:(?:voces?|vcs?) )?(?:fazem?|atendem?) (?:entregas?|orcamentos?|em domicilio|a domicilio|em casa)\\b.{0,40}",
  "(?:where are you|what is your address|how much (?:is|does|do)|do you (?:take|accept)|can i book)\\b.{0,60}",
].map((one) => new RegExp(`^${LEAD}${one}$`));
const EMAIL =
  /\b(?:mand\w*|envi\w*|reenvi\w*|pass\w*|encaminh\w*|receb\w*|quero|queria|preciso|segunda via|copia|send|get|forward)\b.{0,40}\b(?:por|n[oa]|pel[oa]|via|pr[oa]|para|meu|by|to|my) (?:o |a |meu |minha |my )*e ?mail\b/;

/** Which question in passing a text is; undefined where it is an answer or anything else. */
export function aside(text: string): Aside | undefined {
  if (text.length > LONGEST_QUESTION) return undefined;
  const said = foldWords(text);
  if (EMAIL.test(said)) return "email";
  return text.trim().endsWith("?") && BUSINESS.some((one) => one.test(said))
    ? "business"
    : undefined;
}

const BIDS =
  /^(?:(?:e|ai|tambem|depois|por favor|pf|pode|poderia|da pra|me|please|can you|could you) )*(?:mand[ae]r?|envi[ae]r?|reenvi[ae]r?|encaminh[ae]r?|send|forward)(?: (?:me|pra mim|para mim|it|a nota|the invoice|isso|tudo|depois|tambem)){0,2} (?:por|n[oa]|pel[oa]|via|pr[oa]|para [oa]|by|to)(?: (?:o|a|my|the|meu|minha|esse|este))? e ?mail\b/;

/** Whether a text bids to send by e-mail, as no description and no reason begins: "manda no email ana@exemplo.com.br". */
function bidsEmail(text: string): boolean {
  return text.length <= LONGEST_QUESTION && BIDS.test(foldWords(text));
}
