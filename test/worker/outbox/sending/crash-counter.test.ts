/** Effects whose handling throws each time: after a few times they are held, with an alarm, and nothing waits behind them. */
import { describe, expect, test, type TestContext, vi } from "vitest";
import { Fault } from "../../../../src/base/index.ts";
import { channels } from "../../../../src/channels/index.ts";
import type { Store } from "../../../../src/store/port/port.ts";
import type { Worker, WorkerDeps } from "../../../../src/worker/index.ts";
import { startRedis } from "../../../support/redis.ts";
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
import { type Steps, withSteps } from "../../../../src/store/port/with-steps.ts";

// Five rounds of the reaper, which looks each second; they come beside each other, each on a store of its own.
vi.setConfig({ testTimeout: 60_000 });

const quiet = () => undefined;
/** Far above what a call takes here, far below a round of the reaper. */
const LEASE_MS = 400;

/** Bubbles with this text cannot be rendered. */
const rendering = {
  render: (message: Parameters<(typeof channels)["sms"]["render"]>[0], to: never) => {
    if (message.text === "bomba") throw new TypeError("no such thing");
    const { channel, address } = to as { channel: "engine-b"; address: string };
    return channels[channel].render(message, address);
  },
};

/** A rig with its looks and workers, closed when the test is over. */
async function scene({ onTestFinished }: TestContext, redis = false) {
  const server = redis ? await startRedis() : undefined;
  const it = await rig(server ? { redisUrl: server.url } : {});
  const workers: Worker[] = [];
  onTestFinished(async () => {
    for (const worker of workers) await worker.stop(1_000);
    await it.close();
    await server?.stop();
  });
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const starts = async (deps: Partial<WorkerDeps>): Promise<Worker> => {
    const worker = it.again({ log, ...deps });
    workers.push(worker);
    await worker.start();
    return worker;
  };

  /** The store with other steps; what threw is left to the reaper's next round. */
  function around(steps: Steps = {}): Store {
    const short: Steps = {
      "effects.begin": (options) => it.store.effects.begin({ ...options, leaseMs: LEASE_MS }),
      "effects.reap": (options) => it.store.effects.reap({ ...options, leaseMs: LEASE_MS }),
      ...steps,
    };
    return withSteps(it.store, short);
  }

  /** Records of notes cannot be read: each look throws. */
  function withoutRecords(looks: { count: number }, error = new TypeError("a record is broken")) {
    const get: Store["documents"]["get"] = async (collection, id) => {
      if (collection !== "invoices") return it.store.documents.get(collection, id);
      looks.count++;
      throw error;
    };
    return around({ "documents.get": get });
  }

  const effectsOf = async (phone: string) =>
    it.store.views.effects({ contact: await it.contact(phone), limit: 9 });
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

  /** What is due was begun, its bytes frozen, and its process is gone. */
  async function freezes(): Promise<void> {
    const some = { limit: 5, leaseMs: 1_000, paused: [], offsetMs: 0 };
    const [begun] = await it.store.effects.begin(some);
    if (!begun) throw new Error("nothing is due");
    const frozen = { route: "invoicing.nfseEnvio", bytes: "{}", at: it.clock.now() };
    const payload = begun.payload as { work: object };
    const work = { ...payload.work, frozen };
    await it.store.effects.amend({ ...begun, payload: { ...payload, work } });
  }
  return {
    ...{ it, starts, around, withoutRecords, effectsOf, stateOf },
    ...{ alarms, results, isHeld, freezes },
  };
}

test.concurrent.for(["the embedded store", "Redis"])(
  "a bubble that cannot be handled is a failed send in the end, with the rest of its turn; the next turn leaves, on %s",
  async (name, context) => {
    const { it, starts, around, stateOf, alarms } = await scene(context, name === "Redis");
    await it.asks(CUSTOMER, bubble(CUSTOMER, "bomba"), bubble(CUSTOMER, "do mesmo turno"));
    await it.asks(CUSTOMER, bubble(CUSTOMER, "do próximo", "t2"));
    await starts({ store: around(), channels: rendering });
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
    expect((await it.store.documents.list("crash-counter")).items).toEqual([]);
  },
);

