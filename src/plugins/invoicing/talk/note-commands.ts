/** Commands about notes: one that exists is to be cancelled, or was. */
import type { SaidCommand } from "../../../plugin.ts";

const NOTE = "(?:nota|notas|nf|nfs|nfse|nfs-e|nota fiscal|invoice|cobranca)";
/** An issued note is named: "cancelar a nota 12", "cancela aquela nota", "quero cancelar minha nota fiscal de ontem". */
const CANCEL_INVOICE = new RegExp(
  `^(?:(?:na verdade|alias|pera|perai|espera|pensando bem|antes|primeiro|agora|mas|actually|wait) )*(?:(?:(?:tem|tenho|temos) )?que |precisa(?:va|mos)? )?(?:cancel(?:ar|a|e|o)?|como cancel(?:o|ar|a)|o cancelamento d[ae]|anul(?:ar|a|e)|estorn(?:ar|a|e)|cancelamento d[ae])(?: (?:a|o|as|aquela|essa|esta|minha|uma|ultima|da|the|my)){0,3} ${NOTE}\\b`,
);
const CANCELLED = "(?:cancel|anul|estorn)(?:ei|amos|ou|aram)";
/** Who keeps the notes, or may have cancelled one there. */
const OUTSIDE = "(?:portal|prefeitura|emissor|contador[a]?|contabilidade)";
/** "já cancelei no portal a nota 12", "a prefeitura cancelou a 12", "a nota 12 foi cancelada": it was done outside, and is told. */
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
export const noteCommands = {
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

export const GIVES_UP = [
  "desisti da nota",
  "nao quero mais a nota",
  "nao quero mais nota",
] as const;

function isCancelling({ line, asked, polite }: SaidCommand): boolean | "cancel" {
  if (!CANCEL_INVOICE.test(polite) || (line.endsWith("?") && MUST.test(asked))) return false;
  return IN_PROGRESS.test(polite) ? "cancel" : true;
}
