/** Invoices: numbered per issuer, with keys that pass their check digit, and the switches of how answers come. */
import type { Json, JsonObject } from "../../base/index.ts";
import { isoWithOffset } from "../../brazil/index.ts";
import { nfeKey, nfseKey } from "../../gateway/index.ts";
import { BoundedList, clip, textAt } from "../http/bounded.ts";
import type { VirtualClock } from "../world/clock.ts";
import type { Ids } from "../world/ids.ts";
import type { Issuer } from "./issuers.ts";
import type { Settings } from "../controls/settings.ts";

/** What a note takes from the sandbox around it. */
interface IssuingWorld {
  readonly clock: VirtualClock;
  readonly ids: Ids;
  readonly settings: Settings;
  /** Own address, as links name it. */
  readonly origin: string;
}

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

const ZONE = "America/Sao_Paulo";

export class Invoices {
  readonly #all = new BoundedList<Invoice>();
  readonly #byKey = new Map<string, Invoice>();
  readonly #byDigest = new Map<string, Invoice>();
  readonly #byDeclaration = new Map<string, Invoice>();
  readonly #numbers = new Map<string, number>();
  readonly #firstNumber: number;

  constructor(epoch: number) {
    this.#firstNumber = epoch * NUMBERS_PER_EPOCH;
  }

  add(invoice: Invoice): void {
    const gone = this.#all.push(invoice);
    if (gone?.chave) this.#byKey.delete(gone.chave);
    if (gone) {
      forget(this.#byDigest, gone.digest, gone);
      forget(this.#byDeclaration, gone.declaration, gone);
    }
    // The first that stands is the one that later ones repeat.
    if (!this.same(invoice.digest)) this.#byDigest.set(invoice.digest, invoice);
    if (!this.declared(invoice.declaration)) this.#byDeclaration.set(invoice.declaration, invoice);
  }

  /** Oldest first; one account's, or everybody's. */
  all(account?: string): readonly Invoice[] {
    const all = this.#all.all();
    return account === undefined ? all : all.filter((invoice) => invoice.account === account);
  }

  ofKey(chave: string): Invoice | undefined {
    return this.#byKey.get(chave);
  }

  /** The note that the same request made before, unless it was refused. */
  same(digest: string): Invoice | undefined {
    return standing(this.#byDigest.get(digest));
  }

  /** The note that used up a declaration's number, unless it was refused. */
  declared(declaration: string): Invoice | undefined {
    return standing(this.#byDeclaration.get(declaration));
  }

  /** Gives the note its number and key: 50 positions by the national issuer, 44 otherwise, unless the switch says. */
  authorise(world: IssuingWorld, invoice: Invoice, issuer: Issuer): void {
    const number = (this.#numbers.get(issuer.id) ?? this.#firstNumber) + 1;
    this.#numbers.set(issuer.id, number);
    const emitted = isoWithOffset(world.clock.now(), ZONE);
    const cnpj = textAt(issuer.fields, "cnpj") ?? "";
    const town = textAt(issuer.fields, "cmun") ?? "3550308";
    const digits =
      world.settings.invoicing.key_digits ?? (invoice.dados["nacional"] === true ? 50 : 44);
    invoice.chave =
      digits === 50
        ? nfseKey({
            town,
            generator: 2,
            issuer: cnpj,
            number,
            emitted,
            random: world.ids.digits("chave", 9),
          })
        : nfeKey({
            place: town.slice(0, 2),
            emitted,
            issuer: cnpj,
            model: "55",
            series: 1,
            number,
            emission: 1,
            code: world.ids.digits("chave", 8),
          });
    invoice.numero = String(number);
    invoice.codigo_verificacao = world.ids.hex("verification", 8);
    invoice.status = "autorizada";
    this.#byKey.set(invoice.chave, invoice);
  }
}

function standing(invoice: Invoice | undefined): Invoice | undefined {
  return invoice?.status === "rejeitada" ? undefined : invoice;
}

function forget(map: Map<string, Invoice>, key: string, gone: Invoice): void {
  if (map.get(key) === gone) map.delete(key);
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

/** A note as answers and webhooks tell it. */
export function invoiceBody(world: Pick<IssuingWorld, "origin">, invoice: Invoice): JsonObject {
  const common: Record<string, Json> = {
    id: invoice.id,
    status: invoice.status,
    protocolo: invoice.protocolo,
    emitente_id: invoice.emitente_id,
  };
  if (invoice.chave === null || invoice.numero === null)
    return invoice.erros.length === 0
      ? common
      : { ...common, erros: invoice.erros.map((erro) => ({ ...erro })) };
  return {
    ...common,
    numero: invoice.numero,
    chave: invoice.chave,
    codigo_verificacao: invoice.codigo_verificacao,
    data_emissao: isoWithOffset(invoice.at, ZONE),
    valor_servicos:
      (invoice.dados["servico"] as JsonObject | undefined)?.["valor_servicos"] ?? null,
    link: `${world.origin}/sandbox/danfse/${invoice.chave}`,
  };
}
