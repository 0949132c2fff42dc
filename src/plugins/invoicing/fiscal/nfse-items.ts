/**
 * Several services in one note. A note says once what its tax follows from (service code, the town's code, NBS, whether ISS
 * is withheld), so only services of the same sort fit one; what differs are words, values and the account's own codes.
 */
import { latinText, type NfseDados } from "../../../plugin.ts";
import type { Service } from "./issuer.ts";
import type { NfseProblemCode } from "./nfse-problem.ts";

/** Older layouts stop at 1000 letters, the newest at 2000. */
export const DESCRIPTION_LIMIT = 1000;
/** Most services of one note; as many as a conversation collects in a list. */
export const ITEMS_LIMIT = 50;

export interface NfseItemInput {
  readonly service: Service;
  readonly cents: number;
  /** Made fit for a fiscal document here. */
  readonly description: string;
}

/** What is wrong with the list as such, each once. `cents`: the note's value, which must be their sum. */
export function itemProblems(
  items: readonly NfseItemInput[],
  note: { readonly service: Service; readonly cents: number },
): NfseProblemCode[] {
  const problems: NfseProblemCode[] = [];
  if (items.length === 0 || items.length > ITEMS_LIMIT) problems.push("items-many");
  if (items.some(({ cents }) => !Number.isSafeInteger(cents) || cents <= 0))
    problems.push("item-value");
  else if (items.reduce((sum, { cents }) => sum + cents, 0) !== note.cents)
    problems.push("items-sum");
  const texts = items.map(({ description }) => latinText(description));
  if (texts.some((text) => text === "" || text.length > DESCRIPTION_LIMIT))
    problems.push("item-description");
  if (items.some(({ service }) => sortOf(service) !== sortOf(note.service)))
    problems.push("items-mixed");
  return problems;
}

function sortOf(service: Service): string {
  const { codigo, codigo_tributacao_municipio, codigo_nbs, iss_retido } = service;
  return JSON.stringify([codigo, codigo_tributacao_municipio, codigo_nbs, iss_retido]);
}

/** One service as an item. The declaration's own code is the note's, in each of them. */
export function itemOf(
  { service, cents, description }: NfseItemInput,
  cIntContrib: string,
): NfseDados["servico"]["itens"][number] {
  return {
    codigo: service.codigo,
    codigo_interno: service.codigo_interno,
    cIntContrib,
    codigo_nbs: service.codigo_nbs,
    discriminacao: latinText(description),
    // The nearest double of cents/100 prints with at most two decimals, so nothing is rounded on the wire.
    valor_servicos: cents / 100,
  };
}
