/** Reminders and ends by silence: durable, at the virtual time, once. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Prosa, startProsa, type StoreKind } from "../support/prosa.ts";
import { customer } from "./note.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const NUDGE = /Ainda por aí/;
const OVER = /fiquei sem resposta/;

describe.each<StoreKind>(["redis", "embedded"])("timers on the %s store", (store) => {
  let prosa: Prosa;
  beforeAll(async () => {
    prosa = await startProsa({ store, sandboxApart: true });
  });
  afterAll(async () => prosa.close());
  const effects = async (state: string): Promise<readonly unknown[]> =>
    (await prosa.http("GET", `/api/outbox?state=${state}`)).body["items"] as unknown as unknown[];

  test("moving the sandbox's clock fires what is due before the answer comes, once, and the end after a day", async () => {
    const kai = customer(prosa);
    await kai.asks("preciso da nota", /Qual serviço/);
    await prosa.advance("14m");
    expect(await kai.hears()).toEqual([]);
    await prosa.advance("2m");
    expect((await kai.hears()).filter((text) => NUDGE.test(text))).toHaveLength(1);
    await prosa.advance("1h");
    expect(await kai.hears()).toEqual([]);
    await prosa.advance("24h");
    const [over, ...more] = await kai.hears();
    expect(over).toMatch(OVER);
    expect(more).toEqual([]);
    await kai.asks("oi", /assistente/);
  });

  test("a timer set before a restart fires once after it, also when it came due meanwhile", async () => {
    const [lu, max] = [customer(prosa), customer(prosa)];
    await lu.asks("preciso da nota", /Qual serviço/);
    await prosa.advance("10m");
    await max.asks("preciso da nota", /Qual serviço/);

    await prosa.stop();
    // Only the sandbox hears this: the bot is down.
    await prosa.advance("6m");
    expect(await lu.hears()).toEqual([]);
    await prosa.start();
    await lu.waitFor(NUDGE);
    expect(await max.hears()).toEqual([]);
    // A death between the phone and the store may have its message said again, which is no timer's fault.
    await expect.poll(async () => (await effects("inflight")).length, { timeout: 10_000 }).toBe(0);

    await prosa.kill();
    await prosa.start();
    await prosa.advance("10m");
    await max.waitFor(NUDGE);
    await prosa.advance("5m");
    expect(await lu.hears()).toEqual([]);
    expect(await max.hears()).toEqual([]);
    // The conversation is where it was.
    await lu.asks("2", /CPF ou CNPJ/, 15_000);
  });
});
