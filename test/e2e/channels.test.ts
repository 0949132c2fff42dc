/** The same conversation by other engines, by linked ids, with webhooks twice, and with an issuer that answers later. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Prosa, startProsa, textIn } from "../support/prosa.ts";
import { codeOf, customer, ISSUED, notesOf, OPERATOR, REQUEST, toRequest } from "./note.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const TAKERS = { a: "11144477735", c: "12345678909", lid: "98765432100", later: "39053344705" };

describe("the note", () => {
  let prosa: Prosa;
  beforeAll(async () => {
    prosa = await startProsa({ store: "redis" });
  });
  afterEach(async () => {
    await prosa.control("PUT", "/sandbox/delivery", { lid: false, duplicate: 0, delay_ms: 0 });
    await prosa.control("PUT", "/sandbox/invoicing", { mode: "sync", delay_ms: 0 });
  });
  afterAll(async () => prosa.close());

  test.each([
    ["engine-a", TAKERS.a, /engine-a/],
    ["engine-c", TAKERS.c, /engine-c/],
  ])("is asked for and told by %s", async (channel, document, path) => {
    const person = customer(prosa);
    const operator = prosa.phone(OPERATOR);
    await operator.hears();
    const asks = async (text: string, answer: RegExp) => {
      await person.says({ text, channel });
      await person.waitFor(answer);
    };
    await asks("preciso da nota", /Qual serviço/);
    await asks("2", /CPF ou CNPJ/);
    await asks(document, /nome de quem vai receber/);
    await asks("Bia Nunes", /valor do serviço/);
    await asks("80", /O que foi feito/);
    await asks("Consultoria de imagem", /Quando foi o serviço/);
    await asks("hoje", /Confere pra mim/);
    await asks("EMITIR", /enviado para a empresa/);
    await operator.asks(`aprovar ${codeOf(await operator.waitFor(REQUEST))}`, /aprovado/);
    await person.waitFor(ISSUED);

    expect(await notesOf(prosa, document)).toHaveLength(1);
    const sent = (await prosa.rows("requests")).filter((row) =>
      JSON.stringify(row["body"]).includes(person.number),
    );
    expect(sent.length).toBeGreaterThan(8);
    for (const row of sent) expect(textIn(row["path"])).toMatch(path);
  });

  test("goes on when the engine names the person by linked id, then by phone, and tells everything twice", async () => {
    const cleo = customer(prosa);
    const operator = prosa.phone(OPERATOR);
    await operator.hears();
    await prosa.control("PUT", "/sandbox/delivery", { lid: true, duplicate: 1 });
    await cleo.asks("oi", /assistente/);
    await cleo.asks("nota", /Qual serviço/);
    await prosa.control("PUT", "/sandbox/delivery", { lid: false });
    await cleo.asks("1", /CPF ou CNPJ/);
    await cleo.asks(TAKERS.lid, /nome de quem vai receber/);
    await prosa.control("PUT", "/sandbox/delivery", { lid: true });
    await cleo.asks("Cléo Matos", /valor do serviço/);
    await cleo.asks("60", /O que foi feito/);
    await cleo.asks("Escova", /Quando foi o serviço/);
    await cleo.asks("hoje", /Confere pra mim/);
    await cleo.asks("EMITIR", /enviado para a empresa/);
    await operator.asks(`aprovar ${codeOf(await operator.waitFor(REQUEST))}`, /aprovado/);
    await cleo.waitFor(ISSUED);

    const heard = await cleo.all();
    expect(new Set(heard).size).toBe(heard.length);
    expect(await notesOf(prosa, TAKERS.lid)).toHaveLength(1);
  });

  test("that the issuer makes later is told as being processed, and told again when it is there", async () => {
    await prosa.control("PUT", "/sandbox/invoicing", { mode: "async", delay_ms: 60_000 });
    const noa = customer(prosa);
    const operator = prosa.phone(OPERATOR);
    await operator.hears();
    const code = await toRequest(noa, operator, { document: TAKERS.later, name: "Noa Braga" });
    await operator.asks(`aprovar ${code}`, /aprovado/);
    await noa.waitFor(/em processamento/);
    await prosa.advance("2m");
    await noa.waitFor(ISSUED);
    await operator.waitFor(/emitida para/);
    expect(await notesOf(prosa, TAKERS.later)).toMatchObject([{ status: "autorizada" }]);
  });
});
