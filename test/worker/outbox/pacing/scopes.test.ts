import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RouteId } from "../../../../src/gateway/index.ts";
import { createAccountRepository } from "../../../../src/store/accounts.ts";
import { Scopes } from "../../../../src/worker/outbox/pacing/scopes.ts";
import { VirtualClock } from "../../../../src/worker/index.ts";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import { bubble, CUSTOMER, issue, OTHER, rig, textOf, type Asked, type Rig } from "../../rig.ts";
import { model } from "../../../support/plugins.ts";
import { withSteps } from "../../../../src/store/port/with-steps.ts";

let it: Rig;
let redis: TestRedis | undefined;
afterEach(async () => {
  await it.close();
  await redis?.stop();
  redis = undefined;
});

const PLAN = "plan:demo";
const reason = async () => (await it.store.scopes.pauses()).get(PLAN)?.reason;
const calls = async (route: string) =>
  (await it.list("requests")).filter((row) => textOf(row["route"] ?? "") === route);
/** The first free probe comes two seconds after a refusal, in a round of each second; a busy machine takes longer. */
const probed = (route: string) => expect.poll(() => calls(route), PATIENCE).toHaveLength(1);
const PATIENCE = { timeout: 15_000 } as const;
/** A round and more: time to do what must not be done. */
const ROUND_MS = 1_200;

test("a refused credential is probed for free, and the message goes on only after a restart", async () => {
  it = await rig();
  const effect = { kind: "status", status: 401 };
  await it.fault({ route: "message.sendText", effect, times: 1 });
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
  await it.worker.start();
  await probed("jobs.list");
  await pause(ROUND_MS);

  expect(await reason()).toBe("unauthorized");
  expect(await calls("jobs.list")).toHaveLength(1);
  expect(await calls("message.sendText")).toHaveLength(1);
  expect(await calls("instance.connectionState")).toEqual([]);

  await it.worker.stop();
  const second = it.again();
  await second.start();
  await expect.poll(reason, PATIENCE).toBeUndefined();
  await second.drain();
  await second.stop();

  expect(await reason()).toBeUndefined();
  expect(await it.received(CUSTOMER)).toEqual(["um"]);
});

describe("a note that is refused while the free list answers", () => {
  const CREDITS = "credits:demo";
  const filed = () => calls("invoicing.nfseEnvio");
  const standing = async () => (await it.store.scopes.pauses()).get(CREDITS)?.reason;
  const stands = () =>
    it.events.filter((event) => event.type === "alarm" && event.subject === `${CREDITS} stands`);
  const refuse = (status: number) =>
    it.fault({ route: "invoicing.nfseEnvio", effect: { kind: "status", status }, times: 1 });

  test.each([
    [401, "unauthorized"],
    [403, "forbidden"],
  ])("with %i is submitted again once a person resumes, and that is told", async (status, why) => {
    it = await rig();
    await refuse(status);
    await it.asks(CUSTOMER, issue());
    await it.worker.start();
    await probed("invoicing.emitentesLista");
    await expect.poll(stands, PATIENCE).toHaveLength(1);
    await pause(ROUND_MS);

    expect(await calls("invoicing.emitentesLista")).toHaveLength(1);
    expect(await filed()).toHaveLength(1);
    expect(await standing()).toBe(why);
    expect(stands()).toHaveLength(1);

    await it.worker.scopes.resume(CREDITS);
    await expect.poll(filed, PATIENCE).toHaveLength(2);
  });

  test("is submitted again once the account was changed", async () => {
    it = await rig({ kept: true });
    await refuse(403);
    await it.asks(CUSTOMER, issue());
    await it.worker.start();
    await expect.poll(stands, PATIENCE).toHaveLength(1);
    expect(await standing()).toBe("forbidden");

    const repository = createAccountRepository(it.store, model, () => performance.now());
    await repository.change("demo", (one) => ({ ...one, name: "Estúdio Aurora Dois" }));
    await expect.poll(filed, PATIENCE).toHaveLength(2);
    expect(await standing()).toBeUndefined();
  });

  test("is submitted again when the list was refused, too, and answers now", async () => {
    it = await rig();
    await refuse(401);
    const effect = { kind: "status", status: 401 };
    await it.fault({ route: "invoicing.emitentesLista", effect, times: 1 });
    await it.asks(CUSTOMER, issue());
    await it.worker.start();
    await expect.poll(filed, PATIENCE).toHaveLength(2);
    expect(stands()).toEqual([]);
  });
});

