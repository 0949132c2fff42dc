/**
 * What a note costs of the messaging plan, counted at the gateway: every call from "oi" to the last reply, on both phones,
 * lookups with them. What is paid in credits is counted apart.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import { OPERATOR, rig, textOf, type Rig } from "./rig.ts";

const MARIA = "5511987660001";
const REGULAR = "5511987660002";
const FORM = ["oi", "1", "1", "529.982.247-25", "Maria Souza"] as const;

let it: Rig;
beforeAll(async () => {
  const { library } = await loadFlows();
  it = await rig({ library });
});
afterAll(() => it.close());

async function says(phone: string, ...lines: readonly string[]): Promise<string> {
  const before = (await it.received(phone)).length;
  for (const line of lines) {
    await it.says(phone, line);
    await it.worker.drain();
    // Free text waits for the rest of it; the next answer comes after two seconds.
    it.clock.moveTo(it.clock.now() + 2_000);
    await it.worker.drain();
  }
  return (await it.received(phone)).slice(before).join("\n");
}

/** Plays a whole note and gives what it took, by route. */
async function note(phone: string, ...lines: readonly string[]) {
  const before = (await it.list("requests")).length;
  expect(await says(phone, ...lines)).toMatch(/Confere pra mim/);
  await says(phone, "EMITIR");
  await says(OPERATOR, "aprovar");
  expect((await it.received(phone)).at(-1)).toMatch(/Nota \*\d+\* emitida/);
  const routes = (await it.list("requests")).slice(before).map((row) => textOf(row["route"]));
  return {
    plan: routes.filter((route) => !route.startsWith("invoicing.")).length,
    credits: routes.filter((route) => route.startsWith("invoicing.")),
  };
}

/** The plan's bar for somebody new: 20, whichever way. */
test("a new customer's note takes 13 calls, one answer at a time", async () => {
  const { plan, credits } = await note(MARIA, ...FORM, "150", "corte de cabelo", "hoje");

  expect(credits).toEqual(["invoicing.nfseEnvio"]);
  expect(plan).toBe(13);
});

/**
 * The bar for who had a note before is 10, for whoever answers what is asked: one question proposes the last note's data and
 * service, the next asks for all the rest at once.
 */
test("a returning customer's takes 9, answering what is asked", async () => {
  await note(REGULAR, ...FORM, "151", "corte de cabelo", "hoje");
  const { plan, credits } = await note(REGULAR, "oi", "1", "sim", "90, franja, hoje");

  expect(credits).toEqual(["invoicing.nfseEnvio"]);
  expect(plan).toBe(9);
});

/** These ways lie outside the bar, and above it: each is a question more than was put to them. */
test("answers in two parts, or another service, take 11 and 11", async () => {
  const slowly = await note(REGULAR, "oi", "1", "sim", "95", "escova", "hoje");
  const otherwise = await note(REGULAR, "oi", "1", "não", "1", "1", "97, luzes, hoje");

  expect([slowly.plan, otherwise.plan]).toEqual([11, 11]);
});

test("one sentence takes 6", async () => {
  const sentence = "nota de 170 pra Ana Lima cpf 111.444.777-35, corte de cabelo, hoje";
  const { plan, credits } = await note("5511987660003", sentence);

  expect(credits).toEqual(["invoicing.nfseEnvio"]);
  expect(plan).toBe(6);
});
