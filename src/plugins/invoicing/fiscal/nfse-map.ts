/**
 * The one place that turns what a conversation knows into `dados` of `nfse-envio`. Pure: time, nonce and token come in.
 *
 * Fiscal rules come from the national layout 1.01 and its Anexo I, ABRASF 2.04 where stricter. What the layout of the
 * gateway cannot say is decided here: a complement is joined to the street, e-mail and phone are not sent.
 */
import {
  addMonths,
  ADDRESS_LIMITS,
  documentType,
  instantOf,
  isDay,
  isoWithOffset,
  lastDayOf,
  latinText,
  localDay,
  MAX_CENTS,
  NfseDados,
  townByCode,
  ufOfCep,
} from "../../../plugin.ts";
import { type AddressGiven, type Issuer, NAME_LIMIT, type Service, type Taker } from "./issuer.ts";
import { DESCRIPTION_LIMIT, itemOf, itemProblems, type NfseItemInput } from "./nfse-items.ts";
import {
  type Locale,
  type NfseProblem,
  nfseProblem,
  type NfseProblemCode,
} from "./nfse-problem.ts";

/** Emission is told this much in the past: the authority refuses a clock that is ahead of its own (E0008). */
const EMISSION_BACKDATE_MS = 90_000;

export interface NfseInput {
  readonly issuer: Issuer;
  readonly service: Service;
  /** Absent = an unidentified final consumer, where the town allows it. */
  readonly taker?: Taker;
  /** The whole note's. */
  readonly cents: number;
  /** Made fit for a fiscal document here: Latin-1, one line. */
  readonly description: string;
  /** Several services; absent = one, which is the note. */
  readonly items?: readonly NfseItemInput[];
  /** `YYYY-MM` (that month's last day, or today in the current month) or `YYYY-MM-DD`. */
  readonly competence: string;
  /** Epoch ms. */
  readonly now: number;
  /** 8 digits; a nonce of ours for the gateway. */
  readonly codigoAleatorio: string;
  /** 1–20 letters or digits: identifies this note at the authority when an answer is lost. */
  readonly cIntContrib: string;
  /** Town where the service was done, 7 digits; the issuer's when absent. */
  readonly place?: string;
  readonly locale?: Locale;
  /** What a deployment of the gateway calls things. */
  readonly profile?: { readonly takerCnpj?: "cnpj" | "cpf" };
}

export type NfseMapping =
  | { readonly ok: true; readonly dados: NfseDados }
  | { readonly ok: false; readonly problems: readonly NfseProblem[] };

/** Either a complete `dados` that satisfies {@link NfseDados}, or every problem found, each with the answer to change. */
export function nfseDados(input: NfseInput): NfseMapping {
  const times = timesOf(input);
  const codes = [
    ...takerProblems(input),
    ...saleProblems(input),
    ...(input.items ? itemProblems(input.items, input) : []),
    ...(typeof times === "string" ? [times] : []),
    ...issuerProblems(input),
  ];
  if (codes.length > 0 || typeof times === "string")
    return { ok: false, problems: codes.map((code) => nfseProblem(code, input.locale ?? "pt-BR")) };
  // What is left to fail here is a setting that the layout cannot carry (an emoji in an internal code).
  const dados = NfseDados.safeParse(build(input, times));
  if (!dados.success)
    return { ok: false, problems: [nfseProblem("code-malformed", input.locale ?? "pt-BR")] };
  return { ok: true, dados: dados.data };
}

function takerProblems(input: NfseInput): NfseProblemCode[] {
  const { taker, issuer, service } = input;
  if (!taker) return service.iss_retido ? ["document-required"] : [];
  const problems: NfseProblemCode[] = [];
  if (documentType(taker.document) === null) problems.push("document-invalid");
  else if (taker.document === issuer.cnpj) problems.push("taker-is-issuer");
  const name = latinText(taker.name);
  if (name === "") problems.push("name-missing");
  if (name.length > NAME_LIMIT) problems.push("name-too-long");
  if (taker.address) problems.push(...addressProblems(taker.address));
  else if (needsAddress(service)) problems.push("address-required");
  return problems;
}

/**
 * Whether a note of this service needs its taker's address, whoever that is: where the tax is withheld (E0237), and for labour
 * that is lent (LC 116/2003, art. 3, XX), whose tax belongs to the taker's town, which the address tells (E0234).
 */
export function needsAddress({ codigo, iss_retido }: Service): boolean {
  return iss_retido || /^17\.?05/.test(codigo);
}

function addressProblems(address: AddressGiven): NfseProblemCode[] {
  const street = streetOf(address);
  const number = latinText(address.numero ?? "");
  const district = latinText(address.bairro ?? "");
  const { codigo_municipio: code = "", uf = "", cep = "" } = address;
  if ([street, number, district, code, uf, cep].includes("")) return ["address-incomplete"];
  const problems: NfseProblemCode[] = [];
  if (
    street.length > ADDRESS_LIMITS.logradouro ||
    number.length > ADDRESS_LIMITS.numero ||
    district.length > ADDRESS_LIMITS.bairro
  )
    problems.push("address-too-long");
  if (townByCode(code)?.uf !== uf) problems.push("address-town");
  if (ufOfCep(cep) !== uf) problems.push("address-cep");
  return problems;
}

