/** The whole product in queue mode: nothing of a conversation is lost, doubled or out of order, over a kill too. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Prosa, startProsa, textIn, until } from "../support/prosa.ts";
import { customer } from "./note.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 });

let prosa: Prosa;
beforeAll(async () => {
  prosa = await startProsa({ store: "embedded", sandboxApart: true });
});
afterAll(async () => prosa.close());

test("a conversation by the gateway's queue goes on over a kill, and every send is settled", async () => {
  const changed = await prosa.http("PUT", "/api/accounts/demo", { sendMode: "queue" });
  expect(changed.status).toBe(200);
  const kai = customer(prosa);
  await kai.asks("preciso da nota", /Qual serviço/);
  await kai.asks("2", /CPF ou CNPJ/);
  await prosa.kill();
  await prosa.start();
  await kai.asks("529.982.247-25", /nome de quem vai receber/, 15_000);

  await until("every send settled", async () => {
    const { body } = await prosa.http("GET", "/api/outbox");
    return (body["items"] as unknown as unknown[]).length === 0;
  });
  const sends = (await prosa.rows("requests"))
    .map((row) => textIn(row["path"]))
    .filter((path) => path.includes("/message/"));
  expect(sends.length).toBeGreaterThanOrEqual(3);
  expect(sends.filter((path) => !path.endsWith("/queue"))).toEqual([]);
  // What was said is what was enqueued: nothing twice.
  expect(await kai.all()).toHaveLength(sends.length);
});
