/** The invoicing section of an account: who issues, what for, up to which value, and what flows read of it. */
import { z } from "zod";
import { type Account, type AccountSection, formatCnpj, type JsonObject } from "../../plugin.ts";
import { Issuer, Service } from "./fiscal/issuer.ts";
import { needsAddress } from "./fiscal/nfse-map.ts";

const fields = {
  /** Path token of the issuers' invoicing webhook. */
  invoicingToken: z.string().min(24).max(128).optional(),
  issuers: z.array(Issuer).default([]),
  services: z.array(Service).max(50).default([]),
  /** Selector of the gateway's cancellation; without it a cancellation is people's work. */
  cancelTipo: z.string().optional(),
};

const policy = {
  /** Customers' requests need an operator's yes. */
  approval: z.boolean().default(true),
  address: z.enum(["never", "companies", "always"]).default("companies"),
  /** Highest value of one note, and of one day, in cents. */
  ceiling: z.number().int().positive().default(5_000_000),
  dailyCeiling: z.number().int().positive().default(50_000_000),
  /** Window in which a note like another one is asked about. */
  similarHours: z.number().int().nonnegative().default(24),
};

const retention = {
  /** Whole years that records of notes are kept after their own. */
  fiscalYears: z.number().int().min(5).default(5),
};

type Fields = z.output<z.ZodObject<typeof fields>>;
type Policy = z.output<z.ZodObject<typeof policy>>;
type Kept = Account["retention"] & z.output<z.ZodObject<typeof retention>>;

/** An account with the settings of this plugin. */
export type InvoicingAccount = Account & Fields & { policy: Policy; retention: Kept };

/** The account with this plugin's settings. Throws for one that was read without them: the plugin is not loaded then. */
export function invoicingOf(account: Account): InvoicingAccount {
  if (!("issuers" in account))
    throw new Error(`The account ${account.id} was read without the settings of invoicing.`);
  return account as InvoicingAccount;
}

/** How long what is kept, also of an account that was removed. */
export function retentionOf({ retention: kept }: Pick<Account, "retention">): Kept {
  return kept as Kept;
}

/** Whose notes they are unless somebody says otherwise. */
export function defaultIssuer({ issuers }: Pick<Fields, "issuers">): Issuer | undefined {
  return issuers.find((one) => one.default) ?? issuers[0];
}

/**
 * The zone of the days people speak of when they speak of notes: that of the issuer's town whose notes they are. Business hours
 * and reports go by the account's own.
 */
export function dayZone(account: Account): string {
  return defaultIssuer(invoicingOf(account))?.zone ?? account.zone;
}

/** Documents of those who are asked for their address. */
const DOCUMENTS = { never: [], companies: ["cnpj"], always: ["cpf", "cnpj"] } as const;

function view(given: Account): JsonObject {
  const account = invoicingOf(given);
  // A note to oneself is refused: flows know whose notes they are.
  const issuer = defaultIssuer(account);
  return {
    services: account.services.map((service) => ({
      id: service.id,
      label: service.name,
      ...(service.price === undefined ? {} : { price: service.price }),
    })),
    addressOf: {
      types: [...DOCUMENTS[account.policy.address]],
      services: account.services.filter(needsAddress).map(({ id }) => id),
    },
    hasIssuer: account.issuers.length > 0,
    ...(issuer ? { issuer: { cnpj: issuer.cnpj } } : {}),
    canCancel: account.cancelTipo !== undefined,
    issuerCount: account.issuers.length,
    issuers: account.issuers.map((one) => ({
      id: one.emitente_id,
      label: `${one.razao} (${formatCnpj(one.cnpj)})`,
    })),
  };
}

