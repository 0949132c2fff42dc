/**
 * The authority's rules over `dados`, as far as they can be computed: documents, characters, cents, dates, taker and
 * issuer, town and UF, CEP and UF, sums, and what a regime demands or forbids. Codes are those of the national layout.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { isCnpj, isCpf, timestampOf, townByCode, ufOfCep } from "../../brazil/index.ts";
import { NfseDados } from "../../gateway/index.ts";
import { isObject, objectAt, textAt } from "../http/bounded.ts";
import type { Rejection } from "./invoices.ts";
import { MAGIC_AMOUNTS, UNKNOWN_DOCUMENTS } from "./magic.ts";

/** How far the emission may lie ahead of the authority's clock, in milliseconds: rounding, nothing else. */
const CLOCK_SLACK_MS = 1_000;

/** `crt` of the issuer. */
const SIMPLES = [1, 2];
const MEI = 4;

interface RuleFacts {
  readonly dados: JsonObject;
  /** The issuer's registration. */
  readonly issuer: JsonObject;
  /** Epoch milliseconds of the authority. */
  readonly now: number;
  /** Timestamps in one town's form only. */
  readonly strict: boolean;
}

type Rule = (facts: RuleFacts) => readonly Rejection[];

function refuse(codigo: string, mensagem: string, campo?: string): Rejection[] {
  return [{ codigo, mensagem, campo }];
}

/** The rejection where something is wrong, else none. */
function when(wrong: boolean, codigo: string, mensagem: string, campo: string): Rejection[] {
  return wrong ? refuse(codigo, mensagem, campo) : [];
}

/** Every reason to refuse the note; empty = it is authorised. */
export function rejectionsOf(facts: RuleFacts): readonly Rejection[] {
  const found = RULES.flatMap((rule) => rule(facts));
  const named = new Set(found.map((row) => row.campo));
  // What a rule already told by its own code is not told again as a schema failure.
  const schema = schemaRejections(facts.dados).filter(
    (row) => ![...named].some((campo) => campo !== undefined && row.campo?.startsWith(campo)),
  );
  return [...found, ...schema];
}

/** Required fields, types, widths, character set: E1235, one for each field. */
function schemaRejections(dados: JsonObject): readonly Rejection[] {
  const parsed = NfseDados.safeParse(dados);
  if (parsed.success) return [];
  return parsed.error.issues.slice(0, 20).map((issue) => {
    const campo = issue.path.map(String).join(".");
    return { codigo: "E1235", mensagem: `Falha no esquema: ${campo || "dados"}.`, campo };
  });
}

const taker: Rule = ({ dados, issuer }) => {
  const raw = dados["tomador"];
  if (!isObject(raw)) return [];
  const cpf = textAt(raw, "cpf");
  const cnpj = textAt(raw, "cnpj") ?? (cpf?.length === 14 ? cpf : undefined);
  if (cnpj !== undefined && !isCnpj(cnpj))
    return refuse("E0188", "CNPJ do tomador inválido.", "tomador.cnpj");
  if (cnpj === undefined && cpf !== undefined && !isCpf(cpf))
    return refuse("E0206", "CPF do tomador inválido.", "tomador.cpf");
  const document = cnpj ?? cpf ?? "";
  if (document !== "" && document === textAt(issuer, "cnpj"))
    return refuse("E0202", "O tomador não pode ser o próprio prestador.", "tomador");
  if (UNKNOWN_DOCUMENTS.has(document))
    return cnpj === undefined
      ? refuse("E0207", "CPF do tomador não encontrado no cadastro da Receita.", "tomador.cpf")
      : refuse("E0190", "CNPJ do tomador não encontrado no cadastro da Receita.", "tomador.cnpj");
  return [];
};

const takerMail: Rule = ({ dados }) => {
  const email = textAt(objectAt(dados, "tomador"), "email");
  const wrong = email !== undefined && !/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(email);
  return when(wrong, "E0247", "E-mail do tomador inválido.", "tomador.email");
};

const takerAddress: Rule = ({ dados }) => {
  const raw = objectAt(dados, "tomador")["endereco"];
  if (!isObject(raw)) return [];
  const code = textAt(raw, "codigo_municipio") ?? "";
  const uf = textAt(raw, "uf") ?? "";
  const cep = textAt(raw, "cep") ?? "";
  const town = townByCode(code);
  return [
    ...when(
      /^\d{7}$/.test(code) && town?.uf !== uf,
      "E0238",
      "Município do tomador inexistente ou de outra UF.",
      "tomador.endereco.uf",
    ),
    ...when(
      /^\d{8}$/.test(cep) && ufOfCep(cep) !== (town?.uf ?? uf),
      "E0240",
      "CEP do tomador inexistente ou de outro município.",
      "tomador.endereco.cep",
    ),
  ];
};

