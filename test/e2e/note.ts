/** The flagship conversation in pieces, for tests that need a note asked for, approved or issued on the way. */
import type { Phone } from "../support/phone.ts";
import { type Body, type Prosa, textIn } from "../support/prosa.ts";

export const OPERATOR = "5511900000001";
export const CPF = "52998224725";
/** A request's short code, as the operator reads it. */
export const REQUEST = /Pedido \*([A-Z]\d)\*/;
export const ISSUED = /Nota \*\d+\* emitida ✅\nChave: (\d{50})\n(http\S+)/;

/** Fictitious customers, one per test, so that no test meets another's session. */
let count = 0;
export function customer(prosa: Prosa): Phone {
  count += 1;
  return prosa.phone(`55119876${String(50_000 + count)}`);
}

export interface Wish {
  readonly document?: string;
  readonly name?: string;
  readonly value?: string;
  readonly description?: string;
}

/** From nothing to the summary. */
export async function toSummary(phone: Phone, wish: Wish = {}): Promise<string> {
  await phone.asks("preciso da nota", /Qual serviço/);
  await phone.asks("1", /CPF ou CNPJ/);
  await phone.asks(wish.document ?? CPF, /nome de quem vai receber/);
  await phone.asks(wish.name ?? "Maria da Silva", /valor do serviço/);
  await phone.asks(wish.value ?? "150", /O que foi feito/);
  await phone.asks(wish.description ?? "Corte de cabelo", /Quando foi o serviço/);
  return phone.asks("hoje", /Confere pra mim/);
}

/** From nothing to a request on the operator's phone; answers its code. */
export async function toRequest(phone: Phone, operator: Phone, wish: Wish = {}): Promise<string> {
  await toSummary(phone, wish);
  await phone.asks("EMITIR", /enviado para a empresa/);
  return codeOf(await operator.waitFor(REQUEST));
}

export function codeOf(text: string): string {
  const code = REQUEST.exec(text)?.[1];
  if (code === undefined) throw new Error(`no code in: ${text}`);
  return code;
}

/** Notes in the sandbox for this taker. */
export async function notesOf(prosa: Prosa, document: string): Promise<readonly Body[]> {
  const invoices = await prosa.rows("invoices");
  return invoices.filter((row) => takerOf(row) === document);
}

function takerOf(row: Body): unknown {
  const taker = row["dados"]?.["tomador"];
  return taker?.["cpf"] ?? taker?.["cnpj"];
}

/** Calls of `nfse-envio` that reached the gateway. */
export async function issueCalls(prosa: Prosa): Promise<readonly Body[]> {
  const requests = await prosa.rows("requests");
  return requests.filter((row) => textIn(row["route"]) === "invoicing.nfseEnvio");
}

/** Lines of the bot's log that tell of an error. */
export function errorsOf(log: string): readonly string[] {
  return log.split("\n").filter((line) => {
    const level = /^\{.*"level":(\d+)/.exec(line)?.[1];
    if (level !== undefined) return Number(level) >= 50;
    return /\bError\b|^\s+at .*:\d+:\d+\)?$/.test(line);
  });
}
