/**
 * `invoice.issue` as a row of the registry: what a conversation hands in, what of the account completes it, and what makes two
 * requests the same sale. Its life (key, frozen bytes, record) is led by `../note/issue/issue.ts`.
 */
import { z } from "zod";
import { type Account, Address, type EffectSpec, type JsonObject } from "../../../plugin.ts";
import type { Issuer, Service } from "../fiscal/issuer.ts";
import { ITEMS_LIMIT, type NfseItemInput } from "../fiscal/nfse-items.ts";
import { nfseDados, type NfseMapping } from "../fiscal/nfse-map.ts";
import { defaultIssuer, invoicingOf } from "../account.ts";

export const INVOICE_ISSUE = "invoice.issue";

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
type IssueItem = z.output<typeof IssueItem>;

/** What a note says instead of its fields where it has items. */
const INSTEAD_OF_ITEMS = ["service", "value", "description"] as const;

/** The services of a note, one or several, as they were said. */
function itemsOf({ items, service, value, description }: IssueInput): readonly IssueItem[] {
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
    taker: { document: input.document, name: input.name, address: input.address ?? undefined },
    cents: centsOf(input),
    description: wordsOf(input),
    items: input.items ? noteItems(input.items, terms) : undefined,
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

/**
 * The sale's key. The business's own id of a sale names it whatever else is said: another sale has an id of its own. Without one a
 * person's "again" makes it a sale of its own, as does an account without a window for similar notes; the effect's id then keeps
 * it from being issued twice all the same.
 */
export function businessKey(
  input: IssueInput,
  issuer: Issuer,
  options: { effect: string; similarHours: number },
): string {
  if (input.sale) return JSON.stringify(["sale", issuer.cnpj, input.sale]);
  const { document, competence } = input;
  const items = itemsOf(input);
  const value = items.reduce((sum, one) => sum + one.value, 0);
  // In whatever order they were told.
  const several = items.map((one) => `${one.service}=${one.value}`).sort();
  const what = items.length === 1 ? items[0]?.service : several.join("+");
  const sale = ["note", issuer.cnpj, document, value, competence.slice(0, 7), what];
  const isOwn = input.again === true || options.similarHours === 0;
  return JSON.stringify(isOwn ? [...sale, options.effect] : sale);
}

/** What the branches of a flow may read: `issue.number`, `issue.text`, … */
const IssueResult = {
  done: z.object({
    number: z.string(),
    key: z.string(),
    link: z.string(),
    text: z.string(),
    support: z.string(),
  }),
  rejected: z.object({
    code: z.string(),
    text: z.string(),
    /** What the town said of a reason nobody knows: for the business alone. */
    words: z.string().optional(),
    slots: z.array(z.string()),
    fixable: z.enum(["customer", "issuer", "nobody"]),
    support: z.string(),
    /** Of the earlier note, when that is why. */
    number: z.string(),
  }),
  /** `waiting`: nothing was sent, it goes later; `processing`: taken in, not decided; `uncertain`: nobody knows. */
  held: z.object({
    code: z.enum(["waiting", "processing", "uncertain"]),
    text: z.string(),
    /** As of a rejection: why nobody knows. */
    words: z.string().optional(),
    support: z.string(),
  }),
  failed: z.object({ text: z.string(), code: z.string(), support: z.string() }),
} as const;

export const invoiceIssue: EffectSpec = {
  name: INVOICE_ISSUE,
  class: "fiscal",
  version: 1,
  route: "invoicing.nfseEnvio",
  input: IssueInput,
  results: IssueResult,
  unless: Object.fromEntries(INSTEAD_OF_ITEMS.map((name) => [name, "items"])),
  // The bytes depend on time and chance; they are made once, where they can be frozen.
  prepare: (input: JsonObject) =>
    IssueInput.safeParse(input).success ? { body: input, query: {} } : null,
  interpret: () => ({ outcome: "held", out: {} }),
};
