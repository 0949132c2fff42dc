/** The issuers' side of invoicing: register, update, list, certificate. Each account sees its own issuers only. */
import type { JsonObject } from "../../base/index.ts";
import { clip, objectAt, textAt } from "../http/bounded.ts";
import { readCertificate } from "./certificate.ts";
import { issuerBody, type Issuer } from "./issuers.ts";
import { done, failed, type Behaviour, type Call, type Outcome } from "../http/outcome.ts";
import type { World } from "../world/world.ts";
import { fold, isCnpj, townByCode, ufOfCep } from "../../brazil/index.ts";

/** A CNPJ's root: branches share the certificate of their head office. */
const ROOT_LENGTH = 8;

export function unknownIssuer(): Outcome {
  return failed(200, "Emitente não encontrado.", { codigo: "emitente_nao_encontrado" });
}

/** The caller's issuer of an id; another caller's is as unknown as none. */
export function issuerOf(world: World, call: Call, body = call.body): Issuer | undefined {
  return world.issuers.find(textAt(body, "emitente_id") ?? "", call.caller.account);
}

function issuerFields(body: JsonObject): JsonObject {
  const { tipo: _tipo, homolog: _homolog, emitente_id: _id, ...fields } = body;
  return clip(fields) as JsonObject;
}

/** Why the fields cannot stand, for the issuer they are of (undefined = a new one). */
function refusalOf(
  world: World,
  call: Call,
  fields: JsonObject,
  own?: Issuer,
): Outcome | undefined {
  const problem = issuerProblem(fields);
  if (problem)
    return failed(200, problem.mensagem, {
      codigo: "emitente_invalido",
      errors: { [problem.campo]: [problem.mensagem] },
    });
  const owner = world.issuers.ofCnpj(textAt(fields, "cnpj") ?? "", call.caller.account);
  return owner && owner !== own
    ? failed(200, "Emitente já cadastrado com este CNPJ.", { codigo: "emitente_duplicado" })
    : undefined;
}

export const register: Behaviour = (world, call) => {
  const fields = issuerFields(call.body);
  const refused = refusalOf(world, call, fields);
  if (refused) return refused;
  const { account } = call.caller;
  const issuer: Issuer = { id: world.ids.uuid("issuer"), account, fields, certificate: null };
  if (!world.issuers.add(issuer)) return failed(200, "Limite de emitentes atingido.");
  return done(issuerBody(issuer));
};

/** Fields that are not given stay. A CNPJ of another root leaves the certificate behind. */
export const update: Behaviour = (world, call) => {
  const issuer = issuerOf(world, call);
  if (!issuer) return unknownIssuer();
  const fields = { ...issuer.fields, ...issuerFields(call.body) };
  const refused = refusalOf(world, call, fields, issuer);
  if (refused) return refused;
  issuer.fields = fields;
  if (issuer.certificate && !sameCompany(issuer.certificate.cnpj, issuer))
    issuer.certificate = null;
  return done(issuerBody(issuer));
};

/** All of the caller's issuers, or the one of `emitente`. */
export const list: Behaviour = (world, call) => {
  const wanted = textAt(call.body, "emitente")?.toLowerCase();
  return done(
    world.issuers
      .all(call.caller.account)
      .filter((issuer) => wanted === undefined || issuer.id === wanted)
      .map(issuerBody),
  );
};

/** What is wrong with a file, in the words of {@link readCertificate}. */
const UNUSABLE = {
  password: "Senha do certificado incorreta.",
  unreadable: "Certificado ilegível: envie um arquivo PFX (A1).",
  "no-key": "O certificado não traz a chave privada: envie o arquivo PFX (A1) completo.",
  "no-company": "O certificado não é de uma empresa.",
} as const;

export const uploadCertificate: Behaviour = (world, call) => {
  const dados = objectAt(call.body, "dados");
  const issuer = issuerOf(world, call, dados);
  if (!issuer) return unknownIssuer();
  const read = readCertificate(textAt(dados, "certificado") ?? "", textAt(dados, "senha") ?? "");
  if (!read.ok) return failed(200, UNUSABLE[read.reason], { codigo: "certificado_invalido" });
  const { certificate } = read;
  const now = world.clock.now();
  if (certificate.until <= now)
    return failed(200, "Certificado digital vencido.", { codigo: "certificado_vencido" });
  if (certificate.from > now)
    return failed(200, "Certificado digital ainda não é válido.", {
      codigo: "certificado_invalido",
    });
  if (!sameCompany(certificate.cnpj, issuer))
    return failed(200, "O certificado é de outro CNPJ.", { codigo: "certificado_invalido" });
  issuer.certificate = certificate;
  return done({
    emitente_id: issuer.id,
    validade: new Date(certificate.until).toISOString().slice(0, 10),
  });
};

function sameCompany(cnpj: string, issuer: Issuer): boolean {
  const own = textAt(issuer.fields, "cnpj") ?? "";
  return cnpj.slice(0, ROOT_LENGTH) === own.slice(0, ROOT_LENGTH);
}

interface IssuerProblem {
  readonly campo: string;
  readonly mensagem: string;
}

/** Divisions of the CNAE table (its first two digits) that exist. */
const CNAE_DIVISIONS: ReadonlySet<number> = new Set(
  [
    [1, 3],
    [5, 33],
    [35, 39],
    [41, 43],
    [45, 47],
    [49, 53],
    [55, 56],
    [58, 66],
    [68, 75],
    [77, 82],
    [84, 88],
    [90, 97],
    [99, 99],
  ].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, at) => from + at)),
);

type Rule = (value: string, fields: JsonObject) => string | undefined;

/** By field; fields that were not given are not looked at, except the CNPJ and the name. */
const RULES: Readonly<Record<string, Rule>> = {
  razao: (razao) => (razao.trim() === "" ? "Razão social do emitente vazia." : undefined),
  cnpj: (cnpj) => (isCnpj(cnpj) ? undefined : "CNPJ do emitente inválido."),
  cnae: (cnae) =>
    CNAE_DIVISIONS.has(Number(cnae.slice(0, 2))) ? undefined : "CNAE do emitente inexistente.",
  cmun: (code, fields) => {
    const town = townByCode(code);
    if (town === null) return "Município do emitente inexistente.";
    const uf = textAt(fields, "uf");
    if (uf !== undefined && town.uf !== uf) return "Município do emitente é de outra UF.";
    const name = textAt(fields, "municipio");
    return name !== undefined && fold(name) !== fold(town.name)
      ? "O nome do município não corresponde ao código."
      : undefined;
  },
  cep: (cep, fields) => {
    const uf = textAt(fields, "uf") ?? townByCode(textAt(fields, "cmun") ?? "")?.uf;
    return uf !== undefined && ufOfCep(cep) !== uf
      ? "CEP do emitente inexistente ou de outra UF."
      : undefined;
  },
  telefone: (phone) => (/^\d{10,13}$/.test(phone) ? undefined : "Telefone do emitente inválido."),
  email: (email) =>
    /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/.test(email) && email.length <= 80
      ? undefined
      : "E-mail do emitente inválido.",
};

/** The first problem, in the order of the rules; undefined = nothing to refuse. */
function issuerProblem(fields: JsonObject): IssuerProblem | undefined {
  for (const [campo, rule] of Object.entries(RULES)) {
    const value = textAt(fields, campo);
    if (value === undefined && campo !== "cnpj" && campo !== "razao") continue;
    const mensagem = rule(value ?? "", fields);
    if (mensagem !== undefined) return { campo, mensagem };
  }
  return undefined;
}
