/** The notes' side of invoicing: submit, look up, cancel. What the authority refuses is in `invoice-rules.ts`. */
import type { JsonObject } from "../base/index.ts";
import { digest } from "../base/index.ts";
import { isObject, objectAt, textAt } from "./bounded.ts";
import { centsOf, rejectionsOf } from "./invoice-rules.ts";
import { invoiceBody, invoiceRow, type Invoice, type Rejection } from "./invoices.ts";
import { issuerOf, unknownIssuer } from "./issuer-desk.ts";
import type { Issuer } from "./issuers.ts";
import { isLoopbackUrl } from "./loopback.ts";
import { MAGIC_AMOUNTS } from "./magic.ts";
import { done, failed, type Behaviour, type Call, type Outcome } from "./outcome.ts";
import type { World } from "./world.ts";

/** Characters of `dados` as JSON; a real one has two thousand. */
const DADOS_LIMIT = 100_000;

/** Virtual milliseconds until an async note is settled when no delay was set. */
const SHORTEST_WAIT_MS = 50;

/** What stops an issuer from issuing at all. */
function issuerRejection(issuer: Issuer, now: number): Rejection | undefined {
  if (objectAt(issuer.fields, "documentos")["nfse"] === false)
    return { codigo: "E0037", mensagem: "Emitente não habilitado a emitir NFS-e." };
  if (issuer.certificate === null)
    return { codigo: "E0715", mensagem: "Certificado digital não cadastrado." };
  if (issuer.certificate.until <= now)
    return { codigo: "E0716", mensagem: "Certificado digital vencido (certificado_vencido)." };
  return undefined;
}

export const submit: Behaviour = async (world, call) => {
  const issuer = issuerOf(world, call);
  if (!issuer) return unknownIssuer();
  const dados = call.body["dados"];
  if (!isObject(dados)) return failed(422, "dados é obrigatório.");
  const text = JSON.stringify(dados);
  if (text.length > DADOS_LIMIT) return failed(422, "dados é grande demais.");
  const mark = digest([issuer.id, dados]);
  const before = world.invoicing.idempotent ? world.invoices.same(mark) : undefined;
  if (before) return answerOf(world, before);
  const invoice = record(world, issuer, dados, mark);
  const { mode, delay_ms: delay, webhook } = world.invoicing;
  const tells = webhook ?? mode === "async";
  const magic = MAGIC_AMOUNTS.get(centsOf(objectAt(dados, "servico")["valor_servicos"]) ?? 0);
  const late = magic?.kind === "late" ? magic.ms : 0;
  if (mode === "async" || late > 0) {
    const wait = Math.max(delay, late, SHORTEST_WAIT_MS);
    world.clock.after(wait, async () => {
      settle(world, invoice, issuer);
      if (tells) await postResult(world, invoice, issuer);
    });
    return done(invoiceBody(world, invoice));
  }
  await world.clock.sleep(delay);
  settle(world, invoice, issuer);
  // Posted after the answer went out, as an authority's notice would be.
  if (tells) world.clock.after(SHORTEST_WAIT_MS, () => postResult(world, invoice, issuer));
  return answerOf(world, invoice);
};

function record(world: World, issuer: Issuer, dados: JsonObject, mark: string): Invoice {
  const invoice: Invoice = {
    id: world.ids.uuid("invoice"),
    protocolo: world.ids.digits("protocol", 15),
    emitente_id: issuer.id,
    account: issuer.account,
    dados,
    digest: mark,
    at: world.clock.now(),
    status: "processando",
    chave: null,
    numero: null,
    codigo_verificacao: null,
    erros: [],
  };
  world.invoices.add(invoice);
  world.feed.tell("invoice", () => invoiceRow(invoice));
  return invoice;
}

function settle(world: World, invoice: Invoice, issuer: Issuer): void {
  const stopped = issuerRejection(issuer, world.clock.now());
  const facts = { dados: invoice.dados, issuer: issuer.fields, now: invoice.at };
  invoice.erros = stopped ? [stopped] : rejectionsOf(facts);
  if (invoice.erros.length === 0) world.invoices.authorise(world, invoice, issuer);
  else invoice.status = "rejeitada";
  world.feed.tell("invoice", () => invoiceRow(invoice));
}

function answerOf(world: World, invoice: Invoice): Outcome {
  const [first] = invoice.erros;
  if (!first) return done(invoiceBody(world, invoice));
  return failed(200, `${first.codigo} - ${first.mensagem}`, {
    codigo: first.codigo,
    erros: invoice.erros.map((erro) => ({ ...erro })),
    status: "rejeitada",
  });
}

/** Tells the issuer's own URL; only addresses of this machine are ever called. */
async function postResult(world: World, invoice: Invoice, issuer: Issuer): Promise<void> {
  const url = textAt(issuer.fields, "webhook_url") ?? "";
  if (!isLoopbackUrl(url)) return;
  const body = { evento: `nfse.${invoice.status}`, ...invoiceBody(world, invoice) };
  await world.webhooks.emitTo(issuer.account, url, invoice.protocolo, body);
}

function noteOf(world: World, call: Call): Invoice | undefined {
  const invoice = world.invoices.ofKey((textAt(call.body, "chave") ?? "").toUpperCase());
  const issuer = issuerOf(world, call);
  return issuer && invoice?.emitente_id === issuer.id ? invoice : undefined;
}

export const lookUp: Behaviour = (world, call) => {
  const invoice = noteOf(world, call);
  return invoice
    ? done(invoiceBody(world, invoice))
    : failed(200, "Nota não encontrada.", { codigo: "NOT_FOUND" });
};

export const cancel: Behaviour = (world, call) => {
  const invoice = noteOf(world, call);
  if (!invoice) return failed(200, "Nota não encontrada.", { codigo: "NOT_FOUND" });
  if (invoice.status === "cancelada")
    return failed(200, "E0840 - Nota já cancelada.", { codigo: "E0840" });
  invoice.status = "cancelada";
  world.feed.tell("invoice", () => invoiceRow(invoice));
  return done(invoiceBody(world, invoice));
};
