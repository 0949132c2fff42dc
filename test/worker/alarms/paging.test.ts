/** Which alarms become a bubble, without clock and store. */
import { describe, expect, test } from "vitest";
import {
  heard,
  isPaged,
  type Means,
  next,
  pagedBy,
  Pages,
} from "../../../src/worker/alarms/paging.ts";
import { plugins } from "../../support/plugins.ts";

const PAGED = pagedBy(plugins);
const MEANS: Means = {
  paged: PAGED,
  now: 10,
  day: "2026-01-05",
  perDay: 3,
  muted: [],
  reserved: false,
};
const batches = (...codes: string[]) => codes.map((code) => ({ code, count: 1, vars: {} }));
const keysOf = (pages: Pages | null) => pages?.telling?.lines.map(({ key }) => key);
const both = heard(Pages.parse({}), batches("send.failed", "invoice.stuck"), 5);

test("what an account does not want to hear is not told, now or with the next bubble", () => {
  expect(next(both, { ...MEANS, muted: ["send.failed", "invoice.stuck"] })).toBeNull();
  expect(keysOf(next(both, { ...MEANS, muted: ["send.failed"] }))).toEqual(["alarm-invoice-stuck"]);
});

test("of the plan's reserve only a note's fate is told", () => {
  const told = next(both, { ...MEANS, reserved: true });
  expect(keysOf(told)).toEqual(["alarm-invoice-stuck"]);
  expect(told?.telling?.fiscal).toBe(true);
  expect(next(both, MEANS)?.telling?.fiscal).toBe(false);
});

describe("a day on which alarms never end", () => {
  /** Bubbles of a day in which each of these kinds is heard every five minutes. */
  function bubblesOf(codes: readonly string[], reserved: boolean) {
    const bubbles: { fiscal: boolean; keys: readonly string[]; last: unknown }[] = [];
    let pages = Pages.parse({});
    for (let minute = 0; minute < 24 * 60; minute += 5) {
      const now = minute * 60_000;
      const code = codes[(minute / 5) % codes.length] ?? "";
      pages = heard(pages, batches(code), now);
      const told = next(pages, { ...MEANS, now, reserved });
      if (!told?.telling) continue;
      const keys = told.telling.lines.map(({ key }) => key);
      const last = told.telling.lines.find(({ key }) => key === "alarm-last")?.vars["of"];
      bubbles.push({ fiscal: told.telling.fiscal, keys, last });
      pages = { ...told, telling: undefined };
    }
    return { bubbles, pages };
  }
  const NOTES = [...PAGED].flatMap(([code, { fiscal }]) => (fiscal ? [code] : []));

  test("tells three bubbles of the day's number and six more about notes, the last of which says so", () => {
    const { bubbles, pages } = bubblesOf([...PAGED.keys()], false);
    expect(bubbles).toHaveLength(3 + 6);
    expect(bubbles.slice(3).every(({ fiscal }) => fiscal)).toBe(true);
    const last = bubbles.map(({ keys }) => keys.includes("alarm-last"));
    expect(last).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 1].map(Boolean));
    // Notes go on after the first of the two, and nothing after the second.
    expect([bubbles[2]?.last, bubbles[8]?.last]).toEqual(["others", "all"]);

    // What was gathered since is told when the next day begins.
    const morning = next(pages, { ...MEANS, now: 86_400_000, day: "2026-01-06" });
    expect(morning?.telling?.lines.length).toBeGreaterThan(NOTES.length);
    expect(morning).toMatchObject({ sent: 1, extra: 0 });
  });

  test("uses no more than six calls of the plan's reserve for one phone", () => {
    const { bubbles } = bubblesOf(NOTES, true);
    expect(bubbles).toHaveLength(6);
    expect(bubbles.at(-1)?.keys).toContain("alarm-last");
    expect(bubbles.at(-1)?.last).toBe("all");
  });
});

test("a note that was closed and exists all the same is told like any note's fate", () => {
  expect(isPaged(PAGED, { code: "invoice.contradicted", message: "" })).toBe(true);
  const pages = heard(Pages.parse({}), batches("invoice.contradicted"), 5);
  expect(next(pages, { ...MEANS, reserved: true })?.telling?.fiscal).toBe(true);
});
