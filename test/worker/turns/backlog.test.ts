/** Old messages that wait for each other, one of which cannot be applied: that one is parked, and the others are answered. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { CUSTOMER, inbound, rig, type Rig } from "../rig.ts";

const HOUR = 3_600_000;

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis({ args: ["--databases", "16"] });
});
afterAll(() => redis.stop());

let it: Rig;
afterEach(() => it.close());

let database = 0;
const places = () => [{}, { redisUrl: `${redis.url}/${(database += 1)}` }];

describe.each([0, 1])("a backlog (store %i)", (at) => {
  /** Messages that were written hours ago arrive, the latest first, and the clock goes on. */
  async function arrive(...texts: readonly string[]): Promise<void> {
    const contact = await it.contact(CUSTOMER);
    for (const [index, text] of [...texts.entries()].reverse()) {
      const mail = inbound(CUSTOMER, text, `old${index}`, it.clock.now());
      const event = { ...mail.event, at: it.clock.now() - 3 * HOUR + index * 1_000 };
      await it.store.mail.accept([
        { account: "demo", contact, event: `old${index}`, mail: { ...mail, event } },
      ]);
    }
    await it.worker.drain();
    it.clock.moveTo(it.clock.now() + 4_000);
    await it.worker.drain();
  }
  const letters = async () =>
    (await it.store.deadLetters.list({ limit: 10 })).items.map(({ event, mail }) => {
      const { content } = (mail as { event: { content?: { text?: string } } }).event;
      return [event, content?.text];
    });

  test("is answered with one message", async () => {
    it = await rig(places()[at]);
    await arrive("oi", "tudo bem?", "oi de novo");
    expect(await it.received(CUSTOMER)).toHaveLength(1);
    expect(await letters()).toEqual([]);
  });

  test("with a message that fails parks that one alone; the others, and what follows, are answered", async () => {
    it = await rig(places()[at]);
    await arrive("oi", "bomba", "oi de novo");
    expect(await letters()).toEqual([["late:old1", "bomba"]]);
    const before = await it.received(CUSTOMER);
    expect(before.join("\n")).toContain("[sorry]");
    expect(before.length).toBeGreaterThan(1);
    await it.says(CUSTOMER, "oi", "next");
    await it.worker.drain();
    expect((await it.received(CUSTOMER)).length).toBe(before.length + 1);
    expect(await letters()).toHaveLength(1);
  });
});
