import { afterEach, beforeEach, expect, test } from "vitest";
import type { InboundEvent } from "../../../src/engine/index.ts";
import { VirtualClock } from "../../../src/worker/index.ts";
import { textOf, until } from "../../sandbox/stage.ts";
import { rig, type Rig } from "../rig.ts";

type State = Extract<InboundEvent, { kind: "connection" }>["state"];
const connection = (state: State) =>
  ({ kind: "connection", id: `connection:${state}`, at: 0, state }) as const;

/** Real time by hand: the bounds are in real time, whatever the sandbox's clock says. */
class SlowClock extends VirtualClock {
  ahead = 0;
  override real(): number {
    return super.real() + this.ahead;
  }
}

let it: Rig;
const clock = new SlowClock();
const subscription = () => ({
  route: "engineC.connect" as const,
  body: { webhookUrl: `${it.stage.bot.url}/webhooks/engine-c/new`, subscribe: ["MESSAGE"] },
});
const worker = () =>
  it.again({ clock, channels: { render: () => never("a bubble"), subscription } });
const never = (what: string): never => {
  throw new Error(`${what} was not expected`);
};
const calls = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === "engineC.connect");

beforeEach(async () => {
  clock.ahead = 0;
  it = await rig();
});
afterEach(() => it.close());

test("the filter that engine C forgot with its line is sent again, and its events come back", async () => {
  const { http, bot } = it.stage;
  await http("PUT", "/sandbox/delivery", { wipe_filter: true });
  const says = () =>
    http("POST", "/sandbox/inbound", { from: "5511987650001", channel: "engine-c", text: "oi" });
  await http("POST", "/sandbox/instance", { do: "flap" });
  await until(() => bot.of("engine-c").length > 0);
  // The line is open again, and the contact writes.
  await says();
  expect(bot.of("engine-c").map((one) => one.body["event"])).toEqual(["Disconnected"]);

  await worker().signals.handle("demo", "engine-c", connection("connecting"));
  await until(async () => (await calls()).length === 1);
  await says();

  expect(bot.told.at(-1)).toMatchObject({
    path: "/webhooks/engine-c/new",
    body: { event: "Message" },
  });
});

test("a flapping line costs one call a minute, whichever process hears it, and no more than a day's share", async () => {
  const both = [worker(), worker()];
  const flap = async () => {
    for (const one of both)
      for (const state of ["connecting", "open"] as const)
        await one.signals.handle("demo", "engine-c", connection(state));
    await Promise.all(both.map((one) => one.stop(1_000)));
  };
  await flap();
  expect(await calls()).toHaveLength(1);
  clock.ahead += 61_000;
  await flap();
  expect(await calls()).toHaveLength(2);
  for (let round = 0; round < 50; round++) {
    clock.ahead += 61_000;
    await flap();
  }
  // The rounds may reach into a second day.
  expect((await calls()).length).toBeLessThanOrEqual(2 * 24);
});

test("a phone that was logged out, and every other engine, is left alone", async () => {
  const one = worker();
  for (const state of ["close", "refused"] as const)
    await one.signals.handle("demo", "engine-c", connection(state));
  await one.signals.handle("demo", "engine-a", connection("open"));
  await one.stop(1_000);
  expect(await calls()).toEqual([]);
});

test("a call that fails is an alarm", async () => {
  await it.fault({ route: "engineC.connect", effect: { kind: "status", status: 500 } });
  const one = worker();
  await one.signals.handle("demo", "engine-c", connection("open"));
  await one.stop(1_000);
  const alarms = it.events.filter((event) => event.type === "alarm");
  expect(alarms).toMatchObject([{ code: "channel.filter", account: "demo" }]);
  expect(await calls()).toHaveLength(2);
});