test("what was refused is not called again by a worker that has not read of the pause", async () => {
  redis = await startRedis();
  it = await rig({ redisUrl: redis.url });
  await it.fault({ route: "message.sendText", effect: { kind: "no_balance" } });
  for (let index = 0; index < 8; index++) {
    const phone = `551198765200${index}`;
    await it.asks(phone, bubble(phone, "oi"));
  }
  const other = it.again();
  // Both have just read that nothing is paused.
  await Promise.all([it.worker.start(), other.start()]);
  await expect.poll(reason, PATIENCE).toBe("no_balance");
  await pause(ROUND_MS);
  await other.stop(0);

  expect(await reason()).toBe("no_balance");
  const wishes = (await calls("message.sendText")).map(({ body }) => JSON.stringify(body));
  expect(wishes.length).toBeGreaterThan(0);
  expect(wishes).toEqual([...new Set(wishes)]);
});

test("a person's pause is ended by no machine", async () => {
  it = await rig();
  await it.store.scopes.pause(PLAN, "manutenção");

  await it.worker.scopes.pause(PLAN, "rate_limited", Date.now() - 1);
  await it.worker.scopes.opened(PLAN);
  await it.worker.drain();

  expect(await reason()).toBe("manutenção");
});

test("a person's pause stands when a machine pauses the same scope at the same moment", async () => {
  it = await rig();
  await Promise.all([
    it.worker.scopes.pause(PLAN, "rate_limited", Date.now() + 1),
    it.store.scopes.pause(PLAN, "manutenção"),
  ]);
  await pause(5);
  await it.worker.scopes.round(true);

  expect(await reason()).toBe("manutenção");
});

describe("a pause that takes the place of one a machine is just ending stands:", () => {
  /** Scopes whose end of a pause, and whose probe, take time: `meanwhile` happens then. */
  function slow(meanwhile: () => Promise<unknown>) {
    return new Scopes({
      store: it.store,
      accounts: { get: async () => it.account, ids: async () => ["demo"] },
      alarms: it.worker.alarms,
      emit: () => undefined,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      now: () => it.clock.real() + ahead,
      probe: async () => {
        await meanwhile();
        return { kind: "ok", data: [] } as never;
      },
      ending: async () => {
        await meanwhile();
      },
      resumed: () => undefined,
    });
  }
  let ahead = 0;
  const byHand = () => it.store.scopes.pause(PLAN, "manutenção");

  test("a person's, when a limit's time is over or the phone connects", async () => {
    it = await rig();
    const scopes = slow(byHand);
    await scopes.pause(PLAN, "rate_limited", it.clock.real() - 1);
    await scopes.round(true);
    expect(await reason()).toBe("manutenção");
    expect(scopes.isPaused(PLAN)).toBe(true);

    await it.store.scopes.resume(PLAN);
    await it.store.scopes.pause(PLAN, "instance_not_open");
    await scopes.opened(PLAN);
    expect(await reason()).toBe("manutenção");
  });

  test("a person's, when a probe passes", async () => {
    it = await rig();
    ahead = 0;
    const scopes = slow(byHand);
    await it.store.scopes.pause(PLAN, "unreachable");
    await scopes.round(true);
    ahead = 3_000;
    await scopes.round(true);
    await pause(50);
    expect(await reason()).toBe("manutenção");
  });

  test("a newer limit that ends later", async () => {
    it = await rig();
    ahead = 0;
    const until = it.clock.real() + 60_000;
    const scopes = slow(() =>
      it.store.scopes.pause(PLAN, "rate_limited", { until, over: ["rate_limited"] }),
    );
    await scopes.pause(PLAN, "rate_limited", it.clock.real() - 1);
    await scopes.round(true);
    expect((await it.store.scopes.pauses()).get(PLAN)).toMatchObject({ until });
  });
});

test("an empty balance is not made good by a phone that connects or a limit that passes", async () => {
  it = await rig();
  await it.worker.scopes.pause(PLAN, "no_balance");

  await it.worker.scopes.pause(PLAN, "rate_limited", Date.now() - 1);
  await it.worker.scopes.opened(PLAN);
  await it.worker.drain();

  expect(await reason()).toBe("no_balance");
});

test("a rate limit ends when its time is over", async () => {
  it = await rig();
  await it.worker.scopes.pause(PLAN, "rate_limited", Date.now() + 60_000);
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
  await it.worker.drain();
  expect(await it.received(CUSTOMER)).toEqual([]);

  await it.store.scopes.pause(PLAN, "rate_limited", { until: Date.now() - 1 });
  await it.worker.drain();

  expect(await it.received(CUSTOMER)).toEqual(["um"]);
});

