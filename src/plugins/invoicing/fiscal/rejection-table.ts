/**
 * Rejections of invoices that a person can do something about. National codes (E + 4 digits) are unique; ABRASF ones
 * (`E10`, `E18`) mean different things at different town systems, so the text is matched as well.
 *
 * Sources: the business rules of the national layout (Anexo I), ABRASF 2.04, and lists of frequent codes kept by support teams.
 */
import type { NfseSlot } from "./nfse-problem.ts";

/** Who can do something about it: the person in the chat, the business in its settings, or only time and support. */
export type Fixable = "customer" | "issuer" | "nobody";

export interface RejectionRow {
  /** National codes, or texts the gateway uses as codes. */
  readonly codes: readonly string[];
  /** Town codes: used only when no text pattern of another row speaks against them. */
  readonly townCodes?: readonly string[];
  /** Found in the folded text of a rejection whose code says nothing. */
  readonly says?: RegExp;
  readonly slots: readonly NfseSlot[];
  readonly fixable: Fixable;
  readonly duplicate?: true;
  /** A statement: what is to be answered anew is asked by the flow, and whom it calls the flow says. */
  readonly pt: string;
  readonly en: string;
}

export const REJECTIONS: readonly RejectionRow[] = [
  {
    codes: ["E0014"],
    townCodes: ["E10", "E010"],
    // Held, never sent again: a row of its own above all others.
    says: /\bja (?:foi |esta |se encontra )?(?:\w+ )?(?:informad|emitid|exist|cadastrad|processad|utilizad|enviad|gerad|autorizad)|duplicid|duplicad|ja ha (?:uma )?(?:nota|nfs|rps|dps)|already (?:exist|issued|used|sent|processed)|duplicate/,
    slots: [],
    fixable: "nobody",
    duplicate: true,
    pt: "Parece que essa nota já foi emitida; estou conferindo.",
    en: "It looks as if this note was issued already; I am checking.",
  },
  {
    codes: ["E0206", "E0188"],
    says: /(?:cpf|cnpj)[^.]{0,60}(?:invalid|incorret)|(?:invalid|incorret)[^.]{0,40}(?:cpf|cnpj)/,
    slots: ["document"],
    fixable: "customer",
    pt: "O CPF ou CNPJ de quem recebe a nota não passou na conferência.",
    en: "The CPF or CNPJ of whoever receives the note does not check out.",
  },
  {
    codes: ["E0207", "E0190"],
    says: /(?:cpf|cnpj)[^.]{0,60}(?:nao (?:foi )?(?:encontrad|localizad|cadastrad)|nao exist|inexistent)/,
    slots: ["document"],
    fixable: "customer",
    pt: "A Receita não encontrou esse documento.",
    en: "The tax register does not know that document.",
  },
  {
    codes: ["E0202"],
    says: /tomador[^.]{0,60}(?:igual|mesmo|diferente)[^.]{0,40}prestador|prestador[^.]{0,60}(?:igual|mesmo|diferente)[^.]{0,40}tomador/,
    slots: ["document"],
    fixable: "customer",
    pt: "Quem recebe a nota não pode ser a própria empresa que emite.",
    en: "The company that issues the note cannot be the one receiving it.",
  },
  {
    codes: ["E0204"],
    slots: ["document"],
    fixable: "customer",
    pt: "Essa nota precisa do CPF ou CNPJ de quem recebe.",
    en: "This note needs the CPF or CNPJ of whoever receives it.",
  },
  {
    codes: ["E0234", "E0235", "E0237"],
    says: /endereco[^.]{0,60}(?:obrigatori|exigid|nao informad|deve ser informad)/,
    slots: ["address"],
    fixable: "customer",
    pt: "Nesse caso a prefeitura exige o endereço completo.",
    en: "In this case the town demands the full address.",
  },
  {
    codes: ["E0238", "E0240"],
    says: /\bcep\b[^.]{0,60}(?:invalid|nao (?:exist|pertence|encontrad|corresponde))/,
    slots: ["address"],
    fixable: "customer",
    pt: "Esse CEP não é dessa cidade.",
    en: "That CEP is not of that city.",
  },
  {
    codes: ["E0247"],
    says: /e-?mail[^.]{0,40}invalid/,
    slots: [],
    fixable: "nobody",
    pt: "O e-mail parece incompleto; com ele corrigido no cadastro, a nota pode sair.",
    en: "The e-mail address looks incomplete; once it is put right in the settings, the note can go out.",
  },
  {
    codes: ["E0008"],
    townCodes: ["E16"],
    says: /emissao[^.]{0,60}(?:futur|posterior|superior|maior)/,
    slots: [],
    fixable: "nobody",
    pt: "Erro de data nosso; vou corrigir.",
    en: "A date error on our side; it will be fixed.",
  },
  {
    codes: ["E0015", "E0016", "E0018"],
    townCodes: ["E17", "E522"],
    says: /competencia[^.]{0,60}(?:invalid|posterior|anterior|futur|nao permit|maior|menor)/,
    slots: ["competence"],
    fixable: "customer",
    pt: "A data do serviço não é aceita.",
    en: "The date of the service is not accepted.",
  },
  {
    codes: ["E0037", "E0038", "E0093"],
    says: /(?:municipio|cidade)[^.]{0,60}(?:nao (?:esta )?(?:convenia|ativ|ader|possui convenio)|sem convenio)/,
    slots: [],
    fixable: "nobody",
    pt: "A cidade de quem emite ainda não aceita pelo sistema nacional.",
    en: "The issuer's town does not accept notes through the national system yet.",
  },
  {
    codes: ["E0116", "E0120", "E043"],
    says: /inscricao municipal/,
    slots: ["issuer"],
    fixable: "issuer",
    pt: "A inscrição municipal da empresa precisa ser revista no cadastro.",
    en: "The company's municipal registration needs a review in the settings.",
  },
  {
    codes: ["E0160", "E0162", "E0166", "E328"],
    townCodes: ["E36"],
    says: /(?:regime|simples nacional|optante)[^.]{0,80}(?:diverg|diferent|incorret|nao (?:e |esta )?optante|invalid)/,
    slots: ["issuer"],
    fixable: "issuer",
    pt: "O regime da empresa está diferente do registro: é com o contador.",
    en: "The company's tax regime differs from the register: a matter for the accountant.",
  },
  {
    codes: ["E0310", "E0312", "E0314", "E0316", "E0318"],
    townCodes: ["E30"],
    says: /(?:codigo (?:de |do )?(?:servico|tributacao)|item da lista|\bnbs\b|\bcnae\b)[^.]{0,60}(?:invalid|inexistent|nao|incorret)/,
    slots: ["service"],
    fixable: "issuer",
    pt: "O código de serviço precisa ser revisto no cadastro.",
    en: "The service code needs a review in the settings.",
  },
  {
    codes: ["E0427"],
    townCodes: ["E18"],
    says: /valor[^.]{0,40}(?:maior que (?:zero|0)|zerad|negativ|invalid)/,
    slots: ["value"],
    fixable: "customer",
    pt: "O valor precisa ser maior que zero.",
    en: "The amount must be more than zero.",
  },
  {
    codes: ["E0583", "E0588", "E0594", "E0621", "E0667"],
    townCodes: ["E29"],
    says: /(?:retencao|retido|reter)[^.]{0,60}(?:nao|permit|invalid)/,
    slots: ["service"],
    fixable: "issuer",
    pt: "Esse serviço não permite reter ISS: o cadastro precisa ser revisto.",
    en: "This service does not allow ISS to be withheld: the settings need a review.",
  },
  {
    codes: ["E0595", "E0600", "E0617", "E0625", "E0429"],
    says: /aliquota/,
    slots: ["issuer"],
    fixable: "issuer",
    pt: "A alíquota do ISS precisa ser revista no cadastro.",
    en: "The ISS rate needs a review in the settings.",
  },
  {
    codes: ["E0710", "E0712", "E0713"],
    slots: ["issuer"],
    fixable: "issuer",
    pt: "O percentual de tributos da empresa precisa ser revisto no cadastro.",
    en: "The company's total tax percentage needs a review in the settings.",
  },
  {
    codes: ["E0715", "E0716", "E0717", "E0718", "CERTIFICADO_VENCIDO"],
    says: /certificado[^.]{0,60}(?:vencid|expirad|invalid|revogad|nao encontrad|nao cadastrad|ausente)/,
    slots: ["issuer"],
    fixable: "issuer",
    pt: "O certificado digital da empresa está vencido ou não vale.",
    en: "The company's digital certificate has expired or is not valid.",
  },
  {
    codes: ["E1217", "E1206"],
    says: /manutencao|maintenance/,
    slots: [],
    fixable: "nobody",
    pt: "O sistema da nota está em manutenção e a nota não saiu; dá para emitir mais tarde.",
    en: "The invoice system is under maintenance and the note was not issued; it can be issued later.",
  },
  {
    codes: ["E1235"],
    says: /(?:falha|erro)[^.]{0,30}(?:schema|esquema|xml)/,
    slots: [],
    fixable: "nobody",
    pt: "Erro nosso ao montar a nota; já avisei quem pode corrigir.",
    en: "Our own mistake while preparing the note; I told who can fix it.",
  },
  {
    codes: ["402"],
    says: /saldo insuficiente|sem saldo|insufficient balance/,
    slots: [],
    fixable: "nobody",
    pt: "Não consegui emitir agora; já avisei a empresa.",
    en: "I could not issue it now; I told the company.",
  },
];

export const UNKNOWN_REJECTION: RejectionRow = {
  codes: [],
  slots: [],
  fixable: "nobody",
  pt: "A prefeitura não aceitou a nota, por um motivo que eu não conheço.",
  en: "The town did not accept the note, for a reason I do not know.",
};
