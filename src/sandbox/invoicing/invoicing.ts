/** The notes' side of invoicing: submit, look up, cancel. What the authority refuses is in `invoice-rules.ts`. */
import { digest, type Json, type JsonObject } from "../../base/index.ts";
import { nfeKey, nfseKey } from "../../gateway/index.ts";
import { isObject, objectAt, textAt } from "../http/bounded.ts";
import { centsOf, rejectionsOf } from "./invoice-rules.ts";
import { invoiceRow, type Invoice, type Rejection } from "./invoices.ts";
import { issuerOf, unknownIssuer } from "./issuer-calls.ts";
import type { Issuer } from "./issuers.ts";
import { isLoopbackUrl } from "../http/loopback.ts";
import { MAGIC_AMOUNTS, type MagicOutcome } from "./magic.ts";
import { done, failed, type Behaviour, type Call, type Outcome } from "../http/outcome.ts";
import { withOffset } from "../world/clock.ts";
import type { World } from "../world/world.ts";

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
  const before = world.settings.invoicing.idempotent ? world.invoices.same(mark) : undefined;
  if (before) return answerOf(world, before);
  const declaration = declarationOf(issuer, dados);
  const taken = world.settings.invoicing.unique && world.invoices.isDeclared(declaration);
  const invoice = record(world, issuer, { dados, digest: mark, declaration });
  const { mode, delay_ms: delay } = world.settings.invoicing;
  const tells = tellsResults(world);
  const magic = magicOf(invoice);
  const late = magic?.kind === "late" ? magic.ms : 0;
  if (mode === "async" || late > 0) {
    const wait = Math.max(delay, late, SHORTEST_WAIT_MS);
    world.clock.after(wait, async () => {
      settle(world, invoice, issuer, taken);
      if (tells) await tell(world, invoice, issuer);
    });
    return done(invoiceBody(world, invoice));
  }
  await world.clock.sleep(delay);
  settle(world, invoice, issuer, taken);
  if (tells) tellLater(world, invoice, issuer);
  return answerOf(world, invoice);
};

/** What a declaration is known by: the contributor's code of the service and the sender's random digits. */
function declarationOf(issuer: Issuer, dados: JsonObject): string {
  const own = textAt(objectAt(dados, "servico"), "cIntContrib") ?? "";
  return `${issuer.id}/${textAt(dados, "codigo_aleatorio") ?? ""}/${own}`;
}

function magicOf(invoice: Invoice): MagicOutcome | undefined {
  const cents = centsOf(objectAt(invoice.dados, "servico")["valor_servicos"]);
  return cents === null ? undefined : MAGIC_AMOUNTS.get(cents);
}

