/**
 * Magic values: inputs that make the sandbox answer what cannot be computed from the input. Everything else behaves.
 *
 * | where | value | what happens |
 * | --- | --- | --- |
 * | recipient | `5500…` (no such area code) | not on the messenger: sends are refused with 400, lookups say `exists: false` |
 * | recipient | `55DD98888NNNN` | registered before the ninth digit: its address lacks the 9 |
 * | taker | documents of {@link UNKNOWN_DOCUMENTS} | E0207 / E0190, not in the federal register |
 * | `valor_servicos` | amounts of {@link MAGIC_AMOUNTS} | the rejection, the delay or the refused cancellation beside the amount |
 */

/** Phones that are on no messenger. */
export const UNKNOWN_NUMBER = /^5500/;

/** Brazilian landlines: no short message reaches them. Their numbers begin with 2 to 5 (Anatel's numbering plan). */
export const LANDLINE = /^55[1-9]{2}[2-5]\d{7}$/;

/** Phones whose messenger address has no ninth digit. */
export const LOST_NINTH = /^55\d{2}98888\d{4}$/;

/** Well-formed documents that the register does not know. */
export const UNKNOWN_DOCUMENTS: ReadonlySet<string> = new Set([
  "40532176871",
  "47123586964",
  "99999999000191",
]);

export type MagicOutcome =
  | { readonly kind: "rejected"; readonly code: string; readonly message: string }
  /** Accepted, and settled only `ms` later, whatever the mode. */
  | { readonly kind: "late"; readonly ms: number }
  /** Issued, and never cancelled: the cancellation is refused with this code. */
  | { readonly kind: "final"; readonly code: string; readonly message: string };

/**
 * Rejections that depend on registers nobody can compute here, by the amount in cents: national codes at 6,660.00 reais
 * plus the code as cents (E0038: 6,660.38; E1206, E1217,
 * E1235, an expired certificate and a code of no list from 6,669.89 on), town codes at 6,680.00 plus theirs. Nobody bills
 * these by chance. What can be computed is refused without them, too: `invoice-rules.ts`.
 */