/** The interface shows no field for a complement, and an invoice for "the building" is worth little. */
function streetOf(address: AddressGiven): string {
  const street = latinText(address.logradouro ?? "");
  const complement = latinText(address.complemento ?? "");
  return street !== "" && complement !== "" ? `${street}, ${complement}` : street;
}

function saleProblems(input: NfseInput): NfseProblemCode[] {
  const problems: NfseProblemCode[] = [];
  if (!Number.isSafeInteger(input.cents)) problems.push("value-not-cents");
  else if (input.cents <= 0) problems.push("value-not-positive");
  else if (input.cents > MAX_CENTS) problems.push("value-too-large");
  const description = latinText(input.description);
  if (description === "") problems.push("description-missing");
  if (description.length > DESCRIPTION_LIMIT) problems.push("description-too-long");
  if (input.place !== undefined && townByCode(input.place) === null) problems.push("place-unknown");
  if (!/^\d{8}$/.test(input.codigoAleatorio) || !/^[A-Za-z0-9]{1,20}$/.test(input.cIntContrib))
    problems.push("code-malformed");
  return problems;
}

function isSimples(issuer: Issuer): boolean {
  return issuer.regime === "simples" || issuer.regime === "simples_excesso";
}

function issuerProblems({ issuer, service }: NfseInput): NfseProblemCode[] {
  const problems: NfseProblemCode[] = [];
  if (isSimples(issuer)) {
    if (issuer.regime_apuracao === undefined) problems.push("simples-regime-missing");
    if (issuer.percentual_simples === undefined) problems.push("simples-percent-missing");
  } else if (issuer.regime_apuracao !== undefined || issuer.percentual_simples !== undefined)
    problems.push("simples-only-fields");
  if (issuer.regime === "mei" && service.iss_retido) problems.push("mei-retention");
  return problems;
}

interface Times {
  readonly emission: string;
  readonly competence: string;
}

/**
 * Emission lies {@link EMISSION_BACKDATE_MS} in the past, except in the first moments of the competence's own day, where
 * that would put it on the day before (and at a month's turn into the month before): then it is that day's midnight.
 */
function timesOf(input: NfseInput): Times | "competence-invalid" | "competence-future" {
  const { now, competence } = input;
  const { zone } = input.issuer;
  const today = localDay(now, zone);
  let day = competence;
  if (/^\d{4}-\d{2}$/.test(competence) && isDay(`${competence}-01`))
    day = competence === today.slice(0, 7) ? today : lastDayOf(competence);
  if (!isDay(day) || day < addMonths(today.slice(0, 7), -12 * OLDEST_YEARS))
    return "competence-invalid";
  if (day > today) return "competence-future";
  const midnight = instantOf(day, "00:00:00", zone);
  const emission = Math.max(now - EMISSION_BACKDATE_MS, midnight);
  return {
    emission: isoWithOffset(emission, zone),
    competence: isoWithOffset(midnight, zone),
  };
}

/** A service older than the statute of limitations is a typing error. */
const OLDEST_YEARS = 6;

function build(input: NfseInput, times: Times): NfseDados {
  const { issuer, service, taker } = input;
  const item = itemOf(input, input.cIntContrib);
  const simples = isSimples(issuer);
  return {
    status: "1",
    natureza_operacao: issuer.natureza_operacao,
    ...(simples && issuer.regime_apuracao ? { regime_apuracao: issuer.regime_apuracao } : {}),
    data_emissao: times.emission,
    data_competencia: times.competence,
    codigo_aleatorio: input.codigoAleatorio,
    nacional: issuer.nacional,
    ...(taker ? { tomador: takerOf(taker, input.profile?.takerCnpj ?? "cnpj") } : {}),
    servico: {
      ...item,
      codigo_tributacao_municipio: service.codigo_tributacao_municipio,
      codigo_municipio: issuer.town,
      endereco_local_prestacao: { codigo_municipio_prestacao: input.place ?? issuer.town },
      tributos_municipais: { iss_retido: service.iss_retido },
      ...(simples && issuer.percentual_simples !== undefined
        ? { tributos_totais: { percentual_tributos_simples_nacional: issuer.percentual_simples } }
        : {}),
      itens: input.items?.map((one) => itemOf(one, input.cIntContrib)) ?? [item],
    },
  };
}

function takerOf(taker: Taker, cnpjField: "cnpj" | "cpf"): NonNullable<NfseDados["tomador"]> {
  const field = documentType(taker.document) === "cpf" ? "cpf" : cnpjField;
  const { address } = taker;
  return {
    [field]: taker.document,
    razao_social: latinText(taker.name),
    ...(address
      ? {
          endereco: {
            logradouro: streetOf(address),
            numero: latinText(address.numero ?? ""),
            bairro: latinText(address.bairro ?? ""),
            codigo_municipio: address.codigo_municipio ?? "",
            uf: address.uf ?? "",
            cep: address.cep ?? "",
          },
        }
      : {}),
  };
}
