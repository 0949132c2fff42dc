/**
 * The body of a service invoice (`dados` of `nfse-envio`): which fields are required, and of which type each is, as in
 * {@link NfseDados}. Characters and most widths are checked where the invoice is put together, not here.
 *
 * The taker and the service are open objects: the interface shows a taker with `cpf` alone, and deployments differ in
 * how they name the rest (company document, e-mail); a profile renames it.
 */
import { z } from "zod";
import { timestampOf } from "../../brazil/index.ts";

const Text = z.string().min(1);
const Digits = (length: number) =>
  z.string().regex(new RegExp(`^\\d{${length}}$`), `must be ${length} digits`);
/** Any ISO 8601 timestamp with an offset; one form is sent, in whole seconds, because fiscal layouts refuse others. */
const Instant = z
  .string()
  .refine((text) => timestampOf(text) !== null, "must be a time like 2026-11-21T09:00:00-03:00")
  .overwrite((text) => timestampOf(text) ?? text);
/** BRL as a JSON number: positive, whole cents. */
const Brl = z
  .number()
  .positive()
  .max(999_999_999_999.99)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-3, "must be whole cents");
/** Far above the services of one invoice, far below what a body may hold. */
const ITEMS_LIMIT = 1_000;
const Percent = z.number().min(0).max(99.99);

const TakerAddress = z.looseObject({
  logradouro: Text,
  numero: Text,
  bairro: Text,
  codigo_municipio: Digits(7),
  uf: z.string().regex(/^[A-Z]{2}$/, "must be two capital letters"),
  cep: Digits(8),
});

/** Who takes the service. `cnpj` stands for companies, digits and upper-case letters, and is not shown (†). */
const Taker = z
  .looseObject({
    cpf: Digits(11).optional(),
    cnpj: z
      .string()
      .regex(/^[0-9A-Z]{12}\d{2}$/, "must be 14 positions without marks")
      .optional(),
    razao_social: Text,
    endereco: TakerAddress.optional(),
  })
  .refine(({ cpf, cnpj }) => (cpf === undefined) !== (cnpj === undefined), {
    error: "needs either cpf or cnpj",
  });

const serviceText = {
  codigo: Text,
  codigo_interno: Text.optional(),
  cIntContrib: Text.max(20).optional(),
  codigo_nbs: Digits(9),
  discriminacao: Text,
};

/** One entry per service, even for a single one; together they are the invoice's value to the cent. */
const Service = z
  .looseObject({
    ...serviceText,
    codigo_tributacao_municipio: Text.optional(),
    codigo_municipio: Digits(7),
    valor_servicos: Brl,
    endereco_local_prestacao: z.looseObject({ codigo_municipio_prestacao: Digits(7) }),
    tributos_municipais: z.looseObject({ iss_retido: z.boolean() }),
    tributos_totais: z
      .looseObject({ percentual_tributos_simples_nacional: Percent.optional() })
      .optional(),
    itens: z
      .array(z.looseObject({ ...serviceText, valor_servicos: Brl }))
      .min(1)
      .max(ITEMS_LIMIT),
  })
  .refine(
    (service) =>
      service.itens.reduce((sum, item) => sum + cents(item.valor_servicos), 0) ===
      cents(service.valor_servicos),
    {
      path: ["itens"],
      error: "must add up to valor_servicos",
    },
  );

/** BRL as an integer of cents: sums of them are exact. */
function cents(brl: number): number {
  return Math.round(brl * 100);
}

export const ServiceInvoice = z.looseObject({
  status: Text.optional(),
  natureza_operacao: Text,
  regime_apuracao: Text.optional(),
  data_emissao: Instant,
  data_competencia: Instant,
  codigo_aleatorio: Digits(8),
  nacional: z.boolean(),
  tomador: Taker.optional(),
  servico: Service,
});
export type ServiceInvoice = z.output<typeof ServiceInvoice>;

/** An invoice that passes the fiscal checks of the sandbox's town. */
export const serviceInvoiceExample: z.input<typeof ServiceInvoice> = {
  status: "1",
  natureza_operacao: "1",
  regime_apuracao: "1",
  data_emissao: "2026-11-21T09:00:00-03:00",
  data_competencia: "2026-11-21T09:00:00-03:00",
  codigo_aleatorio: "48210377",
  nacional: true,
  tomador: {
    cpf: "52998224725",
    razao_social: "Marina Lopes",
    endereco: {
      logradouro: "Avenida Paulista",
      numero: "1000",
      bairro: "Bela Vista",
      codigo_municipio: "3550308",
      uf: "SP",
      cep: "01310100",
    },
  },
  servico: {
    codigo: "010701",
    codigo_interno: "1",
    cIntContrib: "A1B2C3D4E5F6A7B8C9D0",
    codigo_tributacao_municipio: "001",
    codigo_nbs: "115013000",
    discriminacao: "Suporte técnico de novembro",
    codigo_municipio: "3550308",
    valor_servicos: 150.5,
    endereco_local_prestacao: { codigo_municipio_prestacao: "3550308" },
    tributos_municipais: { iss_retido: false },
    tributos_totais: { percentual_tributos_simples_nacional: 6 },
    itens: [
      {
        codigo: "010701",
        codigo_interno: "1",
        cIntContrib: "A1B2C3D4E5F6A7B8C9D0",
        codigo_nbs: "115013000",
        discriminacao: "Suporte técnico de novembro",
        valor_servicos: 150.5,
      },
    ],
  },
};

/*
 * The same as the authority's layout takes it: `dados` as the gateway's interface shows it, plus `tomador.cnpj`, which the
 * interface does not show. Which fields are required is not shown either: optional here is what a rule of some regime
 * forbids, what the national layout 1.01 leaves out, and what only the gateway knows (`status`, `codigo_interno`).
 */

/** Emission and competence. */
const Timestamp = z.string().refine((text) => timestampOf(text) !== null, "ISO 8601 with offset");
const Latin1 = z
  .string()
  .regex(
    /^[\u0021-\u007e\u00a1-\u00ff]+(?: [\u0021-\u007e\u00a1-\u00ff]+)*$/,
    "Latin-1, no outer blanks",
  );
/** Contributor's own code of the declaration: the only free identification that reaches the authority. */
const Integration = z.string().regex(/^[A-Za-z0-9]{1,20}$/);
const Code = z.string().min(1);
const TownCode = z.string().regex(/^\d{7}$/);

const NfseEndereco = z.object({
  logradouro: Latin1.max(125),
  numero: Latin1.max(10),
  bairro: Latin1.max(60),
  codigo_municipio: TownCode,
  uf: z.string().regex(/^[A-Z]{2}$/),
  cep: z.string().regex(/^\d{8}$/),
});

const NfseTomador = z
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

const NfseItem = z.object({
  codigo: Latin1.max(20),
  codigo_interno: Latin1.max(60).optional(),
  cIntContrib: Integration.optional(),
  codigo_nbs: z.string().regex(/^\d{9}$/),
  discriminacao: Latin1.max(1000),
  valor_servicos: Brl,
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
    valor_servicos: Brl,
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