/** A change after which customers' requests would wait for an approval that nobody can give. */
function refusal(given: Account, change: JsonObject): string | undefined {
  const { policy: rules, operators, issuers } = invoicingOf(given);
  if (!rules.approval || operators.length > 0) return undefined;
  const asked = (change["policy"] as JsonObject | undefined)?.["approval"] === true;
  // Who cannot issue yet has nothing to approve, and what was so before is no fault of another change.
  const touches = ["policy", "operators", "issuers"].some((name) => name in change);
  return asked || (touches && issuers.length > 0)
    ? "Customers' requests would wait for ever: policy.approval is on, and no operator can answer them. Name an operator, or set policy.approval to false."
    : undefined;
}

const DEMO_ISSUER = "6f1f7d3e-0000-4000-8000-000000000001";

/** What the demo account has of it: one issuer in São Paulo, three services with all their codes. */
const DEMO: JsonObject = {
  // Public, as all tokens of the demo account are.
  invoicingToken: "demo0000000000000000000000000000",
  issuers: [
    {
      emitente_id: DEMO_ISSUER,
      cnpj: "11222333000181",
      razao: "Estúdio Aurora Ltda",
      town: "3550308",
      uf: "SP",
      regime: "simples",
      natureza_operacao: "1",
      regime_apuracao: "1",
      nacional: true,
      percentual_simples: 6,
      default: true,
      zone: "America/Sao_Paulo",
    },
  ],
  services: [
    {
      id: "haircut",
      name: "Corte de cabelo",
      description: "Corte de cabelo",
      codigo: "060101",
      codigo_interno: "CORTE",
      codigo_tributacao_municipio: "001",
      codigo_nbs: "126021000",
      iss_retido: false,
    },
    {
      id: "consulting",
      name: "Consultoria",
      codigo: "170101",
      codigo_interno: "CONSULT",
      codigo_tributacao_municipio: "001",
      codigo_nbs: "114011900",
      iss_retido: false,
    },
    {
      id: "photography",
      name: "Fotografia",
      codigo: "130301",
      codigo_interno: "FOTO",
      codigo_tributacao_municipio: "001",
      codigo_nbs: "114081100",
      iss_retido: false,
    },
  ],
};

export const accountSection: AccountSection = {
  fields,
  policy,
  retention,
  tokens: { invoicing: "invoicingToken" },
  view,
  paths: {
    "addressOf.types": "list",
    "addressOf.services": "list",
    hasIssuer: "yesno",
    "issuer.cnpj": "text",
    canCancel: "yesno",
    issuerCount: "number",
    issuers: "list",
    services: "list",
    "policy.approval": "yesno",
    "policy.address": ["never", "companies", "always"],
    "policy.ceiling": "number",
    "policy.dailyCeiling": "number",
    "policy.similarHours": "number",
    "retention.fiscalYears": "number",
  },
  zone: dayZone,
  profile(account) {
    const { cancelTipo } = invoicingOf(account);
    return cancelTipo === undefined ? {} : { cancelTipo };
  },
  refusal,
  demo: DEMO,
};

declare module "../../flow/authoring/registry.ts" {
  interface FlowPolicy {
    readonly approval: boolean;
    readonly address: "never" | "companies" | "always";
    /** Cents. */
    readonly ceiling: number;
    readonly dailyCeiling: number;
    readonly similarHours: number;
  }
  interface FlowRetention {
    readonly fiscalYears: number;
  }
  interface FlowAccount {
    readonly services: readonly {
      readonly id: string;
      readonly label: string;
      readonly price?: number;
    }[];
    /** Whose address a note needs: takers with these documents, and everybody's for these services. */
    readonly addressOf: {
      readonly types: readonly ("cpf" | "cnpj")[];
      readonly services: readonly string[];
    };
    readonly hasIssuer: boolean;
    /** Whose notes they are unless an effect names another. */
    readonly issuer?: { readonly cnpj: string };
    /** Whether the gateway's cancellation of notes is set up; else it is people's work. */
    readonly canCancel: boolean;
    readonly issuerCount: number;
    readonly issuers: readonly { readonly id: string; readonly label: string }[];
  }
}