function record(
  world: World,
  issuer: Issuer,
  facts: Pick<Invoice, "dados" | "digest" | "declaration">,
): Invoice {
  const invoice: Invoice = {
    ...facts,
    id: world.ids.uuid("invoice"),
    protocolo: world.ids.digits("protocol", 15),
    emitente_id: issuer.id,
    account: issuer.account,
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

function settle(world: World, invoice: Invoice, issuer: Issuer, taken: boolean): void {
  const stopped = issuerRejection(issuer, world.clock.now()) ?? (taken ? DECLARED : undefined);
  const facts = {
    dados: invoice.dados,
    issuer: issuer.fields,
    now: invoice.at,
    strict: world.settings.invoicing.timestamps === "strict",
  };
  invoice.erros = stopped ? [stopped] : rejectionsOf(facts);
  if (invoice.erros.length === 0) authorise(world, invoice, issuer);
  else invoice.status = "rejeitada";
  world.feed.tell("invoice", () => invoiceRow(invoice));
}

/** Gives the note its number and key: 50 positions by the national issuer, 44 otherwise, unless the switch says. */
function authorise(world: World, invoice: Invoice, issuer: Issuer): void {
  const { ids, settings, invoices } = world;
  const number = invoices.nextNumber(issuer.id);
  const emitted = withOffset(world.clock.now());
  const cnpj = textAt(issuer.fields, "cnpj") ?? "";
  const town = textAt(issuer.fields, "cmun") ?? "3550308";
  const digits = settings.invoicing.key_digits ?? (invoice.dados["nacional"] === true ? 50 : 44);
  invoice.chave =
    digits === 50
      ? nfseKey({
          town,
          generator: 2,
          issuer: cnpj,
          number,
          emitted,
          random: ids.digits("chave", 9),
        })
      : nfeKey({
          place: town.slice(0, 2),
          emitted,
          issuer: cnpj,
          model: "55",
          series: 1,
          number,
          emission: 1,
          code: ids.digits("chave", 8),
        });
  invoice.numero = String(number);
  invoice.codigo_verificacao = ids.hex("verification", 8);
  invoice.status = "autorizada";
}

const DECLARED: Rejection = {
  codigo: "E0014",
  mensagem: "Conjunto de série, número, município e CNPJ já existe: DPS já utilizada.",
};

function answerOf(world: World, invoice: Invoice): Outcome {
  const [first] = invoice.erros;
  if (!first) return done(invoiceBody(world, invoice));
  return failed(200, `${first.codigo} - ${first.mensagem}`, {
    codigo: first.codigo,
    erros: invoice.erros.map((erro) => ({ ...erro })),
    status: "rejeitada",
  });
}

function tellsResults(world: World): boolean {
  const { webhook, mode } = world.settings.invoicing;
  return webhook ?? mode === "async";
}

/** Tells the issuer's own URL; only addresses of this machine are ever called. */
async function tell(world: World, invoice: Invoice, issuer: Issuer): Promise<void> {
  const url = textAt(issuer.fields, "webhook_url") ?? "";
  if (!isLoopbackUrl(url)) return;
  const body = { evento: `nfse.${invoice.status}`, ...invoiceBody(world, invoice) };
  await world.webhooks.emitTo(issuer.account, url, invoice.protocolo, body);
}

/** After the answer went out, as an authority's notice would come. */
function tellLater(world: World, invoice: Invoice, issuer: Issuer): void {
  world.clock.after(SHORTEST_WAIT_MS, () => tell(world, invoice, issuer));
}

/** The caller's note of a key, and its issuer. What is processing or refused has no key, so nobody finds it. */
function noteOf(world: World, call: Call): { invoice: Invoice; issuer: Issuer } | undefined {
  const issuer = issuerOf(world, call);
  const invoice = world.invoices.ofKey((textAt(call.body, "chave") ?? "").toUpperCase());
  return issuer && invoice?.emitente_id === issuer.id ? { invoice, issuer } : undefined;
}

function unknownNote(): Outcome {
  return failed(200, "Nota não encontrada.", { codigo: "NOT_FOUND" });
}

export const lookUp: Behaviour = (world, call) => {
  const note = noteOf(world, call);
  return note ? done(invoiceBody(world, note.invoice)) : unknownNote();
};

export const cancel: Behaviour = (world, call) => {
  const note = noteOf(world, call);
  if (!note) return unknownNote();
  const { invoice, issuer } = note;
  if (invoice.status === "cancelada")
    return failed(200, "E0840 - Nota já cancelada.", { codigo: "E0840" });
  const magic = magicOf(invoice);
  if (magic?.kind === "final")
    return failed(200, `${magic.code} - ${magic.message}`, { codigo: magic.code });
  invoice.status = "cancelada";
  world.feed.tell("invoice", () => invoiceRow(invoice));
  if (tellsResults(world)) tellLater(world, invoice, issuer);
  return done(invoiceBody(world, invoice));
};

/** A note as answers and webhooks tell it. */
function invoiceBody(world: World, invoice: Invoice): JsonObject {
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
    data_emissao: withOffset(invoice.at),
    valor_servicos:
      (invoice.dados["servico"] as JsonObject | undefined)?.["valor_servicos"] ?? null,
    link: `${world.origin}/sandbox/danfse/${invoice.chave}`,
  };
}