describe.each(["the embedded store", "Redis"])(
  "how long a rate limit was told to last, on %s,",
  (name) => {
    const HOUR_MS = 3_600_000;
    let until = 0;
    const limit = (ms: number) =>
      it.worker.scopes.pause(PLAN, "rate_limited", it.clock.real() + ms);
    const standing = async () => (await it.store.scopes.pauses()).get(PLAN);
    beforeEach(async () => {
      if (name === "Redis") redis = await startRedis();
      it = await rig(redis ? { redisUrl: redis.url } : {});
      until = it.clock.real() + HOUR_MS;
      await it.worker.scopes.pause(PLAN, "rate_limited", until);
    });

    describe("where one machine's clock is two minutes ahead,", () => {
      async function ahead() {
        const clock = new VirtualClock(() => Date.now() + 120_000);
        await clock.sync(it.store);
        return it.again({ clock });
      }

      test("is kept by its worker, too", async () => {
        await it.store.scopes.resume(PLAN);
        await it.store.scopes.pause(PLAN, "rate_limited", {
          until: (await it.store.now()) + 60_000,
        });
        await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
        const other = await ahead();
        await other.drain();
        expect(await calls("message.sendText")).toEqual([]);
        expect(await reason()).toBe("rate_limited");
        await other.stop(0);
      });

      test("is no longer for having been told to its worker", async () => {
        await it.store.scopes.resume(PLAN);
        const effect = { kind: "status", status: 429 };
        await it.fault({ route: "message.sendText", effect, times: 1 });
        await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
        const other = await ahead();
        await other.drain();
        const { until: end = 0, since = 0 } = (await standing()) ?? {};
        expect(end - since).toBeLessThan(90_000);
        await other.stop(0);
      });
    });

    test("is kept when the phone connects", async () => {
      await it.worker.scopes.opened(PLAN);
      await it.worker.drain();
      expect(await standing()).toMatchObject({ reason: "rate_limited", until });
      expect(it.worker.scopes.isPaused(PLAN)).toBe(true);
    });

    test("is kept when a refusal that came later names a shorter time", async () => {
      await limit(1_000);
      await limit(60_000);
      expect(await standing()).toMatchObject({ reason: "rate_limited", until });
    });

    test("is kept over a line that closes and opens, and costs what waits no release", async () => {
      await it.store.scopes.resume(PLAN);
      const effect = { kind: "status", status: 429 };
      await it.fault({ route: "message.sendText", effect, times: 1 });
      await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
      await it.worker.drain();
      await limit(HOUR_MS);
      for (let flap = 0; flap < 6; flap++) {
        await it.worker.signals.handle("demo", "engine-b", connection("close"));
        await it.worker.drain();
        await it.worker.signals.handle("demo", "engine-b", connection("open"));
        await it.worker.drain();
      }

      expect(await reason()).toBe("rate_limited");
      expect(await calls("message.sendText")).toHaveLength(1);
      const rests = await it.store.views.effects({ account: "demo", limit: 5 });
      expect(rests.map(({ state, reason, rev }) => [state, reason, rev])).toEqual([
        ["held", "rate_limited", 0],
      ]);
      await it.store.scopes.pause(PLAN, "rate_limited", { until: it.clock.real() - 1 });
      await it.worker.drain();
      expect(await it.received(CUSTOMER)).toEqual(["um"]);
    });

    test("is kept over a stronger pause that a probe ends", async () => {
      await it.worker.scopes.pause(PLAN, "unreachable");
      await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
      await it.worker.start();
      await probed("jobs.list");
      await expect.poll(standing, PATIENCE).toMatchObject({ reason: "rate_limited" });
      await pause(ROUND_MS);
      expect(await standing()).toMatchObject({ reason: "rate_limited", until });
      expect(await it.received(CUSTOMER)).toEqual([]);
    });

    test("is ended by a person, whatever stands over it", async () => {
      await it.worker.scopes.pause(PLAN, "instance_not_open");
      await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
      await it.worker.scopes.resume(PLAN);
      await it.worker.drain();
      expect(await it.received(CUSTOMER)).toEqual(["um"]);
      expect([...(await it.store.scopes.pauses()).keys()]).toEqual([]);
    });
  },
);

