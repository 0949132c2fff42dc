/** Which partitions of Redis are asked for work, and when all of them are. */
import { describe, expect, test } from "vitest";
import {
  PartitionPoller,
  PartitionPollers,
} from "../../src/store/redis/connection/partition-poller.ts";

/** A poller of eight that has just asked all; `asked` tells what it asks from now on. */
async function settled(poller = new PartitionPoller(8)) {
  const asked: number[] = [];
  const nothing = async (partition: number) => {
    asked.push(partition);
    return { got: [], more: false };
  };
  await poller.gather({ limit: 32 }, nothing);
  asked.length = 0;
  return { poller, asked, nothing };
}

describe("who follows a hint", () => {
  test("asks the partition of the hint and no other, once", async () => {
    const { poller, asked, nothing } = await settled();
    poller.mark(5);
    await poller.gather({ limit: 32, hinted: true }, nothing);
    await poller.gather({ limit: 32, hinted: true }, nothing);
    expect(asked).toEqual([5]);
  });

  test("asks a partition again while it has more than was taken", async () => {
    const { poller, asked } = await settled();
    poller.mark(2);
    const full = async (partition: number) => {
      asked.push(partition);
      return { got: ["work"], more: asked.length < 3 };
    };
    for (let round = 0; round < 5; round++) await poller.gather({ limit: 1, hinted: true }, full);
    expect(asked).toEqual([2, 2, 2]);
  });

  test("asks all at least once a second, because hints get lost", async () => {
    const { poller, asked, nothing } = await settled();
    const until = performance.now() + 1_000;
    while (performance.now() < until && asked.length === 0) {
      await poller.gather({ limit: 32, hinted: true }, nothing);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(new Set(asked).size).toBe(8);
  });
});

test("without a hint all are asked when nothing is known", async () => {
  const { poller, asked, nothing } = await settled();
  await poller.gather({ limit: 32 }, nothing);
  expect(asked).toHaveLength(8);
});

test("what was looked through for one kind of effect is still looked at for another", async () => {
  const pollers = new PartitionPollers(8);
  const quick = await settled(pollers.of("message"));
  const slow = await settled(pollers.of("fiscal"));
  pollers.mark(3);
  await quick.poller.gather({ limit: 32, hinted: true }, quick.nothing);
  await slow.poller.gather({ limit: 32, hinted: true }, slow.nothing);
  expect(quick.asked).toEqual([3]);
  expect(slow.asked).toEqual([3]);
});