test.concurrent(
  "work of the house that throws each time is held, its flow told, and asked for no more",
  async (context) => {
    const { it, starts, withoutRecords, stateOf, alarms, results, isHeld } = await scene(context);
    const looks = { count: 0 };
    const find = { type: "call", class: "read", name: "notes.find", waiter: WAITER };
    await it.asks(CUSTOMER, { ...find, input: { id: "x" } } as Asked);
    await it.asks(OTHER, bubble(OTHER, "segue"));
    await starts({ store: withoutRecords(looks) });
    await isHeld(CUSTOMER);

    expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
    expect(looks.count).toBe(5);
    expect(alarms("effect.held")).toHaveLength(1);
    await until(async () => (await results(CUSTOMER)).length > 0 || undefined);
    expect(await results(CUSTOMER)).toMatchObject([
      { outcome: "failed", out: { reason: "handling_failed" } },
    ]);
    expect(await it.received(OTHER)).toEqual(["segue"]);
  },
);

test.concurrent(
  "an effect of a kind that nobody here knows is held in the end",
  async (context) => {
    const { it, starts, around, stateOf, alarms, isHeld } = await scene(context);
    const strange = { ...bubble(CUSTOMER, "?"), type: "gesture", name: "wave" } as unknown as Asked;
    await it.asks(CUSTOMER, strange);
    await starts({ store: around() });
    await isHeld(CUSTOMER);
    expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
    expect(alarms("effect.held")).toHaveLength(1);
  },
);

const WAITING = expect.stringContaining("ainda não saiu") as string;

describe("a note", () => {
  const requests = async (it: Rig) =>
    (await it.list("requests")).filter(({ route }) => textOf(route) === "invoicing.nfseEnvio");

  test.concurrent(
    "that cannot be prepared is held unsent, and issued once when a person lets it go",
    async (context) => {
      const { it, starts, withoutRecords, effectsOf, stateOf, alarms, results, isHeld } =
        await scene(context);
      const looks = { count: 0 };
      await it.asks(CUSTOMER, issue());
      const worker = await starts({ store: withoutRecords(looks) });
      await isHeld(CUSTOMER);
      await worker.stop(1_000);

      expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
      expect(alarms("effect.held")).toMatchObject([
        { message: expect.stringContaining("nothing of it was sent") as string },
      ]);
      expect(await requests(it)).toEqual([]);
      await it.worker.drain();
      // Its flow said that an answer comes in a moment.
      expect(await results(CUSTOMER)).toMatchObject([
        { outcome: "held", out: { code: "waiting", text: WAITING } },
      ]);
      const [one] = await effectsOf(CUSTOMER);
      if (!one) throw new Error("nothing is held");
      const { id, account, contact, rev } = one;
      expect(await it.store.effects.resolve({ id, account, contact, rev, action: "resend" })).toBe(
        true,
      );
      await it.worker.drain();
      expect(await requests(it)).toHaveLength(1);
      expect(await it.list("invoices")).toHaveLength(1);
      expect((await results(CUSTOMER)).map(({ outcome }) => outcome)).toEqual(["held", "done"]);
    },
  );

  test.concurrent("that may have left is held and never sent again", async (context) => {
    const { it, starts, withoutRecords, stateOf, alarms, results, isHeld, freezes } =
      await scene(context);
    const looks = { count: 0 };
    await it.asks(CUSTOMER, issue());
    await freezes();
    await starts({ store: withoutRecords(looks) });
    await isHeld(CUSTOMER);

    expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
    expect(alarms("effect.held")).toMatchObject([
      { message: expect.stringContaining("may have taken effect") as string },
    ]);
    expect(await requests(it)).toEqual([]);
    await until(async () => (await results(CUSTOMER)).length > 0 || undefined);
    expect(await results(CUSTOMER)).toMatchObject([
      { outcome: "held", out: { code: "uncertain" } },
    ]);
  });

  test.concurrent.for([
    ["never left", false, "waiting"],
    ["may have left", true, ""],
  ] as const)("whose cancellation %s tells its flow so", async ([, sent, code], context) => {
    const { it, starts, withoutRecords, stateOf, results, freezes } = await scene(context);
    const input = { note: "n1", reason: "error", why: "o valor saiu errado" };
    const cancel = { type: "call", class: "fiscal", name: "invoice.cancel", waiter: WAITER, input };
    await it.asks(CUSTOMER, cancel as unknown as Asked);
    if (sent) await freezes();
    await starts({ store: withoutRecords({ count: 0 }) });
    await until(async () => (await results(CUSTOMER)).length > 0 || undefined);
    expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
    expect(await results(CUSTOMER)).toMatchObject([{ outcome: "held", out: { code } }]);
  });
});

