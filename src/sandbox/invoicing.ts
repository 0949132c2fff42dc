/** The seven invoicing operations. */
import type { JsonObject } from "../base/index.ts";
import { digest } from "../base/index.ts";
import { isCnpj, townByCode, ufOfCep } from "../brazil/index.ts";
import { clip, isObject, objectAt, textAt } from "./bounded.ts";
import { CERTIFICATE_LIMIT, readCertificate } from "./certificate.ts";
import { centsOf, rejectionsOf } from "./invoice-rules.ts";
import { invoiceBody, invoiceRow, type Invoice, type Rejection } from "./invoices.ts";
import { issuerBody, type Issuer } from "./issuers.ts";
import { isLoopbackUrl } from "./loopback.ts";
import { MAGIC_AMOUNTS } from "./magic.ts";
import { done, failed, type Behaviour, type Call, type Outcome } from "./outcome.ts";
import type { World } from "./world.ts";

/** Characters of `dados` as JSON; a real one has two thousand. */
const DADOS_LIMIT = 100_000;

/** Virtual milliseconds until an async note is settled when no delay was set. */
const SHORTEST_WAIT_MS = 50;

/** A CNPJ's root: branches share the certificate of their head office. */
const ROOT_LENGTH = 8;

function unknownIssuer(): Outcome {
  return failed(200, "Emitente não encontrado.", { codigo: "emitente_nao_encontrado" });
}

function issuerFields(body: JsonObject): JsonObject {
  const { tipo: _tipo, homolog: _homolog, emitente_id: _id, ...fields } = body;
  return clip(fields) as JsonObject;
}

/** What a register would refuse about an issuer; undefined = nothing. */
function issuerProblem(fields: JsonObject): string | undefined {
  if (!isCnpj(textAt(fields, "cnpj") ?? "")) return "CNPJ do emitente inválido.";
  const code = textAt(fields, "cmun");
  const uf = textAt(fields, "uf");
  if (code !== undefined) {
    const town = townByCode(code);
    if (town === null) return "Município do emitente inexistente.";
    if (uf !== undefined && town.uf !== uf) return "Município do emitente é de outra UF.";
  }
  const cep = textAt(fields, "cep");
  if (cep !== undefined && uf !== undefined && ufOfCep(cep) !== uf)
    return "CEP do emitente inexistente ou de outra UF.";
  return undefined;
}

export const register: Behaviour = (world, call) => {
  const fields = issuerFields(call.body);
  const problem = issuerProblem(fields);
  if (problem !== undefined) return failed(200, problem);
  if (world.issuers.ofCnpj(textAt(fields, "cnpj") ?? "", call.caller.account))
    return failed(200, "Emitente já cadastrado com este CNPJ.");
  const issuer: Issuer = {
    id: world.ids.uuid("issuer"),
    account: call.caller.account,
    fields,
    certificate: null,
  };
  if (!world.issuers.add(issuer)) return failed(200, "Limite de emitentes atingido.");
  return done(issuerBody(issuer));
};

export const update: Behaviour = (world, call) => {
  const issuer = world.issuers.find(textAt(call.body, "emitente_id") ?? "", call.caller.account);
  if (!issuer) return unknownIssuer();
  const fields = { ...issuer.fields, ...issuerFields(call.body) };
  const problem = issuerProblem(fields);
  if (problem !== undefined) return failed(200, problem);
  const owner = world.issuers.ofCnpj(textAt(fields, "cnpj") ?? "", call.caller.account);
  if (owner && owner !== issuer) return failed(200, "Emitente já cadastrado com este CNPJ.");
  issuer.fields = fields;
  return done(issuerBody(issuer));
};

export const list: Behaviour = (world, call) => {
  const wanted = textAt(call.body, "emitente")?.toLowerCase();
  return done(
    world.issuers
      .all(call.caller.account)
      .filter((issuer) => wanted === undefined || issuer.id === wanted)
      .map(issuerBody),
  );
};

export const uploadCertificate: Behaviour = (world, call) => {
  const dados = objectAt(call.body, "dados");
  const issuer = world.issuers.find(textAt(dados, "emitente_id") ?? "", call.caller.account);
  if (!issuer) return unknownIssuer();
  const pfx = textAt(dados, "certificado") ?? "";
  if (pfx.length > CERTIFICATE_LIMIT) return failed(200, "Certificado grande demais.");
  const read = readCertificate(pfx, textAt(dados, "senha") ?? "");
  if (!read.ok)
    return failed(
      200,
      {
        password: "Senha do certificado incorreta.",
        unreadable: "Certificado ilegível: envie um arquivo PFX (A1).",
        "no-company": "O certificado não é de uma empresa.",
      }[read.reason],
    );
  const { certificate } = read;
  const now = world.clock.now();
  if (certificate.until <= now) return failed(200, "Certificado digital vencido.");
  if (certificate.from > now) return failed(200, "Certificado digital ainda não é válido.");
  const own = textAt(issuer.fields, "cnpj") ?? "";
  if (certificate.cnpj.slice(0, ROOT_LENGTH) !== own.slice(0, ROOT_LENGTH))
    return failed(200, "O certificado é de outro CNPJ.");
  issuer.certificate = certificate;
  return done({
    emitente_id: issuer.id,
    validade: new Date(certificate.until).toISOString().slice(0, 10),
  });
};

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
  const issuer = world.issuers.find(textAt(call.body, "emitente_id") ?? "", call.caller.account);
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
  const issuer = world.issuers.find(textAt(call.body, "emitente_id") ?? "", call.caller.account);
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