export const MAGIC_AMOUNTS: ReadonlyMap<number, MagicOutcome> = new Map<number, MagicOutcome>([
  [666_008, rejected("E0008", "Data de emissão posterior à data do sistema.")],
  [666_010, rejected("E10", "RPS já informado.")],
  [
    666_014,
    rejected("E0014", "Conjunto de série, número, município e CNPJ já existe: DPS já utilizada."),
  ],
  [666_015, rejected("E0015", "Data de competência posterior à data de emissão.")],
  [666_016, rejected("E0016", "Data de competência anterior ao convênio do município.")],
  [666_018, rejected("E0018", "Data de competência anterior à abertura do CNPJ.")],
  [666_037, rejected("E0037", "Município emissor sem convênio com o sistema nacional.")],
  [666_038, rejected("E0038", "Município emissor sem convênio ativo.")],
  [666_093, rejected("E0093", "Município de incidência sem convênio ativo.")],
  [666_116, rejected("E0116", "Inscrição municipal do prestador não informada.")],
  [666_120, rejected("E0120", "Inscrição municipal do prestador não deve ser informada.")],
  [666_160, rejected("E0160", "Opção pelo Simples Nacional diverge do cadastro.")],
  [666_162, rejected("E0162", "Regime de apuração do Simples não permitido.")],
  [666_166, rejected("E0166", "Regime de apuração do Simples não informado.")],
  [666_188, rejected("E0188", "CNPJ do tomador inválido.")],
  [666_190, rejected("E0190", "CNPJ do tomador não encontrado no cadastro da Receita.")],
  [666_202, rejected("E0202", "O tomador não pode ser o próprio prestador.")],
  [666_204, rejected("E0204", "Retenção exige o documento do tomador.")],
  [666_206, rejected("E0206", "CPF do tomador inválido.")],
  [666_207, rejected("E0207", "CPF do tomador não encontrado no cadastro da Receita.")],
  [666_234, rejected("E0234", "Endereço do tomador obrigatório para este serviço.")],
  [666_235, rejected("E0235", "Endereço nacional obrigatório para tomador com CNPJ.")],
  [666_237, rejected("E0237", "Retenção exige o endereço do tomador.")],
  [666_238, rejected("E0238", "Município do tomador inexistente ou de outra UF.")],
  [666_240, rejected("E0240", "CEP do tomador inexistente ou de outro município.")],
  [666_247, rejected("E0247", "E-mail do tomador inválido.")],
  [666_310, rejected("E0310", "Código de tributação nacional não administrado pelo município.")],
  [666_312, rejected("E0312", "Código de tributação municipal inexistente.")],
  [666_314, rejected("E0314", "Código de tributação municipal não administrado na competência.")],
  [666_316, rejected("E0316", "Código NBS inexistente.")],
  [666_318, rejected("E0318", "Código NBS obrigatório para exportação de serviço.")],
  [666_427, rejected("E0427", "O valor do serviço deve ser maior que zero.")],
  [666_429, rejected("E0429", "Alíquota efetiva menor que 2%.")],
  [666_583, rejected("E0583", "MEI não pode ter ISS retido.")],
  [666_588, rejected("E0588", "Regime especial não permite retenção de ISS.")],
  [666_594, rejected("E0594", "Serviço não permite retenção de ISS.")],
  [666_595, rejected("E0595", "Alíquota não deve ser informada.")],
  [666_600, rejected("E0600", "Alíquota superior a 5%.")],
  [666_617, rejected("E0617", "Alíquota não deve ser informada neste município.")],
  [666_621, rejected("E0621", "Retenção no Simples exige alíquota de ao menos 1,8%.")],
  [666_625, rejected("E0625", "Alíquota difere da parametrizada pelo município.")],
  [666_667, rejected("E0667", "Município não aceita retenção por pessoa física.")],
  [666_710, rejected("E0710", "Percentual de tributos não permitido para MEI.")],
  [666_712, rejected("E0712", "Percentual de tributos do Simples não informado.")],
  [666_713, rejected("E0713", "Total de tributos não permitido para o regime.")],
  [666_715, rejected("E0715", "Certificado digital recusado pela autoridade.")],
  [666_716, rejected("E0716", "Certificado digital vencido.")],
  [666_717, rejected("E0717", "Certificado digital revogado.")],
  [666_718, rejected("E0718", "Cadeia do certificado digital desconhecida.")],
  [666_989, rejected("E1206", "Falha no acesso à lista de certificados revogados.")],
  [666_990, rejected("E1217", "Sistema em manutenção. Tente mais tarde.")],
  [666_991, rejected("E1235", "Falha no esquema: dados.")],
  [666_992, rejected("certificado_vencido", "Certificado digital vencido.")],
  [666_993, rejected("E7777", "Regra nova do município.")],
  [667_030, { kind: "late", ms: 30_000 }],
  [667_900, { kind: "late", ms: 900_000 }],
  [668_016, rejected("E16", "Data de emissão superior à data atual.")],
  [668_017, rejected("E17", "Data de competência inválida.")],
  [668_018, rejected("E18", "Valor dos serviços deve ser maior que zero.")],
  [668_029, rejected("E29", "ISS retido não permitido para este serviço.")],
  [668_030, rejected("E30", "Item da lista de serviço inexistente.")],
  [668_036, rejected("E36", "Optante pelo Simples Nacional divergente do cadastro.")],
  [668_043, rejected("E043", "Inscrição municipal não encontrada.")],
  [668_328, rejected("E328", "Regime especial de tributação incorreto.")],
  [668_522, rejected("E522", "Data de competência fora do período permitido.")],
  [669_022, { kind: "final", code: "E0822", message: "Prazo de cancelamento encerrado." }],
  [669_023, { kind: "final", code: "E0823", message: "Valor acima do limite de cancelamento." }],
]);

function rejected(code: string, message: string): MagicOutcome {
  return { kind: "rejected", code, message };
}
