/** Sends that rest under jobs end by these behind any number of others that do not end. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../sandbox/stage.ts";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { type Asked, bubble, CUSTOMER, OTHER, rig, type Rig } from "../rig.ts";
import { withSteps } from "../../../src/store/port/with-steps.ts";

/** One page of what rests is 1,000. */
const MANY = 1_001;

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis({ args: ["--databases", "8"] });
});
afterAll(() => redis.stop());
let database = 0;

let it: Rig;
afterEach(() => it.close());

const states = async (phone: string) => {
  const contact = await it.contact(phone);
  return (await it.store.views.effects({ contact, limit: 9 })).map(({ state }) => state);
};

describe.each(["the embedded store", "Redis"])(
  "Behind a thousand jobs that do not end, on %s,",
  (name) => {
    /** Enqueued by nobody the gateway knows; then one send that it knows, and whose end no echo tells. */
    async function crowded(): Promise<string> {
      const where = name === "Redis" ? { redisUrl: `${redis.url}/${(database += 1)}` } : {};
      it = await rig({ account: { sendMode: "queue" }, ...where });
      await it.stage.http("PUT", "/sandbox/delivery", { echo: false, acks: "none" });
      const call = { type: "call", class: "replace", name: "profile.name", input: {} };
      await it.asks(OTHER, ...Array.from({ length: MANY }, () => call as unknown as Asked));
      const begin = () =>
        it.store.effects.begin({ limit: 500, leaseMs: 60_000, paused: [], offsetMs: 0 });
      for (let begun = await begin(); begun.length > 0; begun = await begin())
        await it.store.effects.end(
          begun.map((one) => ({
            ...one,
            outcome: { kind: "enqueued", job: randomUUID() } as const,
          })),
        );
      await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
      await it.worker.drain();
      const [effect] = await it.store.views.effects({
        contact: await it.contact(CUSTOMER),
        limit: 1,
      });
      expect(effect).toMatchObject({ state: "enqueued" });
      return effect?.job ?? "";
    }

    test("a look at the jobs ends the one that is done", async () => {
      await crowded();
      await until(async () => (await it.received(CUSTOMER)).length === 1 || undefined);
      it.clock.moveTo(it.clock.now() + 120_000);
      await until(async () => (await it.worker.jobs.runOnce()) > 0 || undefined);
      expect(await states(CUSTOMER)).toEqual([]);
      expect(await it.store.views.effects({ state: "enqueued", limit: 2_000 })).toHaveLength(MANY);
    });

    test("an event of the device that names the job ends its send, and none of another account", async () => {
      const job = await crowded();
      const ack = { kind: "ack", id: "a1", at: 1, messageId: job, status: "delivered" } as const;
      await it.worker.signals.handle("other", "engine-b", ack);
      expect(await states(CUSTOMER)).toEqual(["enqueued"]);
      await it.worker.signals.handle("demo", "engine-b", ack);
      expect(await states(CUSTOMER)).toEqual([]);
    });

    test("one round reads so many pages, and the next goes on where it ended", async () => {
      await crowded();
      // Pages of a few, so that a round does not reach the end.
      const asked: (string | undefined)[] = [];
      const store = withSteps(it.store, (method) =>
        method === "views.held"
          ? (of: Parameters<Rig["store"]["views"]["held"]>[0]) => {
              asked.push(of.after);
              return it.store.views.held({ ...of, limit: 60 });
            }
          : undefined,
      );
      const worker = it.again({ store });
      await worker.jobs.runOnce(() => false);
      expect(asked).toHaveLength(10);
      expect(asked[0]).toBeUndefined();
      await worker.jobs.runOnce(() => false);
      // 1,002 of 60 are seventeen pages.
      expect(asked).toHaveLength(17);
      expect(asked[10]).toBeDefined();
      await worker.jobs.runOnce(() => false);
      expect(asked[17]).toBeUndefined();
      expect(new Set(asked).size).toBe(17);
    });
  },
);
