/** What a register would refuse about an issuer whose fields are of the right form: documents, place, activity, contact. */
import type { JsonObject } from "../../base/index.ts";
import { fold, isCnpj, townByCode, ufOfCep } from "../../brazil/index.ts";
import { textAt } from "../http/bounded.ts";

export interface IssuerProblem {
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
export function issuerProblem(fields: JsonObject): IssuerProblem | undefined {
  for (const [campo, rule] of Object.entries(RULES)) {
    const value = textAt(fields, campo);
    if (value === undefined && campo !== "cnpj" && campo !== "razao") continue;
    const mensagem = rule(value ?? "", fields);
    if (mensagem !== undefined) return { campo, mensagem };
  }
  return undefined;
}
