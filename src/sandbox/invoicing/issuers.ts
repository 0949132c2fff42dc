/** Issuers and their certificates. */
import type { JsonObject } from "../../base/index.ts";
import { DEMO_ACCOUNT } from "../http/callers.ts";

export interface Certificate {
  /** 14 positions. */
  readonly cnpj: string;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly until: number;
}

export interface Issuer {
  readonly id: string;
  /** Whose it is; nobody else knows its id. */
  readonly account: string;
  /** The fields of the interface, as registered and updated. */
  fields: JsonObject;
  certificate: Certificate | null;
}

/** Issuers at most; registering is refused beyond. */
const ISSUER_LIMIT = 10_000;

/** How long the demo issuer's certificate has been and will be valid, in milliseconds. */
const DEMO_CERTIFICATE_MS = 365 * 86_400_000;

export const DEMO_ISSUER_ID = "6f1f7d3e-0000-4000-8000-000000000001";
const DEMO_CNPJ = "11222333000181";

/** The issuer that is there from the beginning. Invented. */
export function demoIssuer(webhookUrl: string, now: number): Issuer {
  return {
    id: DEMO_ISSUER_ID,
    account: DEMO_ACCOUNT,
    fields: {
      razao: "Estúdio Aurora Ltda",
      nome: "Estúdio Aurora",
      cnpj: DEMO_CNPJ,
      cnae: "6209100",
      crt: 1,
      ie: "ISENTO",
      im: "12345678",
      suframa: null,
      telefone: "1130000000",
      email: "fiscal@aurora.example",
      rua: "Avenida Paulista",
      numero: "1000",
      bairro: "Bela Vista",
      municipio: "São Paulo",
      cmun: "3550308",
      uf: "SP",
      cep: "01310100",
      logo: null,
      documentos: { nfe: false, nfce: false, nfse: true },
      webhook_url: webhookUrl,
    },
    certificate: {
      cnpj: DEMO_CNPJ,
      from: now - DEMO_CERTIFICATE_MS,
      until: now + DEMO_CERTIFICATE_MS,
    },
  };
}

export class Issuers {
  readonly #byId = new Map<string, Issuer>();

  constructor(first: readonly Issuer[]) {
    for (const issuer of first) this.#byId.set(issuer.id, issuer);
  }

  /** An issuer of this account; others' do not exist for it. */
  find(id: string, account: string): Issuer | undefined {
    const issuer = this.#byId.get(id.toLowerCase());
    return issuer?.account === account ? issuer : undefined;
  }

  /** An issuer, whoever registered it. */
  any(id: string): Issuer | undefined {
    return this.#byId.get(id);
  }

  /** The account's issuer of a CNPJ: each may register a company once. */
  ofCnpj(cnpj: string, account: string): Issuer | undefined {
    return this.all(account).find((issuer) => issuer.fields["cnpj"] === cnpj);
  }

  /** False when there are too many. */
  add(issuer: Issuer): boolean {
    if (this.#byId.size >= ISSUER_LIMIT) return false;
    this.#byId.set(issuer.id, issuer);
    return true;
  }

  /** In the order of their registration; one account's, or everybody's. */
  all(account?: string): readonly Issuer[] {
    const all = [...this.#byId.values()];
    return account === undefined ? all : all.filter((issuer) => issuer.account === account);
  }
}

/** An issuer as the interface shows it, and what its certificate is worth. */
export function issuerBody(issuer: Issuer): JsonObject {
  const { certificate } = issuer;
  return {
    emitente_id: issuer.id,
    ...issuer.fields,
    certificado_validade:
      certificate === null ? null : new Date(certificate.until).toISOString().slice(0, 10),
  };
}
