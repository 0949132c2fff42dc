/** More to send than a worker has room for. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { bubble, CUSTOMER, inbound, rig, type Rig } from "../rig.ts";
import { until } from "../../sandbox/stage.ts";

/** What loops sleep when nothing wakes them. */
const NET_MS = 1_000;
const PHONES = ["5511987650011", "5511987650012", "5511987650013"] as const;

let it: Rig;
let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await it.close();
});
afterAll(() => redis.stop());

test("what found no room goes as soon as there is some, not with the net under lost wakes", async () => {
  // The embedded file wakes everybody at each end.
  it = await rig({ redisUrl: redis.url });
  const real = globalThis.setTimeout;
  // Loops that are not woken sleep for ever.
  vi.spyOn(globalThis, "setTimeout").mockImplementation(
    (done: () => void, ms?: number, ...rest: []) =>
      real(done, ms === NET_MS ? 2 ** 30 : ms, ...rest),
  );
  const worker = it.again({ concurrency: 2 });
  await worker.start();
  const writes = async (phone: string) => {
    const contact = await it.contact(phone);
    const mail = inbound(phone, "oi", `m${phone}`, it.clock.now());
    await worker.accept([{ account: it.account.id, contact, event: `m${phone}`, mail }]);
  };
  const inHand = async () => (await it.store.views.effects({ limit: 10 })).length;
  await it.fault({ route: "message.sendText", effect: { kind: "slow", ms: 700 }, times: 2 });

  await writes(PHONES[0]);
  await writes(PHONES[1]);
  await until(async () => ((await inHand()) === 2 ? true : undefined));
  await writes(PHONES[2]);

  for (const phone of PHONES)
    await until(async () => ((await it.received(phone)).length > 0 ? true : undefined));
  expect(await it.received(PHONES[2])).toHaveLength(1);
  await worker.stop();
});

test.each(["embedded", "redis"])(
  "a device that hangs takes its own room, not another's (%s)",
  async (kind) => {
    const others = [{ id: "demo-2" }];
    const where = kind === "redis" ? { redisUrl: redis.url } : {};
    it = await rig({ others, timeoutMs: 10_000, ...where });
    const hung = Array.from({ length: 10 }, (_, index) => `55119877700${String(index + 10)}`);
    const slow = { kind: "slow", ms: 4_000 };
    await it.fault({ route: "message.sendText", effect: slow, times: 8 });
    const worker = it.again({ concurrency: 8 });
    for (const phone of hung) await it.asks(phone, bubble(phone, "oi", "t0"));
    await worker.start();
    const inFlight = async () => await it.store.views.effects({ state: "inflight", limit: 20 });
    await until(async () => ((await inFlight()).length === 8 ? true : undefined));

    await it.asksIn("demo-2", CUSTOMER, bubble(CUSTOMER, "olá", "t1"));
    await until(async () => ((await it.received(CUSTOMER)).length > 0 ? true : undefined));

    expect((await inFlight()).filter(({ account }) => account === "demo")).toHaveLength(8);
    for (const phone of hung)
      await until(async () => ((await it.received(phone)).length > 0 ? true : undefined));
    await worker.stop();
  },
);
