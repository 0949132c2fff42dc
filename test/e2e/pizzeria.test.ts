/** The pizzeria of test/examples on the whole product: its order over `kill -9`, and how each answer of its backend ends. */
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { type Asked, type Backend, backend, json } from "../app/bot/pizzeria.ts";
import type { Phone } from "../support/phone.ts";
import { type Prosa, startProsa } from "../support/prosa.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

const EXAMPLE = path.resolve(import.meta.dirname, "../examples/pizzeria");
const KILLS = 10;
/** A call that was under way when the process died is made again after its lease. */
const PATIENCE_MS = 60_000;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function shop(): Promise<{ prosa: Prosa; kitchen: Backend }> {
  const kitchen = await backend();
  undo.push(() => kitchen.close());
  const prosa = await startProsa({
    sandboxApart: true,
    env: {
      PROSA_FLOWS_DIR: EXAMPLE,
      PROSA_SECRET_ORDERS_URL: kitchen.url,
      PROSA_SECRET_ORDERS_TOKEN: "order-token",
    },
  });
  undo.push(() => prosa.close());
  return { prosa, kitchen };
}

/** A person who has said all but the last word: two pizzas and a coupon. */
async function hungry(prosa: Prosa, at: number): Promise<Phone> {
  const person = prosa.phone(`55119876500${String(at).padStart(2, "0")}`);
  await person.asks("quero pizza", /Qual sabor/);
  await person.asks("calabresa", /Qual tamanho/);
  await person.asks("média", /Algum adicional/);
  await person.asks("sem adicional", /Quantas dessa/);
  await person.asks("2", /Tem mais algum/);
  await person.asks("só isso", /endereço da entrega/);
  await person.asks(`Rua das Flores, ${at + 1}`, /Como você paga/);
  await person.asks("pix", /Tem cupom/);
  // (2 × 45,00) − 10 % + 8,00
  await person.asks("VOLTEI10", /R\$ 89,00[\s\S]*Responda \*PEDIR\*/);
  return person;
}

const keyOf = ({ headers }: Asked): string => String(headers["idempotency-key"]);

test("an order reaches a kitchen that knows its key once, over ten kills of the bot", async () => {
  const { prosa, kitchen } = await shop();
  const booked = new Map<string, string>();
  let onArrival: (() => void) | undefined;
  kitchen.answer = (response, asked) => {
    booked.set(keyOf(asked), asked.body);
    // The fifth to the seventh die with the order booked and unanswered.
    if (onArrival) onArrival();
    else setTimeout(() => json(response, 200, { number: `n${booked.size}` }), 20);
  };
  const people: Phone[] = [];
  for (let at = 0; at < KILLS; at++) people.push(await hungry(prosa, at));
  for (const [at, person] of people.entries()) {
    const waits = at >= 4 && at < 7;
    const arrived = new Promise<void>((resolve) => {
      onArrival = waits ? resolve : undefined;
    });
    await person.says("PEDIR");
    await (waits ? arrived : pause(at * 12));
    await prosa.kill();
    onArrival = undefined;
    await prosa.start();
  }
  for (const person of people) await person.waitFor(/na cozinha/, PATIENCE_MS);

  const orders = [...booked.values()].map(
    (body) => JSON.parse(body) as { address: string; total: number },
  );
  expect(orders.map(({ address }) => address).sort()).toEqual(
    Array.from({ length: KILLS }, (_, at) => `Rua das Flores, ${at + 1}`).sort(),
  );
  expect(new Set(orders.map(({ total }) => total))).toEqual(new Set([8_900]));
});

test("a no, a 5xx, a silence, a page and a strange 4xx each end as the class says", async () => {
  const { prosa, kitchen } = await shop();
  const calls = (): number => kitchen.asked.length;
  // A call that may be made again is made three times at most.
  const ends: readonly (readonly [Backend["answer"], RegExp, number])[] = [
    [(r) => json(r, 409, { code: "closed", message: "Fechamos" }), /não aceitou: Fechamos/, 1],
    [(r) => json(r, 500, {}), /Não consegui mandar o pedido/, 3],
    [(r) => r.writeHead(200, { "content-type": "text/html" }).end("<p>"), /Não consegui mandar/, 3],
    [() => undefined, /Não consegui mandar o pedido/, 3],
    [(r) => json(r, 418, {}), /Não consegui mandar o pedido/, 1],
  ];
  for (const [at, [answer, said, times]] of ends.entries()) {
    kitchen.answer = answer;
    const before = calls();
    const person = await hungry(prosa, at);
    await person.asks("PEDIR", said, PATIENCE_MS);
    const made = kitchen.asked.slice(before);
    expect(made.length, String(at)).toBe(times);
    expect(new Set(made.map(keyOf)).size, String(at)).toBe(1);
  }
  expect(prosa.log()).not.toContain("order-token");
});
