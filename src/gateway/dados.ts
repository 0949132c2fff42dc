/**
 * `dados` of `nfse-envio`, as the gateway's interface shows it, plus `tomador.cnpj`, which the interface does not show.
 * Which fields are required is not shown either: optional here is what a rule of some regime forbids, what the national
 * layout 1.01 leaves out, and what only the gateway knows (`status`, `codigo_interno`). The gateway's contract agrees.
 */
import { z } from "zod";
import { timestampOf } from "../brazil/index.ts";

/** Emission and competence. */
const Timestamp = z.string().refine((text) => timestampOf(text) !== null, "ISO 8601 with offset");
const Latin1 = z
  .string()
  .regex(
    /^[\u0021-\u007e\u00a1-\u00ff]+(?: [\u0021-\u007e\u00a1-\u00ff]+)*$/,
    "Latin-1, no outer blanks",
  );
const Cents = z
  .number()
  .positive()
  .max(999_999_999_999.99)
  .refine(
    (value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-3,
    "at most two decimals",
  );
/** Contributor's own code of the declaration: the only free identification that reaches the authority. */
const Integration = z.string().regex(/^[A-Za-z0-9]{1,20}$/);
const Code = z.string().min(1);
const TownCode = z.string().regex(/^\d{7}$/);

export const NfseEndereco = z.object({
  logradouro: Latin1.max(125),
  numero: Latin1.max(10),
  bairro: Latin1.max(60),
  codigo_municipio: TownCode,
  uf: z.string().regex(/^[A-Z]{2}$/),
  cep: z.string().regex(/^\d{8}$/),
});

export const NfseTomador = z
  .object({
    /** 11 digits; 14 positions where a deployment takes both kinds in this field. */
    cpf: z
      .string()
      .regex(/^(?:\d{11}|[0-9A-Z]{12}\d{2})$/)
      .optional(),
    cnpj: z
      .string()
      .regex(/^[0-9A-Z]{12}\d{2}$/)
      .optional(),
    razao_social: Latin1.max(150),
    endereco: NfseEndereco.optional(),
  })
  .refine(
    (taker) => (taker.cpf === undefined) !== (taker.cnpj === undefined),
    "either cpf or cnpj",
  );

export const NfseItem = z.object({
  codigo: Latin1.max(20),
  codigo_interno: Latin1.max(60).optional(),
  cIntContrib: Integration.optional(),
  codigo_nbs: z.string().regex(/^\d{9}$/),
  discriminacao: Latin1.max(1000),
  valor_servicos: Cents,
});

export const NfseDados = z.object({
  status: Code.optional(),
  natureza_operacao: Code,
  /** Simples only (ME/EPP); forbidden for MEI and others. */
  regime_apuracao: Code.optional(),
  data_emissao: Timestamp,
  data_competencia: Timestamp,
  codigo_aleatorio: z.string().regex(/^\d{8}$/),
  nacional: z.boolean(),
  tomador: NfseTomador.optional(),
  servico: z.object({
    codigo: Latin1.max(20),
    codigo_interno: Latin1.max(60).optional(),
    cIntContrib: Integration.optional(),
    codigo_tributacao_municipio: Latin1.max(20).optional(),
    codigo_nbs: z.string().regex(/^\d{9}$/),
    discriminacao: Latin1.max(1000),
    codigo_municipio: TownCode,
    valor_servicos: Cents,
    endereco_local_prestacao: z.object({ codigo_municipio_prestacao: TownCode }),
    tributos_municipais: z.object({ iss_retido: z.boolean() }),
    /** Simples only (ME/EPP): required there, forbidden for MEI. */
    tributos_totais: z
      .object({ percentual_tributos_simples_nacional: z.number().min(0).max(99.99).optional() })
      .optional(),
    itens: z.array(NfseItem).min(1),
  }),
});
export type NfseDados = z.output<typeof NfseDados>;
