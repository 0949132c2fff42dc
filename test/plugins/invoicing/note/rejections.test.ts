/**
 * Every rejection that is known, from the amount that makes the sandbox refuse to what customer and operator read, and
 * on to where the conversation goes: a third of them here, all with `EVERY=1`. The rows are the outside rules', written apart from
 * the table of `src/brazil`.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadFlows } from "../../../../src/app/loading/flow-files.ts";
import { MAGIC_AMOUNTS } from "../../../../src/sandbox/invoicing/magic.ts";
import { sample } from "../../../support/sample.ts";
import { OPERATOR, rig, type Rig, textOf } from "../../../worker/rig.ts";

/** Who can do something about it; `held`: the note may exist, nobody sends it again. */
type Way = "document" | "address" | "competence" | "value" | "business" | "person" | "held";

interface Row {
  readonly codes: string;
  readonly way: Way;
  /** What the one who can do something reads. */
  readonly pt: RegExp;
  readonly en: RegExp;
}

const ROWS: readonly Row[] = [
  {
    codes: "E0206 E0188",
    way: "document",
    pt: /CPF ou CNPJ de quem recebe a nota não passou na conferência/,
    en: /CPF or CNPJ of whoever receives the note does not check out/,
  },
  {
    codes: "E0207 E0190",
    way: "document",
    pt: /não encontrou esse documento/,
    en: /does not know/,
  },
  { codes: "E0202", way: "document", pt: /própria empresa que emite/, en: /company that issues/ },
  { codes: "E0204", way: "document", pt: /precisa do CPF ou CNPJ/, en: /needs the CPF/ },
  {
    codes: "E0234 E0235 E0237",
    way: "address",
    pt: /exige o endereço completo/,
    en: /full address/,
  },
  {
    codes: "E0238 E0240",
    way: "address",
    pt: /CEP não é dessa cidade/,
    en: /CEP is not of that city/,
  },
  {
    codes: "E0015 E0016 E0018 E17 E522",
    way: "competence",
    pt: /data do serviço não é/,
    en: /date of the service/,
  },
  { codes: "E0427 E18", way: "value", pt: /maior que zero/, en: /more than zero/ },
  { codes: "E0014 E10", way: "held", pt: /em processamento/, en: /being processed/ },
  { codes: "E0247", way: "person", pt: /e-mail parece incompleto/, en: /e-mail address/ },
  { codes: "E0008 E16", way: "person", pt: /Erro de data nosso/, en: /date error on our side/ },
  { codes: "E0037 E0038 E0093", way: "person", pt: /sistema nacional/, en: /national system/ },
  { codes: "E1217 E1206", way: "person", pt: /em manutenção/, en: /maintenance/ },
  { codes: "E1235", way: "person", pt: /Erro nosso/, en: /Our own mistake/ },
  { codes: "E7777", way: "person", pt: /prefeitura não aceitou/, en: /town did not accept/ },
  {
    codes: "E0116 E0120 E043",
    way: "business",
    pt: /inscrição municipal/,
    en: /municipal registration/,
  },
  { codes: "E0160 E0162 E0166 E328 E36", way: "business", pt: /contador/, en: /accountant/ },
  {
    codes: "E0310 E0312 E0314 E0316 E0318 E30",
    way: "business",
    pt: /código de serviço/,
    en: /service code/,
  },
  {
    codes: "E0583 E0588 E0594 E0621 E0667 E29",
    way: "business",
    pt: /reter ISS/,
    en: /ISS to be withheld/,
  },
  {
    codes: "E0595 E0600 E0617 E0625 E0429",
    way: "business",
    pt: /alíquota do ISS/,
    en: /ISS rate/,
  },
  {
    codes: "E0710 E0712 E0713",
    way: "business",
    pt: /percentual de tributos/,
    en: /total tax percentage/,
  },
  {
    codes: "E0715 E0716 E0717 E0718",
    way: "business",
    pt: /certificado digital/,
    en: /digital certificate/,
  },
  {
    codes: "certificado_vencido",
    way: "business",
    pt: /certificado digital/,
    en: /digital certificate/,
  },
];

