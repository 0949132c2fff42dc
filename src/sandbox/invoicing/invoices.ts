/** Invoices on record, numbered per issuer. */
import type { JsonObject } from "../../base/index.ts";
import { BoundedList, clip } from "../http/bounded.ts";

type InvoiceStatus = "processando" | "autorizada" | "rejeitada" | "cancelada";

export interface Rejection {
  readonly codigo: string;
  readonly mensagem: string;
  readonly campo?: string;
}

export interface Invoice {
  readonly id: string;
  /** What an async answer names the submission by. */
  readonly protocolo: string;
  readonly emitente_id: string;
  /** Whose issuer it is. */
  readonly account: string;
  readonly dados: JsonObject;
  /** Digest of the request, for the idempotent switch. */
  readonly digest: string;
  /** The declaration's own number, of this issuer. */
  readonly declaration: string;
  /** Epoch milliseconds. */
  readonly at: number;
  status: InvoiceStatus;
  chave: string | null;
  numero: string | null;
  codigo_verificacao: string | null;
  erros: readonly Rejection[];
}

/** Numbers of one epoch begin here, so that no number comes twice over resets. */
const NUMBERS_PER_EPOCH = 10_000;

export class Invoices {
  readonly #all = new BoundedList<Invoice>();
  readonly #numbers = new Map<string, number>();
  readonly #firstNumber: number;

  constructor(epoch: number) {
    this.#firstNumber = epoch * NUMBERS_PER_EPOCH;
  }

  add(invoice: Invoice): void {
    this.#all.push(invoice);
  }

  /** Oldest first; one account's, or everybody's. */
  all(account?: string): readonly Invoice[] {
    const all = this.#all.all();
    return account === undefined ? all : all.filter((invoice) => invoice.account === account);
  }

  ofKey(chave: string): Invoice | undefined {
    return this.#all.find((invoice) => invoice.chave === chave);
  }

  /** The first note that the same request made before, unless it was refused. */
  same(digest: string): Invoice | undefined {
    return this.#all.all().find((invoice) => invoice.digest === digest && stands(invoice));
  }

  /** Whether a note used up a declaration's number, unless it was refused. */
  isDeclared(declaration: string): boolean {
    return this.#all
      .all()
      .some((invoice) => invoice.declaration === declaration && stands(invoice));
  }

  /** The next number of an issuer's notes. */
  nextNumber(issuer: string): number {
    const number = (this.#numbers.get(issuer) ?? this.#firstNumber) + 1;
    this.#numbers.set(issuer, number);
    return number;
  }
}

function stands(invoice: Invoice): boolean {
  return invoice.status !== "rejeitada";
}

/** A row of `GET /sandbox/invoices`. */
export function invoiceRow(invoice: Invoice): JsonObject {
  return {
    id: invoice.id,
    chave: invoice.chave,
    numero: invoice.numero,
    status: invoice.status,
    emitente_id: invoice.emitente_id,
    dados: clip(invoice.dados),
    at: new Date(invoice.at).toISOString(),
  };
}