const retention: Rule = ({ dados, issuer }) => {
  const municipal = objectAt(objectAt(dados, "servico"), "tributos_municipais");
  if (municipal["iss_retido"] !== true) return [];
  if (issuer["crt"] === MEI)
    return refuse(
      "E0583",
      "MEI não pode ter ISS retido.",
      "servico.tributos_municipais.iss_retido",
    );
  const raw = dados["tomador"];
  if (!isObject(raw) || (textAt(raw, "cpf") ?? textAt(raw, "cnpj")) === undefined)
    return refuse("E0204", "Retenção exige o documento do tomador.", "tomador");
  const wrong = !isObject(raw["endereco"]);
  return when(wrong, "E0237", "Retenção exige o endereço do tomador.", "tomador.endereco");
};

const amounts: Rule = ({ dados }) => {
  const service = objectAt(dados, "servico");
  const value = service["valor_servicos"];
  if (typeof value !== "number") return [];
  if (value <= 0)
    return refuse("E0427", "O valor do serviço deve ser maior que zero.", "servico.valor_servicos");
  const cents = centsOf(value);
  if (cents === null) return [];
  const magic = MAGIC_AMOUNTS.get(cents);
  if (magic?.kind === "rejected") return refuse(magic.code, magic.message);
  const items = service["itens"];
  if (!Array.isArray(items) || items.length === 0) return [];
  const sum = items
    .filter(isObject)
    .reduce((total, item) => total + (centsOf(item["valor_servicos"]) ?? 0), 0);
  const campo = "servico.valor_servicos";
  return when(sum !== cents, "E0427", "A soma dos itens difere do valor dos serviços.", campo);
};

/** Whole cents, or null for what is no amount of money. */
export function centsOf(value: Json | undefined): number | null {
  if (typeof value !== "number") return null;
  const cents = Math.round(value * 100);
  return Math.abs(value * 100 - cents) < 1e-3 ? cents : null;
}

/** A town that takes one form only: whole seconds, an offset from −00:00 to −11:00. */
const STRICT_TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}-(?:0\d|1[01]):\d{2}$/;

const dates: Rule = ({ dados, now, strict }) => {
  const emission = textAt(dados, "data_emissao") ?? "";
  const competence = textAt(dados, "data_competencia") ?? "";
  if (strict) {
    const odd = Object.entries({ data_emissao: emission, data_competencia: competence }).filter(
      ([, text]) => !STRICT_TIMESTAMP.test(text),
    );
    if (odd.length > 0)
      return odd.flatMap(([campo]) => refuse("E1235", `Falha no esquema: ${campo}.`, campo));
  }
  // A time without its offset is no instant; the schema refuses it.
  const [emitted, served] = [emission, competence].map((text) =>
    Date.parse(timestampOf(text) ?? ""),
  ) as [number, number];
  if (Number.isNaN(emitted) || Number.isNaN(served)) return [];
  const ahead = emitted > now + CLOCK_SLACK_MS;
  return [
    ...when(ahead, "E0008", "Data de emissão posterior à data do sistema.", "data_emissao"),
    ...when(
      served > emitted,
      "E0015",
      "Data de competência posterior à data de emissão.",
      "data_competencia",
    ),
  ];
};

const regime: Rule = ({ dados, issuer }) => {
  if (!isObject(dados["servico"])) return [];
  const simples = SIMPLES.includes(Number(issuer["crt"]));
  const mei = issuer["crt"] === MEI;
  const assessment = textAt(dados, "regime_apuracao");
  const assessed = assessment !== undefined && assessment !== "";
  const totals = objectAt(objectAt(dados, "servico"), "tributos_totais");
  const shown = totals["percentual_tributos_simples_nacional"] !== undefined;
  const [campo, total] = ["regime_apuracao", "servico.tributos_totais"] as const;
  return [
    ...when(
      simples && assessment === undefined,
      "E0166",
      "Regime de apuração do Simples não informado.",
      campo,
    ),
    ...when(!simples && assessed, "E0162", "Regime de apuração do Simples não permitido.", campo),
    ...when(simples && !shown, "E0712", "Percentual de tributos do Simples não informado.", total),
    ...when(mei && shown, "E0710", "Percentual de tributos não permitido para MEI.", total),
  ];
};

const places: Rule = ({ dados }) => {
  const service = objectAt(dados, "servico");
  const codes = [
    ["servico.codigo_municipio", textAt(service, "codigo_municipio")],
    [
      "servico.endereco_local_prestacao.codigo_municipio_prestacao",
      textAt(objectAt(service, "endereco_local_prestacao"), "codigo_municipio_prestacao"),
    ],
  ] as const;
  return codes.flatMap(([campo, code]) =>
    code !== undefined && /^\d{7}$/.test(code) && townByCode(code) === null
      ? refuse("E0238", "Município inexistente na tabela do IBGE.", campo)
      : [],
  );
};

/** In the order a person would want to hear them. */
const RULES: readonly Rule[] = [
  taker,
  takerMail,
  takerAddress,
  retention,
  amounts,
  dates,
  regime,
  places,
];
