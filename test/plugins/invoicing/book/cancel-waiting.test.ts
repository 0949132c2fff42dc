/** A cancellation that waited for its turn, as who asked for it reads it. */
import { afterEach, expect, test, vi } from "vitest";
import { loadFlows } from "../../../../src/app/loading/flow-files.ts";
import { until } from "../../../sandbox/stage.ts";
import { CUSTOMER, issue, OPERATOR, rig, type Rig } from "../../../worker/rig.ts";
import { type Steps, withSteps } from "../../../../src/store/port/with-steps.ts";

const { library } = await loadFlows();
vi.setConfig({ testTimeout: 30_000 });

let it: Rig;
const opened: Rig[] = [];
afterEach(async () => void (await Promise.all(opened.splice(0).map((one) => one.close()))));

const ROUTE = "invoicing.cancelamento";
const CREDITS = "credits:demo";

async function says(phone: string, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await it.says(phone, text);
    await it.worker.drain();
  }
}

/** Turned away by a rate limit, and told so. Answers the note's number. */
async function waiting(): Promise<string> {
  it = await rig({ library, account: { cancelTipo: "nfse-cancelamento" } });
  opened.push(it);
  await says(OPERATOR, "oi");
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  const [note] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
  const number = note?.number ?? "";
  await it.fault({ route: ROUTE, effect: { kind: "status", status: 429 }, times: 1 });
  await says(OPERATOR, `cancelar a nota ${number}`, "1", "o valor saiu errado, era 120");
  // Free text waits a second for more of it.
  it.clock.moveTo(it.clock.now() + 2_000);
  await it.worker.drain();
  await says(OPERATOR, "CONFIRMAR");
  expect((await it.received(OPERATOR)).at(-1)).toMatch(/ainda não saiu.*Até lá a nota continua/);
  return number;
}

const goesOn = () => it.store.scopes.pause(CREDITS, "rate_limited", { until: Date.now() - 1 });
const unconfirmed = (number: string) =>
  `Enviei o cancelamento da nota *${number}* e não veio a confirmação. *Não vou enviar de novo*; confira no sistema da prefeitura e registre no painel.`;
const told = async (number: string) =>
  (await it.received(OPERATOR)).filter((text) => text === unconfirmed(number)).length;

test("whose answer was lost in the end is told so, once: the note may not stand any more", async () => {
  const number = await waiting();
  await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
  await goesOn();
  await it.worker.drain();
  expect((await it.received(OPERATOR)).at(-1)).toBe(unconfirmed(number));
  await goesOn();
  await it.worker.drain();
  expect(await told(number)).toBe(1);
});

test("that is turned away once more is told nothing new, and its end when it comes", async () => {
  const number = await waiting();
  await it.fault({ route: ROUTE, effect: { kind: "status", status: 429 }, times: 1 });
  const before = (await it.received(OPERATOR)).length;
  await goesOn();
  await it.worker.drain();
  expect(await it.received(OPERATOR)).toHaveLength(before);
  await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
  await goesOn();
  await it.worker.drain();
  expect((await it.received(OPERATOR)).slice(before)).toEqual([unconfirmed(number)]);
});

test("whose process died with the answer is told so, too", async () => {
  const number = await waiting();
  const dying: Steps = {
    "effects.begin": (options) => it.store.effects.begin({ ...options, leaseMs: 1 }),
    "effects.end": () => Promise.reject(new Error("dead")),
    "mail.accept": () => Promise.reject(new Error("dead")),
  };
  const store = withSteps(it.store, dying);
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 1 });
  await goesOn();
  await it.again({ log, store }).drain();
  await it.worker.start();
  await until(async () => (await told(number)) > 0 || undefined);
  expect(await told(number)).toBe(1);
});

test("that goes through is told by its conversation alone", async () => {
  const number = await waiting();
  await goesOn();
  await it.worker.drain();
  expect((await it.received(OPERATOR)).at(-1)).toBe(`Nota *${number}* cancelada ✅`);
  expect(await told(number)).toBe(0);
});

test("the words are there in English, too", () => {
  const context = { now: 0, zone: "America/Sao_Paulo", variant: 0, locale: "en" } as const;
  expect(library.word("cancel-uncertain", { number: "12" }, context)).toBe(
    "I sent the cancellation of invoice *12* and got no confirmation. *I will not send it again*; please check in the town's system and record it in the console.",
  );
});
