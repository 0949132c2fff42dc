/** The gateway lost, broken, refusing or away: the truth is told, nothing is lost, nothing is done twice. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Body, type Prosa, startProsa, textIn, until } from "../support/prosa.ts";
import { customer, ISSUED, issueCalls, notesOf, OPERATOR, toRequest, toSummary } from "./note.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const LOST = "11144477735";
const POOR = "12345678909";
const PAGE = "98765432100";
const REFUSED = "39053344705";

describe("with the gateway as its own process", () => {
  let prosa: Prosa;
  beforeAll(async () => {
    prosa = await startProsa({ store: "redis", sandboxApart: true });
  });
  afterEach(async () => {
    await prosa.control("DELETE", "/sandbox/faults");
  });
  afterAll(async () => prosa.close());

  const fault = async (route: string, effect: object, times?: number): Promise<void> => {
    const body = { route, effect, ...(times === undefined ? {} : { times }) };
    expect((await prosa.control("POST", "/sandbox/faults", body)).status).toBe(201);
  };
  /** Sends of a text to a number, whatever became of them. */
  const sends = async (number: string, text: RegExp): Promise<readonly Body[]> =>
    (await prosa.rows("requests")).filter((row) => {
      const { number: to, text: said } = (row["body"] ?? {}) as { number?: string; text?: string };
      return row.route !== null && to?.startsWith(number) === true && text.test(said ?? "");
    });
  const pausedScopes = async (): Promise<readonly string[]> => {
    const { items } = (await prosa.http("GET", "/api/pauses")).body;
    return (items as unknown as { scope: string }[]).map(({ scope }) => scope);
  };

  test("an nfse-envio whose answer is lost is never sent again, and both sides hear the truth", async () => {
    const lia = customer(prosa);
    const operator = prosa.phone(OPERATOR);
    const code = await toRequest(lia, operator, { document: LOST, name: "Lia Prado" });
    await fault("invoicing.nfseEnvio", { kind: "accepted_then_lost" }, 1);
    await operator.asks(`aprovar ${code}`, /aprovado/);

    expect(await lia.waitFor(/processamento/)).toMatch(/Não precisa pedir de novo/);
    expect(await operator.waitFor(/nota/i)).toMatch(/confirma|incerta|processamento|conferir/);
    expect(await issueCalls(prosa)).toHaveLength(1);
    expect(await notesOf(prosa, LOST)).toHaveLength(1);

    await prosa.stop();
    await prosa.start();
    await prosa.advance("20m");
    await lia.says("cadê minha nota?");
    await lia.waitFor(/./);
    expect(await issueCalls(prosa)).toHaveLength(1);
    expect(await notesOf(prosa, LOST)).toHaveLength(1);
  });

  test("a reply that fails is sent again at most three times, and later replies wait their turn", async () => {
    const davi = customer(prosa);
    await fault("message.sendText", { kind: "status", status: 500 }, 2);
    await davi.says("oi");
    await until("the first try", async () => (await sends(davi.number, /assistente/)).length > 0);
    await davi.says("nota");
    for (let minute = 0; minute < 4 && (await davi.all()).length < 2; minute++)
      await prosa.advance("1m");

    const heard = await davi.all();
    expect(heard).toHaveLength(2);
    expect(heard[0]).toMatch(/assistente/);
    expect(heard[1]).toMatch(/Qual serviço/);
    expect(await sends(davi.number, /assistente/)).toHaveLength(3);
  });

  test("a gateway that stays broken gets four tries of a reply, not more, and the next message is answered", async () => {
    const nina = customer(prosa);
    await fault("message.sendText", { kind: "html" });
    await nina.says("oi");
    await until("the first try", async () => (await sends(nina.number, /assistente/)).length > 0);
    for (let minute = 0; minute < 6; minute++) await prosa.advance("1m");
    const tries = await sends(nina.number, /assistente/);
    expect(tries).toHaveLength(4);

    await prosa.control("DELETE", "/sandbox/faults");
    await nina.asks("oi", /Pedir nota fiscal/);
  });

  test("a refused reply is not sent again, and the next message asks the question anew", async () => {
    const otto = customer(prosa);
    await otto.asks("preciso da nota", /Qual serviço/);
    await fault("message.sendText", { kind: "business_error", message: "number not found" }, 1);
    await otto.says("1");
    await until("the refusal", async () => (await sends(otto.number, /CPF ou CNPJ/)).length > 0);
    await prosa.advance("1m");
    expect(await sends(otto.number, /CPF ou CNPJ/)).toHaveLength(1);
    await otto.asks("oi", /CPF ou CNPJ/);
  });

  test("without balance only invoicing stops: the customer is told, and the note goes out after the release", async () => {
    const gil = customer(prosa);
    const operator = prosa.phone(OPERATOR);
    await operator.hears();
    const code = await toRequest(gil, operator, { document: POOR, name: "Gil Souza" });
    await fault("invoicing.nfseEnvio", { kind: "no_balance" });
    await operator.asks(`aprovar ${code}`, /aprovado/);
    await until("the pause", async () => (await pausedScopes()).includes("credits:demo"));
    await gil.asks("e a nota?", /sendo emitida/);
    expect(await notesOf(prosa, POOR)).toEqual([]);

    await prosa.control("DELETE", "/sandbox/faults");
    expect((await prosa.http("DELETE", "/api/pauses/credits:demo")).status).toBe(200);
    await gil.waitFor(ISSUED);
    expect(await notesOf(prosa, POOR)).toHaveLength(1);
  });

  test("a page instead of an answer to nfse-envio is an unknown outcome: held, not repeated", async () => {
    const eva = customer(prosa);
    const operator = prosa.phone(OPERATOR);
    await operator.hears();
    const calls = (await issueCalls(prosa)).length;
    const code = await toRequest(eva, operator, { document: PAGE, name: "Eva Rocha" });
    await fault("invoicing.nfseEnvio", { kind: "html" }, 1);
    await operator.asks(`aprovar ${code}`, /aprovado/);
    await eva.waitFor(/processamento/);
    await prosa.advance("5m");
    expect((await issueCalls(prosa)).length).toBe(calls + 1);
  });

  test("a refused nfse-envio is told in words, and nothing is repeated", async () => {
    const caio = customer(prosa);
    const operator = prosa.phone(OPERATOR);
    await operator.hears();
    const calls = (await issueCalls(prosa)).length;
    const code = await toRequest(caio, operator, { document: REFUSED, name: "Caio Dias" });
    await fault("invoicing.nfseEnvio", { kind: "business_error", message: "Erro E0008" }, 1);
    await operator.asks(`aprovar ${code}`, /aprovado/);
    await caio.waitFor(/Erro de data nosso[^]*o código é [0-9A-F]{8}/);
    expect((await issueCalls(prosa)).length).toBe(calls + 1);
    expect(await notesOf(prosa, REFUSED)).toEqual([]);
  });

  test("what was said while the gateway was away leaves after it is back", async () => {
    const ines = customer(prosa);
    await toSummary(ines);
    const [row] = (await prosa.rows("webhooks")).filter((one) =>
      JSON.stringify(one["body"]).includes(ines.number),
    );
    await prosa.stopSandbox();
    const body = JSON.stringify(row?.["body"]).replaceAll(
      textIn(row?.["event_id"]),
      "3EB0AWAY000000000001",
    );
    const url = new URL(textIn(row?.["url"])).pathname;
    expect((await prosa.http("POST", url, body)).status).toBe(200);
    await until("the pause", async () => (await pausedScopes()).includes("plan:demo"));

    await prosa.startSandbox();
    // Its memory is new: everything it has now was sent after it came back.
    await prosa.phone(ines.number).waitFor(/./, 75_000);
    expect(await pausedScopes()).not.toContain("plan:demo");
  });
});
