/** What the engine told nobody while the bot was down is pulled back when it starts; `worker/backfill/backfill.test.ts` has both stores. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Body, type Prosa, startProsa, textIn } from "../support/prosa.ts";
import { customer } from "./note.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const SERVICE = /Qual serviço/;
const PULL = "chat.findMessages";

describe("an hour without the bot", () => {
  let prosa: Prosa;
  beforeAll(async () => {
    prosa = await startProsa({ store: "redis", sandboxApart: true });
  });
  afterAll(async () => prosa.close());

  const pulls = async (): Promise<readonly Body[]> =>
    (await prosa.rows("requests")).filter((row) => textIn(row["route"]) === PULL);

  test("ten contacts write into the silence; nothing is missing, nothing is there twice", async () => {
    const halfway = customer(prosa);
    await halfway.asks("preciso da nota", SERVICE);
    const others = Array.from({ length: 9 }, () => customer(prosa));
    expect(await pulls()).toEqual([]);

    await prosa.stop();
    await prosa.control("PUT", "/sandbox/delivery", { drop: 1 });
    await prosa.advance("5m");
    // Mid-form: three answers and a correction of the last one.
    for (const text of ["1", "529.982.247-25", "Maria Souza"]) await halfway.says(text);
    for (const phone of others) await phone.says("preciso da nota");
    await prosa.advance("55m");
    await prosa.control("PUT", "/sandbox/delivery", { drop: 0 });
    await prosa.start();

    await halfway.waitFor(/valor/i);
    for (const phone of others) await phone.waitFor(SERVICE);
    expect(await pulls()).toHaveLength(1);

    // The engine tells it all once more, late: every event is known.
    const told = await prosa.rows("webhooks");
    for (const row of told.slice(-12))
      await prosa.control("POST", `/sandbox/webhooks/${textIn(row["id"])}/redeliver`, {});
    await prosa.advance("1s");
    for (const phone of others)
      expect((await phone.all()).filter((text) => SERVICE.test(text))).toHaveLength(1);
    // No reminder of a question whose answer was on its way.
    expect((await halfway.all()).join("\n")).not.toMatch(/Ainda por aí/);
  });
});
