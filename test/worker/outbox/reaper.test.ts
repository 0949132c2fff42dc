/** What dead processes left behind is judged one by one: what cannot be judged keeps nobody else's waiting. */
import { afterEach, expect, test } from "vitest";
import { until } from "../../sandbox/stage.ts";
import { bubble, CUSTOMER, type Asked, OTHER, rig, type Rig } from "../rig.ts";
import { withSteps } from "../../../src/store/port/with-steps.ts";

let it: Rig;
afterEach(() => it.close());

test("an effect that no build here can judge does not keep others from being judged", async () => {
  it = await rig();
  // As a build of another day would leave it: a kind of effect that this one has never heard of.
  const strange = { ...bubble(CUSTOMER, "?"), type: "gesture", name: "wave" } as unknown as Asked;
  await it.asks(CUSTOMER, strange);
  await it.asks(OTHER, bubble(OTHER, "ainda aqui"));
  const left = await it.store.effects.begin({ limit: 10, leaseMs: 0, paused: [], offsetMs: 0 });
  expect(left).toHaveLength(2);
  const told: unknown[] = [];
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: (it: unknown) => told.push(it) };
  const worker = it.again({ log });

  await worker.start();

  const contact = await it.contact(OTHER);
  const waiting = async () =>
    await it.store.views.effects({ contact, state: "inflight", limit: 1 });
  await until(async () => (await waiting()).length === 0 || undefined);
  await until(async () => (await it.received(OTHER)).length === 1 || undefined);
  expect(await it.received(OTHER)).toEqual(["ainda aqui"]);
  expect(await it.received(CUSTOMER)).toEqual([]);
  expect(told).not.toEqual([]);
  await worker.stop(1_000);
});

test("of an account in queue mode, what has no queue goes again, as any message whose process died", async () => {
  it = await rig({ account: { sendMode: "queue" } });
  const short = { ...bubble(CUSTOMER, "por SMS"), channel: "sms" } as Asked;
  await it.asks(CUSTOMER, short);
  await it.asks(OTHER, bubble(OTHER, "pela fila"));
  const left = await it.store.effects.begin({ limit: 10, leaseMs: 0, paused: [], offsetMs: 0 });
  expect(left).toHaveLength(2);

  await it.worker.start();

  const states = async (phone: string) => {
    const contact = await it.contact(phone);
    return (await it.store.views.effects({ contact, limit: 5 })).map(({ state }) => state);
  };
  await until(async () => !(await states(OTHER)).includes("inflight") || undefined);
  await until(async () => !(await states(CUSTOMER)).includes("inflight") || undefined);
  // What may have been taken into the queue was charged, and is a person's.
  expect(await states(OTHER)).toEqual(["held"]);
  expect(await states(CUSTOMER)).not.toContain("held");
});

const WEEK_MS = 7 * 86_400_000;

/** As many calls that wait for a person, and behind them a failed send nobody wants any more. */
async function heldBefore(count: number, last: Asked): Promise<void> {
  const call = { type: "call", class: "replace", name: "profile.name", input: {} } as const;
  await it.asks(CUSTOMER, ...Array.from({ length: count }, () => call as unknown as Asked));
  await it.asks(OTHER, last);
  const begun = await it.store.effects.begin({
    limit: 500,
    leaseMs: 5_000,
    paused: [],
    offsetMs: 0,
  });
  await it.store.effects.end(
    begun.map((one) => ({ ...one, outcome: { kind: "held", reason: "decide" } as const })),
  );
}

test("keeping house reaches all that is held, however much of it rests for a person", async () => {
  it = await rig();
  await heldBefore(120, bubble(OTHER, "há muito tempo"));
  expect((await it.store.views.backlog()).heldEffects).toBe(121);
  it.clock.moveTo(it.clock.now() + WEEK_MS + 60_000);
  await it.worker.start();

  const contact = await it.contact(OTHER);
  const left = async () => await it.store.views.effects({ contact, limit: 5 });
  await until(async () => (await left()).length === 0 || undefined);
  expect((await it.store.views.backlog()).heldEffects).toBe(120);
});

test.each(["budget", "echoes", "crash-counter"])(
  "keeping house goes on where documents of %s cannot be opened",
  async (broken) => {
    it = await rig();
    let isBroken = false;
    const look = (collection: string) => {
      if (isBroken && collection === broken) throw new Error("it cannot be opened");
    };
    const { documents } = it.store;
    const store = withSteps(it.store, {
      "documents.get": async (collection, id) => (look(collection), documents.get(collection, id)),
      "documents.list": async (collection, some) => (
        look(collection),
        documents.list(collection, some)
      ),
    });
    const told: unknown[] = [];
    const quiet = () => undefined;
    const log = { debug: quiet, info: quiet, warn: quiet, error: (it: unknown) => told.push(it) };
    const worker = it.again({ store, log });
    await it.fault({
      route: "message.sendText",
      effect: { kind: "status", status: 400 },
      times: 1,
    });
    await it.asks(CUSTOMER, bubble(CUSTOMER, "há muito tempo"));
    await worker.drain();
    it.clock.moveTo(it.clock.now() + WEEK_MS + 60_000);

    isBroken = true;
    await worker.start();
    const held = async () => await it.store.views.effects({ state: "held", limit: 5 });
    await expect.poll(held, { timeout: 10_000 }).toEqual([]);
    expect(told).toHaveLength(1);
    isBroken = false;
    await worker.stop(1_000);
  },
);
