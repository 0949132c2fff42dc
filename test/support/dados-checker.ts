import { z } from "zod";
import { cepIsIn, isCnpj, isCpf, isTown, townIsIn } from "./dados-codes.js";

/**
 * An independent judge of `dados`, the body of a service invoice: written from the layouts' public rules alone (the
 * national DPS 1.01, ABRASF 2.04 and 1.0, the narrowest limit of each), without a line of the mapper it judges.
 */
export interface DadosContext {
  /** The authority's clock, in ms. */
  readonly now: number;
  readonly issuer: {
    readonly cnpj: string;
    readonly regime: "simples" | "simples_excesso" | "normal" | "mei";
  };
  readonly address: "never" | "companies" | "always";
}

/** Only "!" to "ÿ" and blanks between: no emoji, no typographic quotes, no control characters, no blank at an end. */
const LATIN = /^[!-~¡-ÿ](?:[ -~ -ÿ]*[!-~¡-ÿ])?$/;
const latin = (max: number) => z.string().min(1).max(max).regex(LATIN, "not of Latin-1");
const digits = (count: number) =>
  z.string().regex(new RegExp(`^[0-9]{${count}}$`), `not ${count} figures`);

/** Two decimals or none, as they stand on the wire, and more than nothing. */
const amount = z
  .number()
  .refine((value) => value > 0 && /^\d{1,15}(\.\d{1,2})?$/.test(JSON.stringify(value)), {
    message: "not a positive amount of whole cents",
  });
/** ISO with an offset west of Greenwich, in whole seconds: "…Z" and milliseconds are refused by the schema. */
const stamp = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-(0\d|1[01]):[0-5]\d$/,
    "not a time with offset and without milliseconds",
  )
  .refine((text) => !Number.isNaN(Date.parse(text)), "no such time");

const codes = {
  codigo: z.string().regex(/^(\d{2}\.\d{2}|\d{6})$/, "neither NN.NN nor six figures"),
  codigo_interno: latin(60).optional(),
  cIntContrib: z.string().regex(/^[A-Za-z0-9]{1,20}$/, "not 1 to 20 letters and figures"),
  codigo_nbs: digits(9).optional(),
  discriminacao: latin(1000),
  valor_servicos: amount,
};

const SHAPE = z.strictObject({
  status: z.enum(["1"]),
  natureza_operacao: z.string().regex(/^[1-6]$/),
  regime_apuracao: z.enum(["1", "2", "3"]).optional(),
  data_emissao: stamp,
  data_competencia: stamp,
  codigo_aleatorio: digits(8),
  nacional: z.boolean(),
  tomador: z.strictObject({
    cpf: z.string().refine(isCpf, "no CPF").optional(),
    cnpj: z.string().refine(isCnpj, "no CNPJ").optional(),
    razao_social: latin(150),
    endereco: z
      .strictObject({
        logradouro: latin(125),
        numero: latin(10),
        bairro: latin(60),
        codigo_municipio: z.string().refine(isTown, "no town"),
        uf: z.string().regex(/^[A-Z]{2}$/),
        cep: digits(8),
      })
      .optional(),
  }),
  servico: z.strictObject({
    ...codes,
    codigo_tributacao_municipio: z
      .string()
      .regex(/^[0-9A-Za-z]{1,20}$/)
      .optional(),
    codigo_municipio: z.string().refine(isTown, "no town"),
    endereco_local_prestacao: z.strictObject({
      codigo_municipio_prestacao: z.string().refine(isTown, "no town"),
    }),
    tributos_municipais: z.strictObject({ iss_retido: z.boolean() }),
    tributos_totais: z
      .strictObject({
        percentual_tributos_simples_nacional: z
          .number()
          .min(0)
          .max(99.99)
          .refine(
            (value) => /^\d{1,2}(\.\d{1,2})?$/.test(JSON.stringify(value)),
            "more than two decimals",
          ),
      })
      .optional(),
    itens: z.array(z.strictObject(codes)).min(1),
  }),
});

type Dados = z.infer<typeof SHAPE>;

const cents = (value: number): number => Math.round(value * 100);

function* takerProblems(
  { tomador, servico }: Dados,
  { issuer, address }: DadosContext,
): Generator<string> {
  const { cpf, cnpj, endereco } = tomador;
  if ((cpf === undefined) === (cnpj === undefined))
    yield "tomador: either cpf or cnpj, and one of them";
  if (cnpj === issuer.cnpj) yield "tomador: the issuer itself (E0202)";
  if (endereco) {
    if (!townIsIn(endereco.codigo_municipio, endereco.uf))
      yield "endereco: the town is not of that uf (E0238)";
    if (!cepIsIn(endereco.cep, endereco.uf)) yield "endereco: the cep is not of that uf (E0240)";
    return;
  }
  if (address === "always" || (address === "companies" && cnpj !== undefined))
    yield "endereco: wanted (E0235)";
  if (servico.tributos_municipais.iss_retido)
    yield "endereco: wanted where ISS is withheld (E0237)";
  if (/^17\.?05/.test(servico.codigo))
    yield "endereco: wanted where ISS is due at the taker's town (E0234)";
}

function* regimeProblems(
  dados: Dados,
  regime: DadosContext["issuer"]["regime"],
): Generator<string> {
  const simples = regime === "simples" || regime === "simples_excesso";
  const percent = dados.servico.tributos_totais?.percentual_tributos_simples_nacional;
  if (simples && dados.regime_apuracao === undefined)
    yield "regime_apuracao: wanted of Simples (E0166)";
  if (!simples && dados.regime_apuracao !== undefined)
    yield "regime_apuracao: only of Simples (E0162)";
  if (simples && percent === undefined) yield "tributos_totais: wanted of Simples (E0712)";
  if (!simples && percent !== undefined) yield "tributos_totais: only of Simples (E0710)";
  if (regime === "mei" && dados.servico.tributos_municipais.iss_retido)
    yield "iss_retido: not of a MEI (E0583)";
}

function* timeProblems(dados: Dados, now: number): Generator<string> {
  const emission = Date.parse(dados.data_emissao);
  if (emission > now) yield "data_emissao: in the future (E0008)";
  if (now - emission > 3_600_000) yield "data_emissao: more than an hour ago";
  if (Date.parse(dados.data_competencia) > emission)
    yield "data_competencia: after the emission (E0015)";
  if (dados.data_competencia.slice(0, 10) > dados.data_emissao.slice(0, 10))
    yield "data_competencia: a later day";
}

function* itemProblems({ servico }: Dados): Generator<string> {
  const sum = servico.itens.reduce((total, item) => total + cents(item.valor_servicos), 0);
  if (sum !== cents(servico.valor_servicos))
    yield `itens: ${sum} cents, servico ${cents(servico.valor_servicos)}`;
}

/** What is wrong with a body; nothing when it may be sent. */
export function dadosProblems(body: unknown, context: DadosContext): string[] {
  const read = SHAPE.safeParse(body);
  if (!read.success) {
    return read.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  }
  return [
    ...takerProblems(read.data, context),
    ...regimeProblems(read.data, context.issuer.regime),
    ...timeProblems(read.data, context.now),
    ...itemProblems(read.data),
  ];
}