describe("a pause that cannot be looked after holds back nobody else's:", () => {
  const BROKEN = "plan:broken";
  const away = () => {
    throw new Error("it cannot be read");
  };
  const allowed = (at: number) => ({ until: at, over: ["rate_limited"] });

  /** Rounds of scopes, half a minute in all, of which some step throws; what came of it. */
  async function rounds(some: { account?: boolean; ending?: boolean; hold?: boolean }) {
    it = await rig();
    let ahead = 0;
    const told: object[] = [];
    const ended: string[] = [];
    const store = withSteps(it.store, (method) => {
      if (method === "documents.get" && some.hold) return away;
      return undefined;
    });
    const scopes = new Scopes({
      store,
      accounts: {
        get: async (id) => (some.account && id === "broken" ? away() : it.account),
        ids: async () => ["broken", "demo"],
      },
      alarms: it.worker.alarms,
      emit: () => undefined,
      log: { debug() {}, info() {}, warn() {}, error: (line) => void told.push(line) },
      now: () => it.clock.real() + ahead,
      probe: async () => ({ kind: "ok", data: [] }) as never,
      ending: async (scope) => {
        if (some.ending) away();
        ended.push(scope);
      },
      resumed: () => undefined,
    });
    await it.store.scopes.pause("hold:fiscal", "failover");
    await it.store.scopes.pause(BROKEN, "rate_limited", allowed(it.clock.real() - 1));
    await it.store.scopes.pause(PLAN, "unreachable");
    for (; ahead < 30_000; ahead += 1_000) await scopes.round(true);
    await pause(20);
    const look = async () => {
      ahead += 5_000;
      await scopes.round(true);
      return [...(await it.store.scopes.pauses()).keys()];
    };
    return { told, ended, look, paused: [...(await it.store.scopes.pauses()).keys()] };
  }

  test("an account that cannot be read keeps its own", async () => {
    const some = { account: true };
    const { told, look, paused } = await rounds(some);
    expect(paused).toContain(BROKEN);
    expect(paused).not.toContain(PLAN);
    expect(told).toHaveLength(1);
    some.account = false;
    expect(await look()).not.toContain(BROKEN);
  });

  test("what rests, and cannot be listed, is looked for until it can", async () => {
    const some = { ending: true };
    const { told, ended, look, paused } = await rounds(some);
    expect(paused).toEqual(["hold:fiscal"]);
    expect(told).toHaveLength(2);
    expect(ended).toEqual([]);
    some.ending = false;
    await look();
    expect(ended.sort()).toEqual([BROKEN, PLAN]);
  });

  test("a hold that cannot be told is told when it can", async () => {
    const some = { hold: true };
    const { told, look, paused } = await rounds(some);
    const alarms = () => it.events.filter(({ type }) => type === "alarm");
    expect(paused).toEqual(["hold:fiscal"]);
    expect(told).toHaveLength(1);
    expect(alarms()).toEqual([]);
    some.hold = false;
    await look();
    await look();
    expect(alarms()).toMatchObject([{ code: "failover.detected" }]);
  });
});

test("a pause is one alarm and one event, however many effects run into it", async () => {
  it = await rig();
  await it.fault({ route: "message.sendText", effect: { kind: "no_balance" } });
  for (let index = 0; index < 5; index++) {
    const phone = `551198765100${index}`;
    await it.asks(phone, bubble(phone, "oi"));
  }

  await it.worker.drain();

  expect(it.events.filter((event) => event.type === "pause")).toHaveLength(1);
  expect(it.events.filter((event) => event.type === "alarm")).toHaveLength(1);
});

test("effects of a class on hold wait until a person releases it", async () => {
  it = await rig();
  await it.store.scopes.pause("hold:message", "fail-over");
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
  await it.worker.drain();
  expect(await it.received(CUSTOMER)).toEqual([]);

  await it.worker.scopes.resume("hold:message");
  await it.worker.drain();

  expect(await it.received(CUSTOMER)).toEqual(["um"]);
});

test("a hold of the store itself is told by one alarm, whoever sees it, and not again after a restart", async () => {
  it = await rig();
  await it.store.scopes.pause("hold:fiscal", "failover");
  await it.store.scopes.pause("hold:costly", "what a person wrote");
  const alarms = () => it.events.filter(({ type }) => type === "alarm");
  await it.worker.scopes.round(true);
  await it.again().scopes.round(true);
  expect(alarms()).toMatchObject([{ code: "failover.detected" }]);
  expect(JSON.stringify(alarms())).toContain("fiscal calls wait until a person releases");

  await it.store.scopes.resume("hold:fiscal");
  await it.worker.scopes.round(true);
  await new Promise((done) => setTimeout(done, 2));
  await it.store.scopes.pause("hold:fiscal", "restored");
  await it.worker.scopes.round(true);
  expect(alarms()).toHaveLength(2);
  // Somebody held it already: that the store moved is news all the same.
  await it.store.scopes.pause("hold:costly", "failover");
  await it.worker.scopes.round(true);
  await it.worker.scopes.round(true);
  expect(alarms()).toHaveLength(3);
});

