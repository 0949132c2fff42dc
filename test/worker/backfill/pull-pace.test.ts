/** How much of a plan a line that flaps can use: little, and nothing that came meanwhile is lost. */
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { Gap } from "../../../src/worker/backfill/gaps.ts";
import { pullsFrom, withoutPull, withPull } from "../../../src/worker/backfill/pull-pace.ts";
import { bot, heardOf, HEARING, writes } from "../bot.ts";
import { CUSTOMER, rig, textOf, type Rig } from "../rig.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 20);

/** The times of the pulls when a line closes and opens again every half a minute. */
function pullsOf(days: number, reaches: (pull: number) => boolean = () => true): number[] {
  const pulls: number[] = [];
  let gap = Gap.parse({});
  let tried = 0;
  for (let at = START; at < START + days * DAY; at += MINUTE / 2) {
    if (pullsFrom({ ...gap, next: 0 }, at) > at) continue;
    gap = withPull(gap, at);
    if (reaches(tried++)) pulls.push(at);
    else gap = withoutPull(gap);
  }
  return pulls;
}

describe("a line that flaps all day", () => {
  test("causes twelve pulls, three a minute at most, and after the sixth an hour lies between two", () => {
    const pulls = pullsOf(1);
    expect(pulls).toHaveLength(12);
    for (const [index, at] of pulls.entries()) {
      if (index >= 3) expect(at - (pulls[index - 3] ?? 0)).toBeGreaterThanOrEqual(MINUTE);
      if (index >= 6) expect(at - (pulls[index - 1] ?? 0)).toBeGreaterThanOrEqual(HOUR);
    }
    expect((pulls[5] ?? 0) - START).toBeLessThan(5 * MINUTE);
  });

  test("causes 360 a month, and is heard again the next day", () => {
    expect(pullsOf(30)).toHaveLength(360);
  });

  test("is charged no pull that never reached the gateway", () => {
    expect(pullsOf(1, (pull) => pull % 2 === 1)).toHaveLength(12);
  });
});

test("the hour between two pulls holds over midnight", () => {
  const late = START + DAY - 10 * MINUTE;
  const gap = withPull(Gap.parse({ day: START / DAY, runs: 11, ran: [late - HOUR] }), late);
  expect(pullsFrom(gap, late + 1)).toBe(late + HOUR);
});

test("a clock that was ahead for a while holds no gap back for long", () => {
  const gap = Gap.parse({ day: 40_000, runs: 12, ran: [40_000 * DAY] });
  expect(pullsFrom(gap, START)).toBe(0);
  expect(withPull(gap, START)).toMatchObject({ day: START / DAY, runs: 1 });
});

describe("a pause of the pulls", () => {
  let it: Rig;
  afterEach(() => it.close());

  const pulls = async () =>
    (await it.list("requests")).filter((row) => textOf(row["route"]) === "chat.findMessages")
      .length;

  test.each([
    ["the sixth pull of a day", 6, 59 * MINUTE, 61 * MINUTE],
    ["the twelfth", 12, 0, DAY],
  ])("after %s outlasts a line that opens, then all is there", async (_, runs, early, later) => {
    it = await rig({ account: HEARING });
    const one = bot(it);
    await one.up();
    const { gaps, signals } = one.worker;
    // The pulls of today, the last of them so long ago.
    const pulled = (ago: number) =>
      gaps.change("demo", (gap) => {
        const at = Date.now() - ago;
        return { ...gap, day: Math.floor(at / DAY), runs, ran: [at] };
      });
    await pulled(early);
    const line = { kind: "connection", at: it.clock.now() } as const;
    for (const turn of [1, 2]) {
      await signals.handle("demo", "engine-b", { ...line, id: `c${turn}`, state: "close" });
      await writes(it, CUSTOMER, `no escuro ${turn}`);
      await signals.handle("demo", "engine-b", { ...line, id: `o${turn}`, state: "open" });
      await one.worker.drain();
    }
    expect(await pulls()).toBe(0);
    expect((await gaps.get("demo")).from).toBeDefined();
    expect(await heardOf(it, CUSTOMER)).toEqual([]);
    // No webhook is held back for a pull that is not made soon: one that was would wait twice as long.
    const gate = Promise.resolve(one.worker.liveness.gate("demo", "engine-b")).then(() => "open");
    expect(await Promise.race([gate, pause(2_500, "shut")])).toBe("open");

    await pulled(later);
    await one.worker.drain();
    expect(await pulls()).toBe(1);
    expect(await heardOf(it, CUSTOMER)).toEqual(["no escuro 1", "no escuro 2"]);
    await one.down();
  });
});
