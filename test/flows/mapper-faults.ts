/** Faults planted in the mapper, one at a time: its sources are bundled anew with a rule taken out or turned round. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Account } from "../../src/engine/index.ts";
import { type InvoicingAccount, invoicingOf } from "../../src/plugins/invoicing/account.ts";
import type {
  dadosOf,
  IssueInput,
  termsOf,
} from "../../src/plugins/invoicing/effects/invoice-issue.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const FOLDER = path.join(ROOT, "node_modules/.cache/mapper-faults");

export interface PlantedFault {
  readonly file: "nfse-map" | "nfse-items";
  readonly from: string;
  readonly to: string;
}

/** Its own last check of the shape, which would hide that a rule is gone. */
const SHAPE_CHECK: PlantedFault = {
  file: "nfse-map",
  from: "NfseDados.safeParse(build(input, times))",
  to: "{ success: true as const, data: build(input, times) }",
};

const rule = (from: string, to = ""): PlantedFault => ({ file: "nfse-map", from, to });

export const FAULTS: readonly PlantedFault[] = [
  rule('problems.push("document-invalid")', "void 0"),
  rule('problems.push("taker-is-issuer")', "void 0"),
  rule('problems.push("name-missing")', "void 0"),
  rule('problems.push("name-too-long")', "void 0"),
  rule("iss_retido || /^17", "/^17"),
  rule("return iss_retido || /^17\\.?05/.test(codigo);", "return iss_retido;"),
  rule('return ["address-incomplete"]', "return []"),
  rule('problems.push("address-too-long")', "void 0"),
  rule('problems.push("address-town")', "void 0"),
  rule('problems.push("address-cep")', "void 0"),
  rule('problems.push("value-not-cents")', "void 0"),
  rule('problems.push("value-not-positive")', "void 0"),
  rule('problems.push("description-missing")', "void 0"),
  rule('problems.push("description-too-long")', "void 0"),
  rule('problems.push("place-unknown")', "void 0"),
  rule('problems.push("simples-regime-missing")', "void 0"),
  rule('problems.push("simples-percent-missing")', "void 0"),
  rule('problems.push("mei-retention")', "void 0"),
  rule('if (day > today) return "competence-future";'),
  rule("EMISSION_BACKDATE_MS = 90_000", "EMISSION_BACKDATE_MS = -90_000"),
  rule("isoWithOffset(emission, zone)", "new Date(emission).toISOString()"),
  rule("Math.max(now - EMISSION_BACKDATE_MS, midnight)", "midnight - 1_000"),
  rule("issuer.regime_apuracao ? {", "false ? {"),
  rule("simples && issuer.percentual_simples !== undefined", "issuer.regime === 'never'"),
  rule("latinText(taker.name),", "taker.name,"),
  rule('"cpf" ? "cpf" : cnpjField', '"cpf" ? cnpjField : "cpf"'),
  rule("logradouro: streetOf(address)", 'logradouro: address.logradouro ?? ""'),
  rule("bairro: latinText(", "bairro: String("),
  rule("?? [item],", "?? [],"),
  {
    file: "nfse-items",
    from: "discriminacao: latinText(description)",
    to: "discriminacao: description",
  },
  { file: "nfse-items", from: "valor_servicos: cents / 100", to: "valor_servicos: cents / 1_000" },
  rule("input.items?.map(", "input.items?.slice(1).map("),
];

export interface Mapper {
  readonly dadosOf: typeof dadosOf;
  readonly termsOf: typeof termsOf;
}

let runtime: Promise<string> | undefined;

/** What plugins import of the runtime, as one file. Files that its modules find beside themselves stay where they are. */
async function runtimeFile(): Promise<string> {
  const outfile = path.join(FOLDER, "runtime.mjs");
  await build({
    ...{ entryPoints: [path.join(ROOT, "src/plugin.ts")], outfile },
    ...{ bundle: true, platform: "node", format: "esm", packages: "external", logLevel: "error" },
    plugins: [
      {
        name: "place",
        setup: (of) => {
          of.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path: file }) => ({
            contents: readFileSync(file, "utf8")
              .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(file).href))
              .replaceAll("import.meta.dirname", JSON.stringify(path.dirname(file))),
            loader: "ts",
          }));
        },
      },
    ],
  });
  return outfile;
}

