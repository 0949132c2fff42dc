/** Webhooks that were answered 503: a process that beats and takes nothing is deaf, and engine A says each thing once. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Fault } from "../../../src/base/index.ts";
import type { ChannelName } from "../../../src/engine/index.ts";
import type { Refused } from "../../../src/worker/backfill/liveness.ts";
import { type Bot, bot, heardOf, HEARING, pass, TOKEN, writes } from "../bot.ts";
import { CUSTOMER, rig, textOf, type Rig } from "../rig.ts";

const MINUTE_MS = 60_000;
const TWO = { channels: [...HEARING.channels, { channel: "engine-a", token: TOKEN }] };

let it: Rig;
let one: Bot;
/** What the liveness check is handed at its next beat. */
let refused: Refused[];
beforeEach(async () => {
  refused = [];
  it = await rig({ account: TWO });
  one = listening();
  await one.up();
});
afterEach(async () => {
  await one.down();
  await it.close();
});

function listening(): Bot {
  return bot(it, {
    refused: async (take) => {
      for (const each of refused.splice(0)) await take(each);
    },
  });
}

/** A webhook is refused now, and somebody says that he listens. */
async function refuse(channel: ChannelName, isFull = false): Promise<number> {
  const at = it.clock.now();
  refused.push({ account: "demo", channel, from: at, to: at, isFull });
  await one.worker.liveness.report();
  await one.worker.drain();
  return at;
}

async function later(minutes: number): Promise<void> {
  await pass(it, minutes / 60);
  await one.worker.liveness.report();
  await one.worker.drain();
}

const alarms = (code: string) =>
  it.events.flatMap((event) => (event.type === "alarm" && event.code === code ? [event] : []));
const pulls = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === "chat.findMessages").length;

test("nothing refused is nothing written, and no gap", async () => {
  for (let minute = 0; minute < 20; minute++) await later(1);

  expect(await it.store.documents.get("gaps", "demo")).toBeNull();
  expect(alarms("channel.gap")).toEqual([]);
});

test("of engine A are told, once and as one time, when for ten minutes none came any more", async () => {
  const from = await refuse("engine-a");
  await later(4);
  await refuse("engine-a");
  await later(9);
  expect(alarms("channel.gap")).toEqual([]);
  await later(2);
  await later(30);

  expect(alarms("channel.gap")).toMatchObject([
    { account: "demo", subject: `${from} engine-a`, vars: { channels: "A" } },
  ]);
  expect(await pulls()).toBe(0);
});

test("that go on and on are told each hour", async () => {
  for (let minutes = 0; minutes < 150; minutes += 5) {
    await refuse("engine-a");
    await later(5);
  }

  expect(alarms("channel.gap")).toHaveLength(2);
});

test("of engine B are pulled back once it has given up, and nothing is told", async () => {
  await writes(it, CUSTOMER, "perdida");
  await refuse("engine-b");
  await later(9);
  expect(await pulls()).toBe(0);
  await later(2);

  expect(await heardOf(it, CUSTOMER)).toEqual(["perdida"]);
  expect(await pulls()).toBe(1);
  expect(alarms("channel.gap")).toEqual([]);
});

test("are told by another process when this one died", async () => {
  await refuse("engine-a");
  await one.down();
  one = listening();
  await one.up();
  await later(11);

  expect(alarms("channel.gap")).toMatchObject([{ vars: { channels: "A" } }]);
});

test("by a store that takes nothing are an alarm at once, and once", async () => {
  await refuse("engine-a", true);
  await refuse("engine-b", true);
  await refuse("engine-a", true);

  expect(alarms("store.full")).toMatchObject([{ subject: "store" }]);
  await refuse("engine-a");
  expect(alarms("store.full")).toHaveLength(1);
});

test("by a store that takes what is pulled back neither cost no pull after the other", async () => {
  await one.down();
  const ingest = () => Promise.reject<never>(new Fault("STORE_FULL", "Full."));
  one = bot(it, { ingest });
  await pass(it, 1);
  await writes(it, CUSTOMER, "perdida");
  await one.up();
  await one.worker.drain();

  expect(await pulls()).toBe(1);
  const gap = await it.worker.gaps.get("demo");
  expect(gap).toMatchObject({ failures: 1 });
  expect(gap.next).toBeGreaterThan(it.clock.real() + MINUTE_MS / 2);
});
