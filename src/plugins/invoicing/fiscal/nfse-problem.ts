/** Why a note cannot be sent as it stands, in words for a person; found before anything is sent. */

export type Locale = "pt-BR" | "en";

/** The answer that has to change; `issuer` and `service` are set up by the business, never by its customer. */
export type NfseSlot =
  | "document"
  | "name"
  | "address"
  | "value"
  | "description"
  | "items"
  | "competence"
  | "issuer"
  | "service"
  | "system";

interface Row {
  readonly slot: NfseSlot;
  readonly pt: string;
  readonly en: string;
}

/** Codes in brackets are the national rejections that each problem would have become. */
export const NFSE_PROBLEMS = {
  // E0206, E0188
  "document-invalid": {
    slot: "document",
    pt: "O CPF ou CNPJ de quem recebe a nota não passou na conferência.",
    en: "The CPF or CNPJ of whoever receives the note does not check out.",
  },
  // E0202
  "taker-is-issuer": {
    slot: "document",
    pt: "Quem recebe a nota não pode ser a própria empresa que emite.",
    en: "The company that issues the note cannot be the one receiving it.",
  },
  // E0204
  "document-required": {
    slot: "document",
    pt: "Essa nota precisa do CPF ou CNPJ de quem recebe.",
    en: "This note needs the CPF or CNPJ of whoever receives it.",
  },
  "name-missing": {
    slot: "name",
    pt: "Falta o nome de quem vai receber a nota.",
    en: "The name of who receives the note is missing.",
  },
  "name-too-long": {
    slot: "name",
    pt: "O nome passa de 150 letras.",
    en: "The name has more than 150 letters.",
  },
  // E0235, E0237
  "address-required": {
    slot: "address",
    pt: "Nesse caso a prefeitura exige o endereço completo.",
    en: "In this case the town demands the full address.",
  },
  "address-incomplete": {
    slot: "address",
    pt: "O endereço está incompleto: preciso de rua, número, bairro, cidade e CEP.",
    en: "The address is incomplete: I need street, number, district, city and CEP.",
  },
  "address-too-long": {
    slot: "address",
    pt: "Uma parte do endereço está longa demais.",
    en: "A part of the address is too long.",
  },
  // E0238
  "address-town": {
    slot: "address",
    pt: "A cidade não confere com o estado.",
    en: "The city and the state do not match.",
  },
  // E0240
  "address-cep": {
    slot: "address",
    pt: "CEP não conferido: ele não é desse estado.",
    en: "CEP not confirmed: it is not of that state.",
  },
  // E0427, E18
  "value-not-positive": {
    slot: "value",
    pt: "O valor precisa ser maior que zero.",
    en: "The amount must be more than zero.",
  },
  "value-not-cents": {
    slot: "value",
    pt: "O valor não está em centavos inteiros.",
    en: "The amount is not in whole cents.",
  },
  "value-too-large": {
    slot: "value",
    pt: "O valor passa do que uma nota aceita.",
    en: "The amount is more than a note can carry.",
  },
  "description-missing": {
    slot: "description",
    pt: "Falta a descrição do serviço.",
    en: "The description of the service is missing.",
  },
  "description-too-long": {
    slot: "description",
    pt: "A descrição passa de 1000 letras.",
    en: "The description has more than 1000 letters.",
  },
  "items-many": {
    slot: "items",
    pt: "Uma nota leva de 1 a 50 serviços.",
    en: "A note carries 1 to 50 services.",
  },
  // E0427
  "items-sum": {
    slot: "items",
    pt: "A soma dos serviços não dá o valor da nota.",
    en: "The services do not add up to the value of the note.",
  },
  // A note has one service code: the national declaration, and the towns' one list item.
  "items-mixed": {
    slot: "items",
    pt: "Esses serviços têm códigos fiscais diferentes: cada tipo precisa de uma nota.",
    en: "These services have different tax codes: each sort needs a note of its own.",
  },
  "item-value": {
    slot: "items",
    pt: "Cada serviço precisa de um valor maior que zero.",
    en: "Each service needs an amount of more than zero.",
  },
  "item-description": {
    slot: "items",
    pt: "Cada serviço precisa de uma descrição de até 1000 letras.",
    en: "Each service needs a description of at most 1000 letters.",
  },
  "competence-invalid": {
    slot: "competence",
    pt: "Não entendi a data do serviço.",
    en: "I did not understand the date of the service.",
  },
  // E0015
  "competence-future": {
    slot: "competence",
    pt: "A data do serviço não pode ser no futuro.",
    en: "The date of the service cannot be in the future.",
  },
  // E0583
  "mei-retention": {
    slot: "service",
    pt: "MEI não pode ter ISS retido: o cadastro do serviço precisa ser revisto.",
    en: "A MEI cannot have ISS withheld: the service's settings need a review.",
  },
  // E0166
  "simples-regime-missing": {
    slot: "issuer",
    pt: "Falta o regime de apuração do Simples no cadastro da empresa.",
    en: "The Simples assessment regime is missing in the company's settings.",
  },
  // E0712
  "simples-percent-missing": {
    slot: "issuer",
    pt: "Falta o percentual de tributos do Simples no cadastro da empresa.",
    en: "The Simples total tax percentage is missing in the company's settings.",
  },
  // E0162, E0710
  "simples-only-fields": {
    slot: "issuer",
    pt: "O cadastro da empresa tem dados do Simples que o regime dela não permite.",
    en: "The company's settings hold Simples data that its regime does not allow.",
  },
  "place-unknown": {
    slot: "service",
    pt: "A cidade onde o serviço foi feito não existe na tabela do IBGE.",
    en: "The town where the service was done is not in the IBGE table.",
  },
  "code-malformed": {
    slot: "system",
    pt: "Erro nosso ao montar a nota; já vamos corrigir.",
    en: "Our own mistake while preparing the note; we will fix it.",
  },
} as const satisfies Record<string, Row>;
export type NfseProblemCode = keyof typeof NFSE_PROBLEMS;

export interface NfseProblem {
  readonly code: NfseProblemCode;
  readonly slot: NfseSlot;
  readonly text: string;
}

export function nfseProblem(code: NfseProblemCode, locale: Locale): NfseProblem {
  const row = NFSE_PROBLEMS[code];
  return { code, slot: row.slot, text: locale === "en" ? row.en : row.pt };
}
