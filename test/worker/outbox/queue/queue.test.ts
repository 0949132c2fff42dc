import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import { until } from "../../../sandbox/stage.ts";
import { bubble, CUSTOMER, hear, rig, textOf, type Asked, type Rig } from "../../rig.ts";
import { withSteps } from "../../../../src/store/port/with-steps.ts";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

let it: Rig;
afterEach(() => it.close());

/** Nobody on the messenger has this number: a queued send to it fails in the queue. */
const NOBODY = "5500987650001";
const QUEUED = "/api/v2/msgengine/message/sendText/queue";
const DIRECT = "/api/v2/msgengine/message/sendText";

const paths = async () => (await it.list("requests")).map((row) => textOf(row["path"]));
const sends = async () => (await paths()).filter((path) => path.includes("/message/"));
const enqueued = () => it.store.views.effects({ state: "enqueued", limit: 1_000 });
const held = async () =>
  (await it.store.views.effects({ state: "held", limit: 1_000 })).map(({ reason }) => reason);
const alarms = () => it.events.flatMap((event) => (event.type === "alarm" ? [event.code] : []));
const mails = async (phone: string) =>
  (await it.journal(phone)).flatMap((line) => (line["mail"] ? [line["mail"]["kind"]] : []));
/** The sandbox's queue takes a fifth of a second. */
const received = (phone: string, count: number) =>
  until(async () => {
    const texts = await it.received(phone);
    return texts.length >= count ? texts : undefined;
  });
/** No echo, no acknowledgement: `/jobs` alone tells. */
const silence = () => it.stage.http("PUT", "/sandbox/delivery", { echo: false, acks: "none" });
/** The gateway answers an enqueue as an engine without a queue does. */
const withoutQueue = (times: number) =>
  it.fault({
    route: "message.sendTextQueue",
    effect: { kind: "status", status: 400, message: "queue_not_available: use the other route" },
    times,
  });

const start = async (kind = "embedded", timeoutMs = 500) => {
  if (kind === "redis") await emptied(redis.url);
  it = await rig({
    account: { sendMode: "queue" },
    timeoutMs,
    ...(kind === "redis" ? { redisUrl: redis.url } : {}),
  });
};

async function emptied(url: string): Promise<void> {
  const client = new Redis(url);
  await client.flushall();
  client.disconnect();
}

