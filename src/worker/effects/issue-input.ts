/**
 * `invoice.issue`: what a conversation hands in, and what of the account completes it.
 */
import { z } from "zod";
import {
  Address,
  type Issuer,
  nfseDados,
  type NfseMapping,
  type Service,
} from "../../brazil/index.ts";
import type { JsonObject } from "../../base/index.ts";
import type { Account } from "../../engine/index.ts";

export const IssueInput = z.object({
  /** Id of one of the account's services. */
  service: z.string(),
  /** CPF or CNPJ in normal form. */
  document: z.string(),
  name: z.string(),
  address: Address.partial().nullish(),
  /** Cents. */
  value: z.number().int(),
  description: z.string(),
  /** `YYYY-MM` or `YYYY-MM-DD`. */
  competence: z.string(),
  /** The gateway's id of the issuer; the account's default when absent. */
  issuer: z.string().nullish(),
  /** The business's own id of the sale: makes the business key exact. */
  sale: z.string().max(100).nullish(),
  /** Town where the service was done, 7 digits. */
  place: z.string().nullish(),
  /** A person saw the warning that a note like this exists, and wants another. */
  again: z.boolean().nullish(),
});
export type IssueInput = z.output<typeof IssueInput>;

export interface IssueTerms {
  readonly issuer: Issuer;
  readonly service: Service;
}

/** The issuer and the service meant; null for what the account does not have. */
export function termsOf(
  account: Account,
  input: IssueInput,
): { readonly issuer: Issuer | null; readonly service: Service | null } {
  const { issuers, services } = account;
  const issuer = input.issuer
    ? issuers.find((other) => other.emitente_id === input.issuer)
    : (issuers.find((other) => other.default) ?? issuers[0]);
  return {
    issuer: issuer ?? null,
    service: services.find((other) => other.id === input.service) ?? null,
  };
}

/**
 * What makes two requests the same sale. A person's "again" makes it a sale of its own, as does an account without a
 * window for similar notes; the effect's id then keeps it from being issued twice all the same.
 */
export function businessKey(
  input: IssueInput,
  issuer: Issuer,
  options: { effect: string; similarHours: number },
): string {
  if (input.sale) return JSON.stringify(["sale", issuer.cnpj, input.sale]);
  const own = input.again === true || options.similarHours === 0;
  return noteKey({ ...input, cnpj: issuer.cnpj }, own ? options.effect : undefined);
}

function noteKey(
  note: {
    readonly cnpj: string;
    readonly document: string;
    readonly value: number;
    readonly competence: string;
    readonly service: string;
  },
  effect: string | undefined,
): string {
  const { cnpj, document, value, competence, service } = note;
  const sale = ["note", cnpj, document, value, competence.slice(0, 7), service];
  return JSON.stringify(effect === undefined ? sale : [...sale, effect]);
}

/** What of a body of `nfse-envio` names the sale; a missing part reads as empty. */
const RawNote = z.object({
  emitente_id: z.string().catch(""),
  dados: z
    .object({
      data_competencia: z.string().catch(""),
      tomador: z.object({ cpf: z.string().optional(), cnpj: z.string().optional() }).catch({}),
      servico: z.object({
        codigo: z.string().catch(""),
        codigo_interno: z.string().catch(""),
        valor_servicos: z.number().catch(0),
      }),
    })
    .catch({
      data_competencia: "",
      tomador: {},
      servico: { codigo: "", codigo_interno: "", valor_servicos: 0 },
    }),
});

/** Cents and business key of a note that a flow wrote itself: the key is the one `invoice.issue` gives the same sale. */
export function rawNote(
  body: JsonObject,
  account: Account,
  options: { effect: string; similarHours: number },
): { readonly cents: number; readonly key: string } {
  const { emitente_id, dados } = RawNote.parse(body);
  const { tomador, servico, data_competencia: competence } = dados;
  const { codigo, codigo_interno } = servico;
  const known = account.services.find(
    (one) => one.codigo === codigo && one.codigo_interno === codigo_interno,
  );
  const value = Math.round(servico.valor_servicos * 100);
  const key = noteKey(
    {
      cnpj: account.issuers.find((one) => one.emitente_id === emitente_id)?.cnpj ?? emitente_id,
      document: (tomador.cpf ?? tomador.cnpj ?? "").toUpperCase(),
      ...{ value, competence },
      service: known?.id ?? codigo,
    },
    options.similarHours === 0 ? options.effect : undefined,
  );
  return { cents: value, key };
}

export function dadosOf(
  input: IssueInput,
  terms: IssueTerms,
  drawn: { now: number; code: string; token: string; locale: "pt-BR" | "en" },
): NfseMapping {
  return nfseDados({
    issuer: terms.issuer,
    service: terms.service,
    taker: {
      document: input.document,
      name: input.name,
      ...(input.address ? { address: input.address } : {}),
    },
    cents: input.value,
    description: input.description,
    competence: input.competence,
    now: drawn.now,
    codigoAleatorio: drawn.code,
    cIntContrib: drawn.token,
    locale: drawn.locale,
    ...(input.place ? { place: input.place } : {}),
  });
}
