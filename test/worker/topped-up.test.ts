/** The balance for notes is used up (402): what the customer and the business read, and how the business goes on by chat. */
import { afterEach, expect, test, vi } from "vitest";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import { CUSTOMER, OPERATOR, rig, type Rig } from "./rig.ts";

const { library } = await loadFlows();
vi.setConfig({ testTimeout: 30_000 });

let it: Rig;
const opened: Rig[] = [];
afterEach(async () => void (await Promise.all(opened.splice(0).map((one) => one.close()))));

const SENTENCE = "nota de 150 pra Maria Souza cpf 529.982.247-25, corte de cabelo, ontem";

async function says(phone: string, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await it.says(phone, text);
    await it.worker.drain();
  }
}

test("the alarm on the business's phones names the word", () => {
  const context = { now: 0, zone: "America/Sao_Paulo", variant: 0 };
  const alarm = (locale: "pt-BR" | "en") =>
    library.word("alarm-credits-paused", { reason: "no_balance" }, { ...context, locale });
  expect(alarm("pt-BR")).toContain("escreva *recarreguei*");
  expect(alarm("en")).toContain("write *topped up*");
});

test("the customer hears that the note waits, the business goes on by a word, and it is issued once", async () => {
  it = await rig({ library });
  opened.push(it);
  await it.fault({ route: "invoicing.nfseEnvio", effect: { kind: "no_balance" }, times: 1 });
  await says(CUSTOMER, SENTENCE, "EMITIR");
  await says(OPERATOR, "aprovar");

  expect((await it.received(CUSTOMER)).at(-1)).toMatch(/está parada por enquanto.*na fila/);
  expect(await it.list("invoices")).toEqual([]);
  const before = (await it.received(CUSTOMER)).length;
  await says(CUSTOMER, "alguma novidade?");
  expect((await it.received(CUSTOMER)).slice(before)).toEqual([
    "A nota está sendo emitida; aviso aqui assim que sair. Não precisa pedir de novo.",
  ]);

  await says(OPERATOR, "recarreguei");
  expect((await it.received(OPERATOR)).at(-1)).toMatch(/A recarga já entrou\?/);
  expect([...(await it.store.scopes.pauses()).keys()]).toEqual(["credits:demo"]);
  await says(OPERATOR, "sim");

  expect([...(await it.store.scopes.pauses()).keys()]).toEqual([]);
  expect(await it.list("invoices")).toHaveLength(1);
  expect((await it.received(CUSTOMER)).at(-1)).toMatch(/Nota \*\d+\* emitida/);
});