describe.each(["embedded", "redis"])("queue mode on the %s store", (kind) => {
  test("a send rests under its job until its own echo ends it, and the echo's id stays ours", async () => {
    await start(kind);
    const [effect = ""] = await it.asks(CUSTOMER, bubble(CUSTOMER, "*um* e dois"));
    await it.worker.drain();
    expect(await enqueued()).toMatchObject([{ id: effect }]);
    await received(CUSTOMER, 1);

    const [echo] = await hear(it, "own");
    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
    expect(await sends()).toEqual([QUEUED]);

    // The engine tells the message again when it has long been forgotten what was said.
    it.clock.moveTo(it.clock.now() + 3_600_000);
    const other = it.again();
    const contact = await it.contact(CUSTOMER);
    const heard = { messageId: echo?.messageId ?? "", text: "um e dois" };
    expect(await other.echoes.isOurs("demo", contact, heard)).toBe(true);
    const stranger = { messageId: "3EB0FFFF", text: "um e dois" };
    expect(await other.echoes.isOurs("demo", contact, stranger)).toBe(false);
  });

  test("where no echo comes the job ends it, and a later echo is not taken for a person", async () => {
    await start(kind);
    await silence();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    await it.worker.drain();
    expect(await it.worker.jobs.runOnce()).toBe(0);
    await received(CUSTOMER, 1);
    it.clock.moveTo(it.clock.now() + 120_000);

    expect(await until(() => it.worker.jobs.runOnce())).toBe(1);

    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
    const contact = await it.contact(CUSTOMER);
    const late = { messageId: "3EB0AAAA", text: "um" };
    expect(await it.again().echoes.isOurs("demo", contact, late)).toBe(true);
  });

  test("a lost answer whose echo comes late frees what was held with it", async () => {
    await start(kind);
    await it.fault({
      route: "message.sendTextQueue",
      effect: { kind: "accepted_then_lost" },
      times: 1,
    });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um", "t1"), bubble(CUSTOMER, "dois", "t1"));
    await it.worker.drain();
    expect(await held()).toEqual(["reset", "turn"]);

    await hear(it, "own");
    await it.worker.drain();

    expect(await received(CUSTOMER, 2)).toEqual(["um", "dois"]);
    await hear(it, "own", 2);
    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
    const view = await it.store.views.session("demo", await it.contact(CUSTOMER));
    expect(view?.session).not.toHaveProperty("unsaid");
  });

  test("an echo finds its own message behind many that failed", async () => {
    await start(kind);
    const route = "message.sendTextQueue";
    await it.fault({ route, effect: { kind: "status", status: 422 }, times: 55 });
    for (let n = 0; n < 55; n++) await it.asks(CUSTOMER, bubble(CUSTOMER, `falha ${n}`, `f${n}`));
    await it.worker.drain();
    await it.fault({ route, effect: { kind: "accepted_then_lost" }, times: 1 });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um", "t1"), bubble(CUSTOMER, "dois", "t1"));
    await it.worker.drain();

    await hear(it, "own");
    await it.worker.drain();

    expect(await received(CUSTOMER, 2)).toEqual(["um", "dois"]);
  });

  test("what a late echo frees stands in its order before any of it may leave", async () => {
    await start(kind);
    const effect = { kind: "accepted_then_lost" };
    await it.fault({ route: "message.sendTextQueue", effect, times: 1 });
    const texts = ["um", "dois", "três", "quatro"];
    await it.asks(CUSTOMER, ...texts.map((text) => bubble(CUSTOMER, text, "t1")));
    await it.worker.drain();
    expect(await held()).toEqual(["reset", "turn", "turn", "turn"]);

    // Between any two steps of this worker the other one sends whatever may leave.
    const resolve: Rig["store"]["effects"]["resolve"] = async (input) => {
      const done = await it.store.effects.resolve(input);
      await it.worker.drain();
      return done;
    };
    const store = withSteps(it.store, (name) => (name === "effects.resolve" ? resolve : undefined));
    await hear(it, "own", 1, undefined, it.again({ store }));
    await it.worker.drain();

    expect(await received(CUSTOMER, 4)).toEqual(texts);
  });

  test("a job that failed is a failed send, and the next message meets the question again", async () => {
    await start(kind);
    await it.asks(NOBODY, bubble(NOBODY, "um"));
    await it.worker.drain();

    await until(() => it.worker.jobs.runOnce());
    await it.worker.drain();

    expect(await held()).toEqual(["job_failed"]);
    expect(alarms()).toEqual(["send.failed"]);
    expect(await mails(NOBODY)).toContain("send-failed");
    const view = await it.store.views.session("demo", await it.contact(NOBODY));
    expect(view?.session).toMatchObject({ unsaid: true });
  });

  test("a worker that dies between enqueue and end loses nothing: the next one settles", async () => {
    await start(kind);
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"), bubble(CUSTOMER, "dois"));
    await it.worker.drain();
    await it.worker.stop(0);
    await received(CUSTOMER, 2);
    const next = it.again();

    await hear(it, "own", 1, ["um"], next);
    await until(() => next.jobs.runOnce());

    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
    expect(await sends()).toEqual([QUEUED, QUEUED]);
  });

  test("250 contacts at once are all settled, with a handful of requests", async () => {
    // On a busy machine 250 answers take longer than half a second, and a late one is a lost one.
    await start(kind, 30_000);
    await silence();
    const phones = Array.from({ length: 250 }, (_, index) => `55119876${50_000 + index}`);
    await Promise.all(phones.map((phone) => it.says(phone, "oi")));
    // A claim whose answer was late is lost until its lease ends: on a busy machine one drain is not the end. The first jobs
    // may be asked for, and over, before the last send is enqueued.
    await until(async () => {
      await it.worker.drain();
      return (await sends()).length >= 250;
    });
    await until(async () => (await it.received(phones.at(-1) ?? "")).length === 1);

    await until(async () => {
      await it.worker.jobs.runOnce();
      return (await enqueued()).length === 0;
    });

    expect((await paths()).filter((path) => path.endsWith("/jobs")).length).toBeLessThan(20);
    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
  });
});

