/**
 * `invoice.issue`: what a conversation hands in, and what of the account completes it.
 */
import { z } from "zod";
import { type Account, Address } from "../../../plugin.ts";
import {
  type Issuer,
  ITEMS_LIMIT,
  nfseDados,
  type NfseItemInput,
  type NfseMapping,
  type Service,
} from "../fiscal/index.ts";
import { defaultIssuer, invoicingOf } from "../account.ts";

const IssueItem = z.object({
  /** Id of one of the account's services; of the same sort for tax as the others. */
  service: z.string(),
  /** Cents. */
  value: z.number().int(),
  description: z.string(),
});

export const IssueInput = z
  .object({
    /** Id of one of the account's services. */
    service: z.string().nullish(),
    /** CPF or CNPJ in normal form. */
    document: z.string(),
    name: z.string(),
    address: Address.partial().nullish(),
    /** Cents. */
    value: z.number().int().nullish(),
    description: z.string().nullish(),
    /** Several services of one note, instead of `service`, `value` and `description`: their sum is the note's value. */
    items: z.array(IssueItem).min(1).max(ITEMS_LIMIT).nullish(),
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
  })
  .refine(
    ({ items, service, value, description }) =>
      items
        ? value == null && service == null
        : [service, value, description].every((one) => one != null),
    "either items, or service, value and description",
  );
export type IssueInput = z.output<typeof IssueInput>;
export type IssueItem = z.output<typeof IssueItem>;

/** What a note says instead of its fields where it has items. */
export const INSTEAD_OF_ITEMS = ["service", "value", "description"] as const;

/** The services of a note, one or several, as they were said. */
export function itemsOf({ items, service, value, description }: IssueInput): readonly IssueItem[] {
  return items ?? [{ service: service ?? "", value: value ?? 0, description: description ?? "" }];
}

/** Cents of the whole note. */
export function centsOf(input: IssueInput): number {
  return itemsOf(input).reduce((sum, { value }) => sum + value, 0);
}

/** What the note says was done. */
export function wordsOf(input: IssueInput): string {
  return (
    input.description ??
    itemsOf(input)
      .map(({ description }) => description)
      .join("; ")
  );
}

export interface IssueTerms {
  readonly issuer: Issuer;
  /** One for each of the note's items. */
  readonly services: readonly [Service, ...Service[]];
}

/** The issuer and the services meant; null for what the account does not have. */
export function termsOf(
  account: Account,
  input: IssueInput,
): { readonly issuer: Issuer | null; readonly services: IssueTerms["services"] | null } {
  const { issuers, services } = invoicingOf(account);
  const issuer = input.issuer
    ? issuers.find((other) => other.emitente_id === input.issuer)
    : defaultIssuer({ issuers });
  const meant = itemsOf(input).map(({ service }) => services.find(({ id }) => id === service));
  const [first, ...others] = meant.filter((one) => one !== undefined);
  const isWhole = first !== undefined && others.length === meant.length - 1;
  return { issuer: issuer ?? null, services: isWhole ? [first, ...others] : null };
}

export function dadosOf(
  input: IssueInput,
  terms: IssueTerms,
  drawn: { now: number; code: string; token: string; locale: "pt-BR" | "en" },
): NfseMapping {
  return nfseDados({
    issuer: terms.issuer,
    service: terms.services[0],
    taker: {
      document: input.document,
      name: input.name,
      ...(input.address ? { address: input.address } : {}),
    },
    cents: centsOf(input),
    description: wordsOf(input),
    ...(input.items ? { items: noteItems(input.items, terms) } : {}),
    competence: input.competence,
    now: drawn.now,
    codigoAleatorio: drawn.code,
    cIntContrib: drawn.token,
    locale: drawn.locale,
    ...(input.place ? { place: input.place } : {}),
  });
}

function noteItems(
  items: readonly IssueItem[],
  { services: [first, ...others] }: IssueTerms,
): NfseItemInput[] {
  return items.map(({ value, description }, index) => ({
    service: [first, ...others][index] ?? first,
    cents: value,
    description,
  }));
}