test.concurrent(
  "what its process dies of each time, before anything left, is held in the end",
  async (context) => {
    const { it, starts, around, stateOf, alarms } = await scene(context);
    const find = { type: "call", class: "read", name: "notes.find", waiter: WAITER };
    await it.asks(CUSTOMER, { ...find, input: { wish: {}, purpose: "x" } } as Asked);
    await it.asks(OTHER, issue());
    // Each begin is one of a process that dies amid it.
    await starts({ store: around({ "effects.begin": async () => [] }) });
    let begun = 0;
    await until(async () => {
      const some = { limit: 10, leaseMs: 1, paused: [], offsetMs: it.clock.offsetMs };
      begun += (await it.store.effects.begin(some)).length;
      const ends = [...(await stateOf(CUSTOMER)), ...(await stateOf(OTHER))];
      return ends.every(([state]) => state === "held") || undefined;
    });

    expect(begun).toBeLessThanOrEqual(12);
    expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
    expect(await stateOf(OTHER)).toEqual([["held", "handling_failed"]]);
    expect(alarms("effect.held")).toHaveLength(2);
  },
);

test.concurrent("what throws is found however many others threw once that day", async (context) => {
  const { it, starts, withoutRecords, stateOf, isHeld } = await scene(context);
  for (let other = 0; other < 250; other++)
    await it.store.documents.put(
      "crash-counter",
      `!${other}`,
      { times: 1, at: it.clock.real() },
      0,
    );
  const find = { type: "call", class: "read", name: "notes.find", waiter: WAITER };
  await it.asks(CUSTOMER, { ...find, input: { id: "x" } } as Asked);
  await starts({ store: withoutRecords({ count: 0 }) });
  await isHeld(CUSTOMER);
  expect(await stateOf(CUSTOMER)).toEqual([["held", "handling_failed"]]);
});

test.concurrent("times are counted for all processes and over restarts", async (context) => {
  const { it, starts, withoutRecords, isHeld } = await scene(context);
  const looks = { count: 0 };
  const find = { type: "call", class: "read", name: "notes.find", waiter: WAITER };
  await it.asks(CUSTOMER, { ...find, input: { id: "x" } } as Asked);
  for (let times = 1; times <= 3; times++) {
    const before = looks.count;
    const worker = await starts({ store: withoutRecords(looks) });
    await until(async () => looks.count > before || undefined);
    await worker.stop(1_000);
  }
  await starts({ store: withoutRecords(looks) });
  await isHeld(CUSTOMER);
  expect(looks.count).toBe(5);
});

test.concurrent(
  "a store that is away is nobody's own trouble: what waited for it goes its way",
  async (context) => {
    const { it, starts, around, withoutRecords, stateOf, alarms, results } = await scene(context);
    const looks = { count: 0 };
    const away = new Fault("STORE_UNAVAILABLE", "It is away.");
    const find = { type: "call", class: "read", name: "notes.find", waiter: WAITER };
    await it.asks(CUSTOMER, { ...find, input: { id: "x" } } as Asked);
    let worker = await starts({ store: withoutRecords(looks, away) });
    await until(async () => looks.count >= 7 || undefined);
    await worker.stop(1_000);
    expect((await stateOf(CUSTOMER)).filter(([state]) => state === "held")).toEqual([]);
    expect(alarms("effect.held")).toEqual([]);

    worker = await starts({ store: around() });
    await until(async () => (await results(CUSTOMER)).length > 0 || undefined);
    expect(await results(CUSTOMER)).toMatchObject([{ outcome: "done" }]);
  },
);