const by = (channel: "engine-a" | "sms", phone: string, text: string) =>
  ({ ...bubble(phone, text), channel }) as Asked;
const connection = (state: "open" | "close") =>
  ({ kind: "connection", id: "c", at: 0, state }) as const;

test("a phone of one channel that is away holds back that channel alone", async () => {
  it = await rig();
  await it.worker.signals.handle("demo", "engine-a", connection("close"));
  await it.asks(CUSTOMER, by("engine-a", CUSTOMER, "pela A"));
  await it.asks(OTHER, bubble(OTHER, "pela B"));
  await it.worker.drain();
  expect(await it.received(CUSTOMER)).toEqual([]);
  expect(await it.received(OTHER)).toEqual(["pela B"]);

  await it.worker.signals.handle("demo", "engine-b", connection("close"));
  await it.worker.signals.handle("demo", "engine-a", connection("open"));
  await it.asks(OTHER, bubble(OTHER, "espera"));
  await it.asks(OTHER, by("sms", CUSTOMER, "por SMS"));
  await it.worker.drain();

  expect(await it.received(CUSTOMER)).toEqual(["pela A"]);
  expect(await it.received(OTHER)).toEqual(["pela B"]);
  expect(await calls("sms.send")).toEqual([]);
  await it.worker.signals.handle("demo", "engine-b", connection("open"));
  await it.worker.drain();
  expect(await it.received(OTHER)).toEqual(["pela B", "espera"]);
  expect(await calls("sms.send")).toHaveLength(1);
});

test("a refused credential met by one channel stops all that go by it", async () => {
  it = await rig();
  const effect = { kind: "status", status: 401 };
  await it.fault({ route: "engineA.sendText", effect, times: 1 });
  await it.asks(CUSTOMER, by("engine-a", CUSTOMER, "um"));
  await it.worker.drain();
  await it.asks(OTHER, bubble(OTHER, "dois"));
  await it.asks(CUSTOMER, by("engine-a", CUSTOMER, "três"));
  await it.worker.drain();

  expect(await reason()).toBe("unauthorized");
  expect(await calls("message.sendText")).toEqual([]);
  expect(await calls("engineA.sendText")).toHaveLength(1);
});

describe("a paused scope is asked", () => {
  /** Probes made in so many hours of rounds, ten seconds apart, that all fail. */
  async function probes(scope: string, why: Parameters<Scopes["pause"]>[1], hours: number) {
    it = await rig();
    const asked: { route: RouteId; at: number }[] = [];
    let now = 1_000_000;
    const scopes = new Scopes({
      store: it.store,
      accounts: { get: async () => it.account, ids: async () => [] },
      alarms: it.worker.alarms,
      emit: () => undefined,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      now: () => now,
      probe: async (_account, route) => {
        asked.push({ route, at: now });
        return { kind: "not_sent", reason: "connect", ms: 1 } as never;
      },
      ending: async () => undefined,
      resumed: () => undefined,
    });
    await scopes.pause(scope, why);
    for (const end = now + hours * 3_600_000; now < end; now += 10_000) await scopes.round(true);
    const gaps = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
    return { routes: [...new Set(asked.map(({ route }) => route))], count: asked.length, gaps };
  }

  test("for a phone's state, which is charged, every half hour at most", async () => {
    const { routes, count, gaps } = await probes("plan:demo", "instance_not_open", 4);
    expect(routes).toEqual(["instance.connectionState"]);
    expect(count).toBe(7);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(30 * 60_000);
  });

  test.each([
    ["plan:demo", "unreachable", "jobs.list"],
    ["credits:demo", "unreachable", "invoicing.emitentesLista"],
    ["plan:demo", "unauthorized", "jobs.list"],
    ["credits:demo", "forbidden", "invoicing.emitentesLista"],
  ] as const)(
    "%s after %s: only what is free, soon and then once a minute",
    async (scope, why, route) => {
      const { routes, count, gaps } = await probes(scope, why, 0.5);
      expect(routes).toEqual([route]);
      expect(count).toBeGreaterThan(25);
      expect(gaps.slice(5).every((gap) => gap >= 60_000)).toBe(true);
    },
  );

  test.each([
    ["plan:demo", "no_balance"],
    ["credits:demo", "no_balance"],
    ["plan:demo:engine-a", "instance_not_open"],
  ] as const)("%s after %s: nothing at all", async (scope, why) => {
    expect(await probes(scope, why, 2)).toMatchObject({ count: 0 });
  });
});
