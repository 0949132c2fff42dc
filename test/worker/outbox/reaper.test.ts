/** What dead processes left behind is judged one by one: what cannot be judged keeps nobody else's waiting. */
import { afterEach, expect, test } from "vitest";
import { until } from "../../sandbox/stage.ts";
import { bubble, CUSTOMER, type Asked, OTHER, rig, type Rig } from "../rig.ts";

let it: Rig;
afterEach(() => it.close());

test("an effect that no build here can judge does not keep others from being judged", async () => {
  it = await rig();
  // As a build of another day would leave it: a kind of effect that this one has never heard of.
  const strange = { ...bubble(CUSTOMER, "?"), type: "gesture", name: "wave" } as unknown as Asked;
  await it.asks(CUSTOMER, strange);
  await it.asks(OTHER, bubble(OTHER, "ainda aqui"));
  const left = await it.store.beginSend({ limit: 10, leaseMs: 0, paused: [], offsetMs: 0 });
  expect(left).toHaveLength(2);
  const told: unknown[] = [];
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: (it: unknown) => told.push(it) };
  const worker = it.again({ log });

  await worker.start();

  const contact = await it.contact(OTHER);
  const waiting = async () => await it.store.effects({ contact, state: "inflight", limit: 1 });
  await until(async () => (await waiting()).length === 0 || undefined);
  await until(async () => (await it.received(OTHER)).length === 1 || undefined);
  expect(await it.received(OTHER)).toEqual(["ainda aqui"]);
  expect(await it.received(CUSTOMER)).toEqual([]);
  expect(told).not.toEqual([]);
  await worker.stop(1_000);
});
