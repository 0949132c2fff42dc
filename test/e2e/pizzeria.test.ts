/** The pizzeria of test/examples on the whole product: its order over `kill -9`, and how each answer of its backend ends. */
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type Asked, type Backend, backend, json } from "../app/bot/pizzeria.ts";
import type { Phone } from "../support/phone.ts";
import { type Prosa, startProsa } from "../support/prosa.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

const EXAMPLE = path.resolve(import.meta.dirname, "../examples/pizzeria");
const KILLS = 3;
/** Of these, so many at the end die with the order booked and unanswered; the others so much later each, ms. */
const [ANSWERLESS, STEP_MS] = [1, 90];
/** Those who order meanwhile, by the number of their house. */
const FIRST = 10;
/** A call that was under way when the process died is made again after its lease. */
const PATIENCE_MS = 60_000;

let prosa: Prosa;
let kitchen: Backend;
const undo: (() => unknown)[] = [];
beforeAll(async () => {
  kitchen = await backend();
  undo.push(() => kitchen.close());
  prosa = await startProsa({
    sandboxApart: true,
    env: {
      PROSA_FLOWS_DIR: EXAMPLE,
      PROSA_SECRET_ORDERS_URL: kitchen.url,
      PROSA_SECRET_ORDERS_TOKEN: "order-token",
    },
  });
  undo.push(() => prosa.close());
});
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});
beforeEach(() => void kitchen.asked.splice(0));

/** A person who has said all but the last word: two pizzas and a coupon. */
async function hungry(at: number): Promise<Phone> {
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

/** Whose order it is, by the number of the house. */
const placeOf = ({ body }: Asked): number =>
  Number(/\d+$/.exec((JSON.parse(body) as { address: string }).address)?.[0]) - 1;
const keyOf = ({ headers }: Asked): string => String(headers["idempotency-key"]);

test("a no, a 5xx, a silence, a page and a strange 4xx each end as the class says", async () => {
  // A call that may be made again is made three times at most.
  const ends: readonly (readonly [Backend["answer"], RegExp, number])[] = [
    [(r) => json(r, 409, { code: "closed", message: "Fechamos" }), /não aceitou: Fechamos/, 1],
    [(r) => json(r, 500, {}), /Não consegui mandar o pedido/, 3],
    [(r) => r.writeHead(200, { "content-type": "text/html" }).end("<p>"), /Não consegui mandar/, 3],
    [() => undefined, /Não consegui mandar o pedido/, 3],
    [(r) => json(r, 418, {}), /Não consegui mandar o pedido/, 1],
  ];
  kitchen.answer = (response, asked) => ends[placeOf(asked)]?.[0](response, asked);
  await Promise.all(
    ends.map(async ([, said, times], at) => {
      const person = await hungry(at);
      await person.asks("PEDIR", said, PATIENCE_MS);
      const made = kitchen.asked.filter((one) => placeOf(one) === at);
      expect(made.length, String(at)).toBe(times);
      expect(new Set(made.map(keyOf)).size, String(at)).toBe(1);
    }),
  );
  expect(prosa.log()).not.toContain("order-token");
});

test("an order reaches a kitchen that knows its key once, over three kills of the bot", async () => {
  const booked = new Map<string, string>();
  let onArrival: (() => void) | undefined;
  kitchen.answer = (response, asked) => {
    booked.set(keyOf(asked), asked.body);
    // The last ones die with the order booked and unanswered.
    if (onArrival) onArrival();
    else setTimeout(() => json(response, 200, { number: `n${booked.size}` }), 20);
  };
  const people = await Promise.all(Array.from({ length: KILLS }, (_, at) => hungry(FIRST + at)));
  for (const [at, person] of people.entries()) {
    const waits = at >= KILLS - ANSWERLESS;
    const arrived = new Promise<void>((resolve) => {
      onArrival = waits ? resolve : undefined;
    });
    await person.says("PEDIR");
    await (waits ? arrived : pause(at * STEP_MS));
    await prosa.kill();
    onArrival = undefined;
    await prosa.start();
  }
  for (const person of people) await person.waitFor(/na cozinha/, PATIENCE_MS);

  const orders = [...booked.values()].map(
    (body) => JSON.parse(body) as { address: string; total: number },
  );
  expect(orders.map(({ address }) => address).sort()).toEqual(
    Array.from({ length: KILLS }, (_, at) => `Rua das Flores, ${FIRST + at + 1}`).sort(),
  );
  expect(new Set(orders.map(({ total }) => total))).toEqual(new Set([8_900]));
});
