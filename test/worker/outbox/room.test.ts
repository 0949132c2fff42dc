/** More to send than a worker has room for. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { inbound, rig, type Rig } from "../rig.ts";
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
  const inHand = async () => (await it.store.effects({ limit: 10 })).length;
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
