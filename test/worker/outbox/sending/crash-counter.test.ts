/** Effects whose handling throws each time: after a few times they are held, with an alarm, and nothing waits behind them. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Fault } from "../../../../src/base/index.ts";
import { channels } from "../../../../src/channels/index.ts";
import type { Store } from "../../../../src/store/port/port.ts";
import type { Worker } from "../../../../src/worker/index.ts";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import { until } from "../../../sandbox/stage.ts";
import {
  type Asked,
  bubble,
  CUSTOMER,
  issue,
  OTHER,
  rig,
  type Rig,
  textOf,
  WAITER,
} from "../../rig.ts";

// Five rounds of the reaper, which looks each second.
vi.setConfig({ testTimeout: 40_000 });

let it: Rig;
let worker: Worker | undefined;
let redis: TestRedis | undefined;
let errors: unknown[] = [];
beforeEach(async () => {
  it = await rig();
});
afterEach(async () => {
  await worker?.stop(1_000);
  worker = undefined;
  errors = [];
  await it.close();
  await redis?.stop();
  redis = undefined;
});

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: (line: unknown) => errors.push(line) };

/** Far above what a call takes here, far below a round of the reaper. */
const LEASE_MS = 400;

/** The store with other steps; what threw is left to the reaper's next round. */
function around(steps: Partial<Store> = {}): Store {
  const short: Partial<Store> = {
    beginSend: (options) => it.store.beginSend({ ...options, leaseMs: LEASE_MS }),
    reap: (options) => it.store.reap({ ...options, leaseMs: LEASE_MS }),
    ...steps,
  };
  return new Proxy(it.store, {
    get(target, method) {
      const value: unknown = Reflect.get(short, method) ?? Reflect.get(target, method);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Records of notes cannot be read: each look throws. */
function withoutRecords(looks: { count: number }, error = new TypeError("a record is broken")) {
  const get: Store["get"] = async (collection, id) => {
    if (collection !== "invoices") return it.store.get(collection, id);
    looks.count++;
    throw error;
  };
  return around({ get });
}

/** Bubbles with this text cannot be rendered. */
const rendering = {
  render: (message: Parameters<(typeof channels)["sms"]["render"]>[0], to: never) => {
    if (message.text === "bomba") throw new TypeError("no such thing");
    const { channel, address } = to as { channel: "engine-b"; address: string };
    return channels[channel].render(message, address);
  },
};

const effectsOf = async (phone: string) =>
  it.store.effects({ contact: await it.contact(phone), limit: 9 });
const stateOf = async (phone: string) =>
  (await effectsOf(phone)).map(({ state, reason }) => [state, reason]);
const alarms = (code: string) =>
  it.events.flatMap((event) => (event.type === "alarm" && event.code === code ? [event] : []));
const results = async (phone: string) =>
  (await it.journal(phone)).flatMap((line) => {
    const mail = line["mail"] as { kind?: string; result?: { outcome: string } } | undefined;
    return mail?.kind === "result" && mail.result ? [mail.result] : [];
  });
const isHeld = (phone: string) =>
  until(async () => (await stateOf(phone)).some(([state]) => state === "held") || undefined);

test.each(["the embedded store", "Redis"])(
  "a bubble that cannot be handled is a failed send in the end, with the rest of its turn; the next turn leaves, on %s",
  async (name) => {
    if (name === "Redis") {
      await it.close();
      redis = await startRedis();
      it = await rig({ redisUrl: redis.url });
    }
    await it.asks(CUSTOMER, bubble(CUSTOMER, "bomba"), bubble(CUSTOMER, "do mesmo turno"));
    await it.asks(CUSTOMER, bubble(CUSTOMER, "do próximo", "t2"));
    worker = it.again({ store: around(), log, channels: rendering });
    await worker.start();
    await until(async () => (await it.received(CUSTOMER)).length > 0 || undefined);

    expect(await it.received(CUSTOMER)).toEqual(["do próximo"]);
    expect(await stateOf(CUSTOMER)).toEqual([
      ["held", "handling_failed"],
      ["held", "turn"],
    ]);
    expect(alarms("send.failed")).toMatchObject([{ subject: "handling_failed" }]);
    const failed = async () =>
      (await it.journal(CUSTOMER)).filter(
        (line) => (line["mail"] as { kind?: string } | undefined)?.kind === "send-failed",
      ).length;
    await until(async () => (await failed()) === 1 || undefined);
    expect((await it.store.list("crash-counter")).items).toEqual([]);
  },
);

test("work of the house that throws each time is held, its flow told, and asked for no more", async () => {
  const looks = { count: 0 };
  const find = { type: "call", class: "read", name: "notes.find", waiter: WAITER };
  await it.asks(CUSTOMER, { ...find, input: { id: "x" } } as Asked);
  await it.asks(OTHER, bubble(OTHER, "segue"));
  worker = it.again({ store: withoutRecords(looks), log });
  await worker.start();
  await isHeld(CUSTOMER);

  expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
  expect(looks.count).toBe(5);
  expect(alarms("effect.held")).toHaveLength(1);
  await until(async () => (await results(CUSTOMER)).length > 0 || undefined);
  expect(await results(CUSTOMER)).toMatchObject([
    { outcome: "failed", out: { reason: "handling_failed" } },
  ]);
  expect(await it.received(OTHER)).toEqual(["segue"]);
});

test("an effect of a kind that nobody here knows is held in the end", async () => {
  const strange = { ...bubble(CUSTOMER, "?"), type: "gesture", name: "wave" } as unknown as Asked;
  await it.asks(CUSTOMER, strange);
  worker = it.again({ store: around(), log });
  await worker.start();
  await isHeld(CUSTOMER);
  expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
  expect(alarms("effect.held")).toHaveLength(1);
});

const WAITING = expect.stringContaining("ainda não saiu") as string;

/** What is due was begun, its bytes frozen, and its process is gone. */
async function freezes(): Promise<void> {
  const some = { limit: 5, leaseMs: 1_000, paused: [], offsetMs: 0 };
  const [begun] = await it.store.beginSend(some);
  if (!begun) throw new Error("nothing is due");
  const frozen = { route: "invoicing.nfseEnvio", bytes: "{}", at: it.clock.now() };
  const payload = begun.payload as { work: object };
  const work = { ...payload.work, frozen };
  await it.store.amend({ ...begun, payload: { ...payload, work } });
}

describe("a note", () => {
  const requests = async () =>
    (await it.list("requests")).filter(({ route }) => textOf(route) === "invoicing.nfseEnvio");

  test("that cannot be prepared is held unsent, and issued once when a person lets it go", async () => {
    const looks = { count: 0 };
    await it.asks(CUSTOMER, issue());
    worker = it.again({ store: withoutRecords(looks), log });
    await worker.start();
    await isHeld(CUSTOMER);
    await worker.stop(1_000);

    expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
    expect(alarms("effect.held")).toMatchObject([
      { message: expect.stringContaining("nothing of it was sent") as string },
    ]);
    expect(await requests()).toEqual([]);
    await it.worker.drain();
    // Its flow said that an answer comes in a moment.
    expect(await results(CUSTOMER)).toMatchObject([
      { outcome: "held", out: { code: "waiting", text: WAITING } },
    ]);
    const [one] = await effectsOf(CUSTOMER);
    if (!one) throw new Error("nothing is held");
    const { id, account, contact, rev } = one;
    expect(await it.store.resolve({ id, account, contact, rev, action: "resend" })).toBe(true);
    await it.worker.drain();
    expect(await requests()).toHaveLength(1);
    expect(await it.list("invoices")).toHaveLength(1);
    expect((await results(CUSTOMER)).map(({ outcome }) => outcome)).toEqual(["held", "done"]);
  });

  test("that may have left is held and never sent again", async () => {
    const looks = { count: 0 };
    await it.asks(CUSTOMER, issue());
    await freezes();
    worker = it.again({ store: withoutRecords(looks), log });
    await worker.start();
    await isHeld(CUSTOMER);

    expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
    expect(alarms("effect.held")).toMatchObject([
      { message: expect.stringContaining("may have taken effect") as string },
    ]);
    expect(await requests()).toEqual([]);
    await until(async () => (await results(CUSTOMER)).length > 0 || undefined);
    expect(await results(CUSTOMER)).toMatchObject([
      { outcome: "held", out: { code: "uncertain" } },
    ]);
  });

  test.each([
    ["never left", false, "waiting"],
    ["may have left", true, ""],
  ])("whose cancellation %s tells its flow so", async (_what, sent, code) => {
    const input = { note: "n1", reason: "error", why: "o valor saiu errado" };
    const cancel = { type: "call", class: "fiscal", name: "invoice.cancel", waiter: WAITER, input };
    await it.asks(CUSTOMER, cancel as unknown as Asked);
    if (sent) await freezes();
    worker = it.again({ store: withoutRecords({ count: 0 }), log });
    await worker.start();
    await until(async () => (await results(CUSTOMER)).length > 0 || undefined);
    expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
    expect(await results(CUSTOMER)).toMatchObject([{ outcome: "held", out: { code } }]);
  });
});

test("what its process dies of each time, before anything left, is held in the end", async () => {
  const find = { type: "call", class: "read", name: "notes.find", waiter: WAITER };
  await it.asks(CUSTOMER, { ...find, input: { wish: {}, purpose: "x" } } as Asked);
  await it.asks(OTHER, issue());
  // Each begin is one of a process that dies amid it.
  worker = it.again({ store: around({ beginSend: async () => [] }), log });
  await worker.start();
  let begun = 0;
  await until(async () => {
    const some = { limit: 10, leaseMs: 1, paused: [], offsetMs: it.clock.offsetMs };
    begun += (await it.store.beginSend(some)).length;
    const ends = [...(await stateOf(CUSTOMER)), ...(await stateOf(OTHER))];
    return ends.every(([state]) => state === "held") || undefined;
  });

  expect(begun).toBeLessThanOrEqual(12);
  expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
  expect(await stateOf(OTHER)).toEqual([["held", "handling_failed"]]);
  expect(alarms("effect.held")).toHaveLength(2);
});

test("what throws is found however many others threw once that day", async () => {
  for (let other = 0; other < 250; other++)
    await it.store.put("crash-counter", `!${other}`, { times: 1, at: it.clock.real() }, 0);
  const find = { type: "call", class: "read", name: "notes.find", waiter: WAITER };
  await it.asks(CUSTOMER, { ...find, input: { id: "x" } } as Asked);
  worker = it.again({ store: withoutRecords({ count: 0 }), log });
  await worker.start();
  await isHeld(CUSTOMER);
  expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
});

test("times are counted for all processes and over restarts", async () => {
  const looks = { count: 0 };
  const find = { type: "call", class: "read", name: "notes.find", waiter: WAITER };
  await it.asks(CUSTOMER, { ...find, input: { id: "x" } } as Asked);
  for (let times = 1; times <= 3; times++) {
    worker = it.again({ store: withoutRecords(looks), log });
    const before = looks.count;
    await worker.start();
    await until(async () => looks.count > before || undefined);
    await worker.stop(1_000);
  }
  worker = it.again({ store: withoutRecords(looks), log });
  await worker.start();
  await isHeld(CUSTOMER);
  expect(looks.count).toBe(5);
});

test("a store that is away is nobody's own trouble: what waited for it goes its way", async () => {
  const looks = { count: 0 };
  const away = new Fault("STORE_UNAVAILABLE", "It is away.");
  const find = { type: "call", class: "read", name: "notes.find", waiter: WAITER };
  await it.asks(CUSTOMER, { ...find, input: { id: "x" } } as Asked);
  worker = it.again({ store: withoutRecords(looks, away), log });
  await worker.start();
  await until(async () => looks.count >= 7 || undefined);
  await worker.stop(1_000);
  expect((await stateOf(CUSTOMER)).filter(([state]) => state === "held")).toEqual([]);
  expect(alarms("effect.held")).toEqual([]);

  worker = it.again({ store: around(), log });
  await worker.start();
  await until(async () => (await results(CUSTOMER)).length > 0 || undefined);
  expect(await results(CUSTOMER)).toMatchObject([{ outcome: "done" }]);
});