/** The mapper with one fault, or with none, and without its last check. */
export async function mapperWith(name: string, fault?: PlantedFault): Promise<Mapper> {
  // The runtime stays as it is: one file for all faults.
  const door = await (runtime ??= runtimeFile());
  const edits = fault ? [SHAPE_CHECK, fault] : [SHAPE_CHECK];
  const outfile = path.join(FOLDER, `${name}.mjs`);
  await build({
    ...{
      entryPoints: [path.join(ROOT, "src/plugins/invoicing/effects/invoice-issue.ts")],
      outfile,
    },
    ...{ bundle: true, platform: "node", format: "esm", packages: "external", logLevel: "error" },
    plugins: [
      {
        name: "fault",
        setup: (of) => {
          of.onResolve({ filter: /\/plugin\.ts$/ }, () => ({ path: door, external: true }));
          of.onLoad({ filter: /invoicing\/fiscal\/nfse-(map|items)\.ts$/ }, ({ path: file }) => ({
            ...{ contents: edited(file, edits), loader: "ts" },
          }));
        },
      },
    ],
  });
  return (await import(outfile)) as Mapper;
}

function edited(file: string, edits: readonly PlantedFault[]): string {
  let text = readFileSync(file, "utf8");
  for (const { file: name, from, to } of edits) {
    if (path.basename(file) !== `${name}.ts`) continue;
    if (!text.includes(from)) throw new Error(`${name}.ts has no “${from}” any more`);
    text = text.replace(from, () => to);
  }
  return text;
}

export interface Asked {
  readonly input: IssueInput;
  readonly account: Account;
  readonly now: number;
}

const ADDRESS = {
  ...{ logradouro: "Rua das Flores", numero: "123", bairro: "Centro" },
  ...{ codigo_municipio: "3550308", uf: "SP", cep: "01310100" },
};

/** What no conversation lets through, as a flow of somebody else might: each breaks one rule. */
export function spoiled({ input, account, now }: Asked): readonly Asked[] {
  const { issuers, services } = invoicingOf(account);
  const [issuer] = issuers;
  const [service] = services;
  if (!issuer || !service) throw new Error("an account without issuer or service");
  const inputs: Partial<IssueInput>[] = [
    { document: "52998224724" },
    { document: issuer.cnpj },
    ...[{ name: "😀" }, { name: "x".repeat(151) }, { name: "José “Zé” 😀" }],
    { address: { ...ADDRESS, bairro: "" } },
    { address: { ...ADDRESS, logradouro: "x".repeat(126) } },
    { address: { ...ADDRESS, logradouro: "Rua “Zé” 😀", bairro: "Jardim 😀" } },
    { address: { ...ADDRESS, codigo_municipio: "3304557" } },
    { address: { ...ADDRESS, cep: "20040020" } },
    ...[{ value: 0 }, { value: -100 }, { value: 10.5 }],
    ...[{ description: "😀" }, { description: "x".repeat(1_001) }, { description: "“Zé” 😀" }],
    { place: "3550309" },
    { competence: "2099-01-01" },
    {
      ...{ service: null, value: null },
      items: ["um", "dois"].map((description) => ({ service: "haircut", value: 1, description })),
    },
  ];
  const held = { ...service, iss_retido: true };
  const { regime_apuracao: _apuracao, percentual_simples: _percent, ...bare } = issuer;
  const accounts: InvoicingAccount[] = [
    { ...invoicingOf(account), issuers: [{ ...bare, regime: "simples", percentual_simples: 6 }] },
    { ...invoicingOf(account), issuers: [{ ...bare, regime: "simples", regime_apuracao: "1" }] },
    { ...invoicingOf(account), issuers: [{ ...bare, regime: "mei" }], services: [held] },
    { ...invoicingOf(account), services: [held] },
    { ...invoicingOf(account), services: [{ ...service, codigo: "170501" }] },
  ];
  const plain = { ...input, service: "haircut", address: ADDRESS };
  return [
    ...inputs.map((change) => ({ input: { ...plain, ...change }, account, now })),
    ...accounts.map((other) => ({ input: plain, account: other, now })),
    ...accounts.map((other) => ({ input: { ...plain, address: null }, account: other, now })),
  ];
}
