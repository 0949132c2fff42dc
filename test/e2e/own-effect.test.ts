/** A pizzeria's bot on the whole product: its order reaches its backend over `kill -9`, and each answer ends as its class says. */
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Asked, type Backend, backend, json, ORDER, pizzeria } from "../app/bot/pizzeria.ts";
import { type Prosa, startProsa } from "../support/prosa.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** `source`: of `effects/order.ts`. */
async function shop(source = ORDER): Promise<{ prosa: Prosa; orders: Backend }> {
  const folder = pizzeria();
  undo.push(() => folder.remove());
  folder.write("effects/order.ts", source);
  const orders = await backend();
  undo.push(() => orders.close());
  const prosa = await startProsa({
    sandboxApart: true,
    env: {
      PROSA_FLOWS_DIR: folder.path,
      PROSA_SECRET_ORDERS_URL: orders.url,
      PROSA_SECRET_ORDERS_TOKEN: "order-token",
    },
  });
  undo.push(() => prosa.close());
  return { prosa, orders };
}

/** A person who has said all but the last word. */
async function hungry(prosa: Prosa, at: number) {
  const person = prosa.phone(`55119876600${String(at).padStart(2, "0")}`);
  await person.asks("quero pizza", /Qual pizza/);
  await person.asks("1", /Qual o endereço/);
  await person.asks(`Rua das Flores ${at + 1}`, /Responda PEDIR/);
  return person;
}

const keyOf = ({ headers }: Asked): string => String(headers["idempotency-key"]);

describe("an order on its way", () => {
  test("reaches a backend that knows its key once, over ten kills", async () => {
    const { prosa, orders } = await shop(ORDER.replace("costly", "replace"));
    const booked = new Map<string, string>();
    let kill: (() => void) | undefined;
    orders.answer = (response, asked) => {
      booked.set(keyOf(asked), asked.body);
      // The fifth to the seventh die with the order booked and unanswered.
      if (kill) kill();
      else setTimeout(() => json(response, 200, { number: `n${booked.size}` }), 20);
    };
    const people = await Promise.all(Array.from({ length: 10 }, (_, at) => hungry(prosa, at)));
    for (const [at, person] of people.entries()) {
      const onArrival = at >= 4 && at < 7;
      const arrived = new Promise<void>((resolve) => {
        kill = onArrival ? resolve : undefined;
      });
      await person.says("PEDIR");
      await (onArrival ? arrived : pause(at * 12));
      await prosa.kill();
      kill = undefined;
      await prosa.start();
    }
    for (const person of people) await person.waitFor(/a caminho/, 40_000);

    const said = [...booked.values()].map(
      (body) => (JSON.parse(body) as { address: string }).address,
    );
    expect(said.sort()).toEqual(
      Array.from({ length: 10 }, (_, at) => `Rua das Flores ${at + 1}`).sort(),
    );
  });

  test("is never sent twice by a machine where it costs: what was on its way rests for a person", async () => {
    const { prosa, orders } = await shop();
    let arrive: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    orders.answer = () => arrive?.();
    const person = await hungry(prosa, 0);
    await person.says("PEDIR");
    await arrived;
    await prosa.kill();
    await prosa.start();
    await person.waitFor(/conferir com a cozinha/, 40_000);

    expect(orders.asked).toHaveLength(1);
    const { body } = await prosa.http("GET", "/api/outbox?account=demo&state=held");
    expect(JSON.stringify(body)).toContain("pizzeria.order");
  });
});

test("a no, a 5xx, a silence and a page each end as the class says", async () => {
  const { prosa, orders } = await shop();
  const ends: readonly (readonly [Backend["answer"], RegExp])[] = [
    [(r) => json(r, 409, { code: "sold_out", message: "Acabou a calabresa" }), /Não deu: Acabou a/],
    [(r) => json(r, 500, {}), /conferir com a cozinha/],
    [() => undefined, /conferir com a cozinha/],
    [(r) => r.writeHead(200, { "content-type": "text/html" }).end("<p>"), /conferir com a cozinha/],
    [(r) => json(r, 418, {}), /Agora não consigo/],
  ];
  for (const [at, [answer, said]] of ends.entries()) {
    orders.answer = answer;
    const person = await hungry(prosa, at);
    await person.asks("PEDIR", said, 20_000);
  }
  expect(new Set(orders.asked.map(keyOf)).size).toBe(ends.length);
  expect(orders.asked).toHaveLength(ends.length);
  expect(orders.asked.every(({ headers }) => headers.authorization === "Bearer order-token")).toBe(
    true,
  );
  expect(prosa.log()).not.toContain("order-token");
});