describe("queue mode", () => {
  test("an engine without a queue is asked once, then sent to directly, behind what is queued", async () => {
    await start();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um", "t1"));
    await it.worker.drain();
    await withoutQueue(1);
    await it.asks(CUSTOMER, bubble(CUSTOMER, "dois", "t2"), bubble(CUSTOMER, "três", "t3"));
    await it.worker.drain();
    // "um" is in the queue still: nothing may overtake it.
    expect(await sends()).toEqual([QUEUED, QUEUED]);
    await received(CUSTOMER, 1);
    await hear(it, "own");

    it.clock.moveTo(it.clock.now() + 5_000);
    await it.worker.drain();

    expect(await sends()).toEqual([QUEUED, QUEUED, DIRECT, DIRECT]);
    expect(await it.received(CUSTOMER)).toEqual(["um", "dois", "três"]);
  });

  test("what another worker has enqueued is not overtaken, although its round to find that out is still to come", async () => {
    await start();
    await silence();
    await it.fault({ route: "jobs.find", effect: { kind: "status", status: 503 } });
    const other = it.again();
    // Both have just seen that nothing rests.
    await it.worker.drain();
    await other.drain();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um", "t1"));
    await it.worker.drain();
    await withoutQueue(1);
    await it.asks(CUSTOMER, bubble(CUSTOMER, "dois", "t2"));
    await other.drain();
    expect(await sends()).toEqual([QUEUED, QUEUED]);
    expect(await enqueued()).toHaveLength(1);

    it.clock.moveTo(it.clock.now() + 130_000);
    await other.drain();
    expect(await sends()).toEqual([QUEUED, QUEUED, DIRECT]);
    await other.stop(0);
  });

  test("a job without an end holds back what is sent directly for two minutes, not for ever", async () => {
    await start();
    await silence();
    await it.fault({ route: "jobs.find", effect: { kind: "status", status: 503 } });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um", "t1"));
    await it.worker.drain();
    await withoutQueue(1);
    await it.asks(CUSTOMER, bubble(CUSTOMER, "dois", "t2"));
    it.clock.moveTo(it.clock.now() + 110_000);
    await it.worker.drain();
    expect(await sends()).toEqual([QUEUED, QUEUED]);

    it.clock.moveTo(it.clock.now() + 20_000);
    await it.worker.drain();

    expect(await sends()).toEqual([QUEUED, QUEUED, DIRECT]);
    expect(await enqueued()).toHaveLength(1);
  });

  test.each(["engine-a", "engine-c"] as const)(
    "%s ends its queued sends by its own echoes",
    async (channel) => {
      await start();
      const asked = { ...bubble(CUSTOMER, "um"), channel } as Asked;
      await it.asks(CUSTOMER, asked);
      await it.worker.drain();
      expect(await enqueued()).toHaveLength(1);
      expect((await paths()).at(-1)).toMatch(/\/queue$/);

      await hear(it, "own", 1, undefined, it.worker, channel);

      expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
    },
  );

  test("a status that names the job ends its send, as left or as failed", async () => {
    await start();
    await silence();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"), bubble(CUSTOMER, "dois"));
    await it.worker.drain();
    const [first, second] = await enqueued();
    const tell = async (job: string | undefined, status: "pending" | "delivered" | "error") => {
      const ack = { kind: "ack" as const, id: `${job}:${status}`, at: it.clock.now(), status };
      await it.worker.signals.handle("demo", "engine-a", { ...ack, messageId: job ?? "" });
    };

    await tell(first?.job, "pending");
    await tell("00000000-0000-4000-8000-000000000000", "delivered");
    expect(await enqueued()).toHaveLength(2);
    await tell(first?.job, "delivered");
    await tell(second?.job, "error");

    expect(await it.store.views.effects({ limit: 5 })).toMatchObject([
      { id: second?.id, state: "held", reason: "job_failed" },
    ]);
  });

  test("an acknowledgement whose echo was lost makes the worker look at the jobs, and nothing more", async () => {
    await start();
    await silence();
    await it.worker.start();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    await until(async () => (await enqueued()).length === 1);
    await received(CUSTOMER, 1);
    const ack = { kind: "ack" as const, id: "a1", at: it.clock.now(), messageId: "3EB0CCCC" };

    await it.worker.signals.handle("demo", "engine-b", { ...ack, status: "delivered" });

    expect(await enqueued()).toHaveLength(1);
    await until(async () => (await enqueued()).length === 0);
    expect((await paths()).filter((path) => path.endsWith("/jobs"))).toHaveLength(1);
  });

  test("two messages of one contact keep their order through the queue", async () => {
    await start();
    await it.asks(CUSTOMER, ...["um", "dois", "três"].map((text) => bubble(CUSTOMER, text)));
    await it.worker.drain();

    expect(await received(CUSTOMER, 3)).toEqual(["um", "dois", "três"]);
    await hear(it, "own", 3);
    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
  });

  test("the same words twice are two sends: each echo ends one, and the same echo again ends none", async () => {
    await start();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "oi", "t1"), bubble(CUSTOMER, "oi", "t2"));
    await it.worker.drain();
    await received(CUSTOMER, 2);
    const [first, second] = await hear(it, "own", 2, []);
    if (!first || !second) throw new Error("two echoes were expected");

    for (let times = 0; times < 3; times++)
      await it.worker.signals.handle("demo", "engine-b", first);
    expect(await enqueued()).toHaveLength(1);
    await it.worker.signals.handle("demo", "engine-b", second);
    expect(await enqueued()).toEqual([]);
  });

  test("an echo that comes after its job does not end a younger send with the same words", async () => {
    await start();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "oi", "t1"));
    await it.worker.drain();
    const [late] = await hear(it, "own", 1, []);
    expect(await until(() => it.worker.jobs.runOnce())).toBe(1);
    const [younger = ""] = await it.asks(CUSTOMER, bubble(CUSTOMER, "oi", "t2"));
    await it.worker.drain();
    if (!late) throw new Error("an echo was expected");

    for (const worker of [it.worker, it.again()])
      expect(await worker.signals.handle("demo", "engine-b", late)).toBe("echo");
    expect(await enqueued()).toMatchObject([{ id: younger }]);

    await hear(it, "own", 2);
    expect(await enqueued()).toEqual([]);
  });

  test("a send that certainly failed is not called sent by the echo of another with its words", async () => {
    await start();
    await it.fault({
      route: "message.sendTextQueue",
      effect: { kind: "status", status: 422, message: "no" },
      times: 1,
    });
    const [failed = ""] = await it.asks(CUSTOMER, bubble(CUSTOMER, "oi", "t1"));
    await it.worker.drain();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "oi", "t2"));
    await it.worker.drain();
    expect(await until(() => it.worker.jobs.runOnce())).toBe(1);

    await hear(it, "own");

    expect(await it.store.views.effects({ limit: 5 })).toMatchObject([
      { id: failed, state: "held" },
    ]);
  });

  /** One send whose enqueue was taken in without an answer; answers its effect. */
  const lose = async () => {
    const effect = { kind: "accepted_then_lost" };
    await it.fault({ route: "message.sendTextQueue", effect, times: 1 });
    const [older = ""] = await it.asks(CUSTOMER, bubble(CUSTOMER, "oi", "t1"));
    await it.worker.drain();
    await received(CUSTOMER, 1);
    return older;
  };
  const secondEcho = async () => {
    await received(CUSTOMER, 2);
    const [, second] = await hear(it, "own", 2, []);
    if (!second) throw new Error("two echoes were expected");
    expect(await it.worker.signals.handle("demo", "engine-b", second)).toBe("echo");
  };

  test("an echo ends what is in the queue before what was put by with the same words", async () => {
    await start();
    const older = await lose();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "oi", "t2"));
    await it.worker.drain();

    await secondEcho();

    expect(await it.store.views.effects({ limit: 5 })).toMatchObject([
      { id: older, state: "held" },
    ]);
  });

  test("an echo before its answer is its own send's, not that of an older one that was put by", async () => {
    await start("embedded", 30_000);
    const older = await lose();
    const effect = { kind: "accepted_then_lost", ms: 1_500 };
    await it.fault({ route: "message.sendTextQueue", effect, times: 1 });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "oi", "t2"));
    const drained = it.worker.drain();
    await secondEcho();
    await drained;

    expect(await it.store.views.effects({ limit: 5 })).toMatchObject([
      { id: older, state: "held" },
    ]);
  });

  test("an echo before the answer that names its job ends the send at once, without a look at the jobs", async () => {
    await start("embedded", 30_000);
    await it.fault({
      route: "message.sendTextQueue",
      effect: { kind: "slow", ms: 1_500 },
      times: 1,
    });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "oi"));
    const drained = it.worker.drain();
    await hear(it, "own");
    await drained;

    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
    expect((await paths()).filter((path) => path.endsWith("/jobs"))).toEqual([]);
  });

  test("a lost answer is never enqueued again: without an echo it is held", async () => {
    await start();
    await silence();
    await it.fault({ route: "message.sendTextQueue", effect: { kind: "accepted_then_lost" } });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um", "t1"), bubble(CUSTOMER, "dois", "t1"));
    await it.worker.drain();
    it.clock.moveTo(it.clock.now() + 600_000);
    await it.worker.drain();

    expect(await sends()).toEqual([QUEUED]);
    expect(await held()).toEqual(["reset", "turn"]);
    expect(alarms()).toContain("send.failed");
    expect(await mails(CUSTOMER)).toContain("send-failed");
  });

  test("a lost answer whose echo came first is a send that left", async () => {
    await start();
    const effect = { kind: "accepted_then_lost", ms: 5_000 };
    await it.fault({ route: "message.sendTextQueue", effect });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    const drained = it.worker.drain();
    await received(CUSTOMER, 1);
    await hear(it, "own");
    await drained;

    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
    expect(await sends()).toEqual([QUEUED]);
    expect(alarms()).toEqual([]);
  });

  test("a job nobody knows any more is held after ten minutes, never called sent", async () => {
    await start();
    await silence();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    await it.worker.drain();
    await it.stage.http("POST", "/sandbox/reset");

    await it.worker.jobs.runOnce();
    it.clock.moveTo(it.clock.now() + 9 * 60_000);
    expect(await it.worker.jobs.runOnce()).toBe(0);
    it.clock.moveTo(it.clock.now() + 2 * 60_000);
    expect(await it.worker.jobs.runOnce()).toBe(1);

    expect(await held()).toEqual(["job_unknown"]);
    expect(await sends()).toEqual([]);
  });

  test("a job without an end for a day is held, never called sent", async () => {
    await start();
    await silence();
    await it.fault({ route: "jobs.find", effect: { kind: "status", status: 503 } });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    await it.worker.drain();

    it.clock.moveTo(it.clock.now() + 25 * 3_600_000);
    expect(await it.worker.jobs.runOnce()).toBe(0);
    expect(await it.worker.jobs.runOnce()).toBe(1);

    expect(await held()).toEqual(["job_silent"]);
    expect(alarms()).toEqual(["send.failed"]);
  });
});

test("a worker at rest asks for jobs by itself, and nothing where nothing is queued", async () => {
  it = await rig({ account: { sendMode: "queue" } });
  await silence();
  await it.worker.start();
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
  await until(async () => (await enqueued()).length === 1);
  expect((await paths()).filter((path) => path.endsWith("/jobs"))).toEqual([]);
  await received(CUSTOMER, 1);

  // What moves the clock of a sandbox also makes the worker look.
  it.clock.moveTo(it.clock.now() + 1_000);
  await until(async () => (await enqueued()).length === 0);

  const asked = (await paths()).filter((path) => path.endsWith("/jobs")).length;
  it.clock.moveTo(it.clock.now() + 60_000);
  await it.worker.drain();
  expect((await paths()).filter((path) => path.endsWith("/jobs"))).toHaveLength(asked);
});

test("acknowledgements are a maximum, in whatever order they come", async () => {
  it = await rig();
  const ack = { kind: "ack" as const, id: "a", at: 1, messageId: "M1" };
  for (const status of ["read", "sent", "delivered", "error"] as const)
    await it.worker.signals.handle("demo", "engine-b", { ...ack, status });

  expect(it.worker.signals.progress("demo", "M1")).toBe("read");
});