const SENTENCES = {
  "pt-BR": {
    wish: (value: string) =>
      `nota de R$ ${value} pra Maria Souza cpf 529.982.247-25, corte de cabelo, ontem`,
    start: "",
    mend: "o valor é R$",
    issued: /Nota \*\d+\* emitida/,
    business: /por um dado da empresa/,
  },
  en: {
    wish: (value: string) =>
      `invoice of R$ ${value} for Maria Souza cpf 123.456.789-09, haircut, yesterday`,
    start: "i need an invoice",
    mend: "the amount is R$",
    issued: /Invoice \*\d+\* issued/,
    business: /business's own data/,
  },
} as const;

const NEW_ANSWER: Readonly<Record<string, string>> = {
  document: "111.444.777-35",
  address: "Rua das Flores, 123, Centro, São Paulo/SP, 01310-100",
  competence: "09/2026",
};

const cases = ROWS.flatMap((row) =>
  row.codes.split(" ").flatMap((code) =>
    // One code of each row in English: the words are the row's.
    (row.codes.startsWith(code) ? (["pt-BR", "en"] as const) : (["pt-BR"] as const)).map(
      (locale) => ({ ...row, code, locale }),
    ),
  ),
);

let it: Rig;
let phones = 0;
beforeAll(async () => {
  const { library } = await loadFlows();
  it = await rig({
    library,
    account: { policy: { approval: false, dailyCeiling: 5_000_000_000 } },
  });
});
afterAll(() => it.close());

class Talk {
  readonly phone = `55119877${String(10_000 + ++phones)}`;
  #read = 0;

  async says(text: string): Promise<string> {
    await it.says(this.phone, text);
    await it.worker.drain();
    return this.hears();
  }

  async hears(): Promise<string> {
    const all = await it.received(this.phone);
    const news = all.slice(this.#read).join("\n");
    this.#read = all.length;
    return news;
  }

  /** What the operator was told since. */
  async told(before: number): Promise<string> {
    return (await it.received(OPERATOR)).slice(before).join("\n");
  }
}

function amountOf(code: string): number {
  for (const [cents, outcome] of MAGIC_AMOUNTS)
    if (outcome.kind === "rejected" && outcome.code === code) return cents;
  throw new Error(`no amount makes ${code}`);
}

/** An amount that no other note here has. */
const free = (): number => 100 + ++phones;
const brl = (cents: number): string => (cents / 100).toFixed(2).replace(".", ",");

test("every amount that the sandbox refuses is tried here", () => {
  const made = [...MAGIC_AMOUNTS.values()].flatMap((one) =>
    one.kind === "rejected" ? [one.code] : [],
  );
  const tried = ROWS.flatMap(({ codes }) => codes.split(" "));

  expect([...made].sort()).toEqual([...tried].sort());
});

describe.each(sample(cases, 3))("$code in $locale", ({ code, locale, way, pt, en }) => {
  test(`ends where ${way === "held" ? "nobody sends it again" : `${way} is asked`}`, async () => {
    const words = SENTENCES[locale];
    const right = locale === "en" ? en : pt;
    const talk = new Talk();
    const before = (await it.received(OPERATOR)).length;
    const sentBefore = (await it.list("requests")).length;
    // Tells the language.
    if (locale === "en") await talk.says(words.start).then(() => talk.says("cancel"));
    const wished = await talk.says(words.wish(brl(amountOf(code))));
    // The services have Portuguese names: in English the service is asked.
    const summary = locale === "en" ? await talk.says("1") : wished;
    expect(summary).toMatch(locale === "en" ? /ISSUE/ : /Confere pra mim/);

    const read = await talk.says("EMITIR");
    const told = await talk.told(before);

    expect(`${read}\n---\n${told}`).toMatch(right);
    expect(read).not.toMatch(/\bE\d{2,4}\b|undefined|\{\{/);
    const attempts = async () =>
      (await it.list("requests"))
        .slice(sentBefore)
        .filter((one) => textOf(one["route"]) === "invoicing.nfseEnvio").length;
    expect(await attempts()).toBe(1);
    if (way === "held" || way === "person" || way === "business") {
      expect(told).not.toBe("");
      expect(await attempts()).toBe(1);
      if (way === "business") expect(read).toMatch(words.business);
      if (way === "person") expect(read).toMatch(right);
      return;
    }
    expect(read).toMatch(right);
    const again = await talk.says(NEW_ANSWER[way] ?? `R$ ${free()},00`);
    expect(again).toMatch(locale === "en" ? /ISSUE/ : /EMITIR/);
    if (way !== "value") await talk.says(`${words.mend} ${free()},00`);
    expect(await talk.says("EMITIR")).toMatch(words.issued);
    expect(await attempts()).toBe(2);
  });
});
