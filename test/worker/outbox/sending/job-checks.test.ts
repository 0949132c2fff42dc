/** Jobs that nobody ends are given up however many rest, also where more rest than are remembered. */
import { expect, test } from "vitest";
import type { SendContext } from "../../../../src/worker/context/contexts.ts";
import { Jobs } from "../../../../src/worker/outbox/queue/jobs.ts";
import { Queue } from "../../../../src/worker/outbox/queue/queue.ts";

const DAY = 24 * 3_600_000;
/** Of the pages below; a round reads ten. */
const PAGE = 2;

/** Sends that were enqueued days ago, `id` to account, at a gateway that cannot be asked: the second look gives one up. */
function resting(rows: Map<string, string>, remembered: number) {
  const given: string[] = [];
  const held = async ({ after = "" }: { readonly after?: string }) => {
    const left = [...rows].filter(([id]) => id > after);
    const items = left.slice(0, PAGE).map(([id, account]) => ({
      ...{ id, account, contact: "c", job: id, attempt: 1, rev: 1 },
      payload: { type: "send", turn: "t", message: { text: "um" }, work: { at: 0 } },
    }));
    const last = items.at(-1);
    return { items, ...(left.length > PAGE && last ? { next: last.id } : {}) };
  };
  const resolve = async ({ id }: { readonly id: string }) => {
    given.push(id);
    return rows.delete(id);
  };
  const context = {
    store: { views: { held }, effects: { resolve } },
    clock: { now: () => 2 * DAY, real: () => 0 },
    accounts: { get: async () => null },
    queue: new Queue(() => 0),
    alarms: { raise: () => undefined },
    wake: () => undefined,
  };
  return { jobs: new Jobs(context as unknown as SendContext, remembered), given };
}

test("each of many is given up in the end, and none at its first look", async () => {
  const ids = Array.from({ length: 30 }, (_, at) => `e${at + 10}`);
  const rows = new Map(ids.map((id) => [id, "demo"]));
  const { jobs, given } = resting(rows, 4);
  // Thirty in pages of two are a round and a half.
  await jobs.runOnce();
  await jobs.runOnce();
  expect(given).toEqual([]);
  for (let round = 0; round < 30; round++) await jobs.runOnce();
  expect(given.sort()).toEqual(ids);
});

test("of an account that nobody asked for meanwhile the first look still counts", async () => {
  const rows = new Map([
    ["a1", "a"],
    ["b1", "b"],
  ]);
  const { jobs, given } = resting(rows, 2);
  await jobs.runOnce();
  await jobs.runOnce((account) => account === "b");
  expect(given).toEqual(["b1"]);
  await jobs.runOnce();
  expect(given).toEqual(["b1", "a1"]);
});

test("what ended elsewhere leaves its room to others", async () => {
  const rows = new Map([
    ["a1", "a"],
    ["a2", "a"],
  ]);
  const { jobs, given } = resting(rows, 2);
  await jobs.runOnce();
  rows.clear();
  rows.set("a3", "a");
  // At the end of a look through all it is known that the two rest no more.
  for (let round = 0; round < 3; round++) await jobs.runOnce();
  expect(given).toEqual(["a3"]);
});
