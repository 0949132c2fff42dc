/**
 * Magic values: inputs that make the sandbox answer what cannot be computed from the input. Everything else behaves.
 *
 * | where | value | what happens |
 * | --- | --- | --- |
 * | recipient | `5500…` (no such area code) | not on the messenger: sends are refused with 400, lookups say `exists: false` |
 * | recipient | `55DD98888NNNN` | registered before the ninth digit: its address lacks the 9 |
 * | taker | documents of {@link UNKNOWN_DOCUMENTS} | E0207 / E0190, not in the federal register |
 * | `valor_servicos` | amounts of {@link MAGIC_AMOUNTS} | the rejection, or the delay, beside the amount |
 */

/** Phones that are on no messenger. */
export const UNKNOWN_NUMBER = /^5500/;

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
  | { readonly kind: "late"; readonly ms: number };

/** By amount in cents: 6,660.xx and 6,66x.yy reais, amounts nobody bills by chance. */
export const MAGIC_AMOUNTS: ReadonlyMap<number, MagicOutcome> = new Map<number, MagicOutcome>([
  [666_010, rejected("E10", "RPS já informado.")],
  [
    666_014,
    rejected("E0014", "Conjunto de série, número, município e CNPJ já existe: DPS já utilizada."),
  ],
  [666_038, rejected("E0038", "Município emissor sem convênio ativo.")],
  [666_116, rejected("E0116", "Inscrição municipal do prestador não informada.")],
  [666_160, rejected("E0160", "Opção pelo Simples Nacional diverge do cadastro.")],
  [666_234, rejected("E0234", "Endereço do tomador obrigatório para este serviço.")],
  [666_310, rejected("E0310", "Código de tributação nacional não administrado pelo município.")],
  [666_316, rejected("E0316", "Código NBS inexistente.")],
  [666_595, rejected("E0595", "Alíquota não deve ser informada.")],
  [666_715, rejected("E0715", "Certificado digital recusado pela autoridade.")],
  [666_990, rejected("E1217", "Sistema em manutenção. Tente mais tarde.")],
  [667_030, { kind: "late", ms: 30_000 }],
  [667_900, { kind: "late", ms: 900_000 }],
]);

function rejected(code: string, message: string): MagicOutcome {
  return { kind: "rejected", code, message };
}
