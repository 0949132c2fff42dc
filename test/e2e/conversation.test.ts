/** The main job as a new user would try it: a customer asks for a note in chat, the business approves, the note is there. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Prosa, startProsa, type StoreKind, textIn } from "../support/prosa.ts";
import {
  codeOf,
  CPF,
  customer,
  errorsOf,
  ISSUED,
  issueCalls,
  notesOf,
  OPERATOR,
  REQUEST,
  toRequest,
} from "./note.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

/** Takers of their own, so that no note looks like another test's. All pass their check digits. */
const PEDRO = "11144477735";
const RITA = "12345678909";
const SARA = "98765432100";
const TIAGO = "16899535009";

describe.each<StoreKind>(["redis", "embedded"])("on the %s store", (store) => {
  let prosa: Prosa;
  beforeAll(async () => {
    prosa = await startProsa({ store });
  });
  afterAll(async () => prosa.close());

  test("a customer with a wrong CPF and a correction gets exactly one right note, within twenty calls", async () => {
    const ana = customer(prosa);
    const operator = prosa.phone(OPERATOR);
    const before = {
      ledger: (await prosa.rows("ledger")).length,
      requests: (await prosa.rows("requests")).length,
    };

    await ana.asks("oi", /assistente da Estúdio Aurora[\s\S]*Pedir nota fiscal/);
    await ana.asks("nota", /Qual serviço[\s\S]*1\W+Corte de cabelo[\s\S]*2\W+Consultoria/);
    await ana.asks("1", /CPF ou CNPJ/);
    await ana.asks("529.982.247-24", /não confere/);
    await ana.asks("529.982.247-25", /nome de quem vai receber/);
    await ana.asks("Maria da Silva", /valor do serviço/);
    await ana.asks("150", /O que foi feito/);
    await ana.asks("Corte e escova", /Quando foi o serviço/);
    expect(await ana.asks("hoje", /Confere pra mim/)).toMatch(/150,00/);
    const summary = await ana.asks("o valor é 200", /Confere pra mim/);
    expect(summary).toMatch(/200,00/);
    expect(summary).not.toMatch(/150,00/);
    await ana.asks("EMITIR", /enviado para a empresa/);
    const request = await operator.waitFor(REQUEST);
    expect(request).toMatch(/200,00/);
    await operator.asks("aprovar", new RegExp(`${codeOf(request)} aprovado`));
    const done = ISSUED.exec(await ana.waitFor(ISSUED));
    const number = /\*(\d+)\*/.exec(done?.[0] ?? "")?.[1] ?? "none";
    await operator.waitFor(new RegExp(number));

    const [note, ...others] = await notesOf(prosa, CPF);
    expect(others).toEqual([]);
    expect(note).toMatchObject({
      status: "autorizada",
      chave: done?.[1],
      dados: {
        tomador: { cpf: CPF, razao_social: "Maria da Silva" },
        servico: {
          codigo: "060101",
          codigo_interno: "CORTE",
          codigo_tributacao_municipio: "001",
          codigo_nbs: "126021000",
          codigo_municipio: "3550308",
          discriminacao: "Corte e escova",
          valor_servicos: 200,
          tributos_municipais: { iss_retido: false },
        },
      },
    });
    const items = note?.["dados"]?.["servico"]?.["itens"] as unknown as {
      valor_servicos: number;
    }[];
    expect(items.reduce((sum, item) => sum + item.valor_servicos, 0)).toBe(200);
    expect((await fetch(done?.[2] ?? "")).status).toBe(200);

    const ledger = (await prosa.rows("ledger")).slice(before.ledger);
    const heard = [...(await ana.all()), ...(await operator.all())];
    const plan = ledger.filter((row) => textIn(row["scope"]).startsWith("plan:"));
    expect(plan).toHaveLength(heard.length);
    expect(ledger.filter((row) => !plan.includes(row))).toMatchObject([
      { route: "invoicing.nfseEnvio" },
    ]);
    expect((await prosa.rows("requests")).slice(before.requests).length).toBeLessThanOrEqual(20);
    expect(new Set(heard).size).toBe(heard.length);
  });

  test("a customer who comes back types nothing of the taker again, within ten calls", async () => {
    const ana = customer(prosa);
    const operator = prosa.phone(OPERATOR);
    await operator.hears();
    const code = await toRequest(ana, operator, { document: TIAGO, name: "Tiago Prado" });
    await operator.asks(`aprovar ${code}`, /aprovado/);
    await ana.waitFor(ISSUED);
    await operator.waitFor(/emitida/);
    const before = (await prosa.rows("ledger")).length;

    await ana.asks("oi", /Pedir nota fiscal/);
    const echo = await ana.asks("1", /Mesmo cadastro da última nota/);
    expect(echo).toMatch(/Tiago Prado · \*{3}\.\d{3}\.\d{3}-\*\*/);
    expect(echo).not.toContain(TIAGO);
    await ana.asks("sim", /Qual o valor, o que foi feito e quando/);
    await ana.asks("90, consultoria de estilo, hoje", /Confere[\s\S]*Tiago Prado[\s\S]*90,00/);
    await ana.asks("EMITIR", /para a empresa/);
    const asked = await operator.waitFor(REQUEST);
    await operator.asks(`aprovar ${codeOf(asked)}`, /aprovado/);
    await ana.waitFor(ISSUED);
    await operator.waitFor(/emitida/);

    const ledger = (await prosa.rows("ledger")).slice(before);
    const plan = ledger.filter((row) => textIn(row["scope"]).startsWith("plan:"));
    expect(plan.map((row) => row["route"])).toEqual(Array(9).fill("message.sendText"));
    expect(await notesOf(prosa, TIAGO)).toHaveLength(2);
  });

  test("two requests wait: a plain answer asks which, and only the named one is issued", async () => {
    const [pedro, rita] = [customer(prosa), customer(prosa)];
    const operator = prosa.phone(OPERATOR);
    await operator.hears();
    const first = await toRequest(pedro, operator, { document: PEDRO, name: "Pedro Alves" });
    const second = await toRequest(rita, operator, { document: RITA, name: "Rita Lima" });
    expect(second).not.toBe(first);

    const which = await operator.asks("aprovar", new RegExp(`${first}[\\s\\S]*${second}`));
    expect(which).not.toMatch(/aprovado/);
    expect(await notesOf(prosa, PEDRO)).toEqual([]);
    expect(await notesOf(prosa, RITA)).toEqual([]);

    await operator.asks(`aprovar ${second}`, new RegExp(`${second} aprovado`));
    await rita.waitFor(ISSUED);
    expect(await notesOf(prosa, RITA)).toHaveLength(1);
    expect(await notesOf(prosa, PEDRO)).toEqual([]);
    expect(await pedro.asks("e aí?", /./)).toMatch(/com a empresa/);

    await operator.asks("recusar", /Por quê/);
    await operator.asks("pular", new RegExp(`${first} recusado`));
    await pedro.waitFor(/não aprovou/);
    expect(await notesOf(prosa, PEDRO)).toEqual([]);
  });

  test("a correction after EMITIR voids the request: a late approval issues nothing of the old value", async () => {
    const sara = customer(prosa);
    const operator = prosa.phone(OPERATOR);
    await operator.hears();
    const old = await toRequest(sara, operator, { document: SARA, name: "Sara Reis" });

    await sara.asks("o valor é 250", /Confere pra mim[\s\S]*250,00/);
    await operator.waitFor(new RegExp(old));
    await operator.says(`aprovar ${old}`);
    await operator.waitFor(/./);
    expect(await notesOf(prosa, SARA)).toEqual([]);

    await sara.asks("EMITIR", /com a empresa|para a empresa/);
    const fresh = await operator.waitFor(REQUEST);
    expect(fresh).toMatch(/250,00/);
    await operator.asks(`aprovar ${codeOf(fresh)}`, /aprovado/);
    await sara.waitFor(ISSUED);
    const notes = await notesOf(prosa, SARA);
    expect(notes.map((note) => note["dados"]?.["servico"]?.["valor_servicos"])).toEqual([250]);
  });

  test("went through all this with one call per note, no error, and nobody's data in the log", async () => {
    expect(await issueCalls(prosa)).toHaveLength(5);
    const log = prosa.log();
    expect(errorsOf(log)).toEqual([]);
    expect(log).not.toMatch(/529\D?982\D?247|16899535009|11144477735|12345678909|98765432100/);
    expect(log).not.toMatch(/55119876\d{5}|5511900000001|11\D?9876/);
    expect(log).not.toMatch(/sandbox-token|sandbox-device|demo0000|Maria da Silva/);
  });
});
