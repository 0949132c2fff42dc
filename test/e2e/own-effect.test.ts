/**
 * A costly effect of a bot's own on the whole product: how each answer of its backend ends, and `kill -9` amid a call. An effect
 * that may be sent again is tried in `pizzeria.test.ts`.
 */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type Asked, type Backend, backend, json, pizzeria } from "../app/bot/pizzeria.ts";
import { type Prosa, startProsa } from "../support/prosa.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000 });

let prosa: Prosa;
let orders: Backend;
const undo: (() => unknown)[] = [];
beforeAll(async () => {
  const folder = pizzeria();
  undo.push(() => folder.remove());
  orders = await backend();
  undo.push(() => orders.close());
  prosa = await startProsa({
    sandboxApart: true,
    env: {
      PROSA_FLOWS_DIR: folder.path,
      PROSA_SECRET_ORDERS_URL: orders.url,
      PROSA_SECRET_ORDERS_TOKEN: "order-token",
    },
  });
  undo.push(() => prosa.close());
});
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});
beforeEach(() => void orders.asked.splice(0));

/** A person who has said all but the last word. */
async function hungry(at: number) {
  const person = prosa.phone(`55119876600${String(at).padStart(2, "0")}`);
  await person.asks("quero pizza", /Qual pizza/);
  await person.asks("1", /Qual o endereço/);
  await person.asks(`Rua das Flores ${at + 1}`, /Responda PEDIR/);
  return person;
}

/** Whose order it is, by the number of the house. */
const placeOf = ({ body }: Asked): number =>
  Number(/\d+$/.exec((JSON.parse(body) as { address: string }).address)?.[0]) - 1;
const keyOf = ({ headers }: Asked): string => String(headers["idempotency-key"]);

test("a no, a 5xx, a silence and a page each end as the class says", async () => {
  const ends: readonly (readonly [Backend["answer"], RegExp])[] = [
    [(r) => json(r, 409, { code: "sold_out", message: "Acabou a calabresa" }), /Não deu: Acabou a/],
    [(r) => json(r, 500, {}), /conferir com a cozinha/],
    [() => undefined, /conferir com a cozinha/],
    [(r) => r.writeHead(200, { "content-type": "text/html" }).end("<p>"), /conferir com a cozinha/],
    [(r) => json(r, 418, {}), /Agora não consigo/],
  ];
  orders.answer = (response, asked) => ends[placeOf(asked)]?.[0](response, asked);
  await Promise.all(
    ends.map(async ([, said], at) => {
      const person = await hungry(at);
      await person.asks("PEDIR", said, 20_000);
    }),
  );
  expect(new Set(orders.asked.map(keyOf)).size).toBe(ends.length);
  expect(orders.asked).toHaveLength(ends.length);
  expect(orders.asked.every(({ headers }) => headers.authorization === "Bearer order-token")).toBe(
    true,
  );
  expect(prosa.log()).not.toContain("order-token");
});

test("an order on its way is never sent twice by a machine where it costs: it rests for a person", async () => {
  let arrive: (() => void) | undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  orders.answer = () => arrive?.();
  const person = await hungry(9);
  await person.says("PEDIR");
  await arrived;
  await prosa.kill();
  await prosa.start();
  await person.waitFor(/conferir com a cozinha/, 40_000);

  expect(orders.asked).toHaveLength(1);
  const { body } = await prosa.http("GET", "/api/outbox?account=demo&state=held");
  expect(JSON.stringify(body)).toContain("pizzeria.order");
});
