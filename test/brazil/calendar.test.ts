import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDays,
  addMonths,
  instantOf,
  isDay,
  isoWithOffset,
  isZone,
  lastDayOf,
  localDay,
  localTime,
  weekday,
} from "../../src/brazil/index.ts";

const NOW = Date.parse("2026-11-21T02:30:15.678Z");

describe("local time", () => {
  test.each([
    ["America/Sao_Paulo", "2026-11-20T23:30:15-03:00"],
    ["America/Manaus", "2026-11-20T22:30:15-04:00"],
    ["America/Rio_Branco", "2026-11-20T21:30:15-05:00"],
    ["America/Noronha", "2026-11-21T00:30:15-02:00"],
    ["UTC", "2026-11-21T02:30:15+00:00"],
  ])("an instant in %s has its offset and no milliseconds", (zone, text) => {
    expect(isoWithOffset(NOW, zone)).toBe(text);
    expect(localDay(NOW, zone)).toBe(text.slice(0, 10));
  });

  test("going there and back gives the same instant, in and out of daylight saving time", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.parse("2015-01-01"), max: Date.parse("2030-01-01") }),
        fc.constantFrom("America/Sao_Paulo", "America/Rio_Branco", "America/New_York"),
        (instant, zone) => {
          const whole = Math.floor(instant / 1000) * 1000;
          const { day, time, offsetMinutes } = localTime(whole, zone);
          const back = instantOf(day, time, zone);
          expect(localTime(back, zone)).toMatchObject({ day, time });
          // An hour that happens twice has two instants.
          expect([0, 3_600_000]).toContain(Math.abs(back - whole));
          expect(Date.parse(isoWithOffset(whole, zone))).toBe(whole);
          expect(Math.abs(offsetMinutes) % 60).toBe(0);
        },
      ),
    );
  });

  test.each([
    // Newfoundland changed its clocks at one minute past midnight, Nepal by a quarter of an hour, Brazil at midnight.
    [
      "America/St_Johns",
      "2009-03-08T03:31:00Z",
      "2009-03-08T00:00:59-03:30",
      "2009-03-08T01:01:00-02:30",
    ],
    [
      "Asia/Kathmandu",
      "1985-12-31T18:30:00Z",
      "1985-12-31T23:59:59+05:30",
      "1986-01-01T00:15:00+05:45",
    ],
    [
      "America/Sao_Paulo",
      "2018-11-04T03:00:00Z",
      "2018-11-03T23:59:59-03:00",
      "2018-11-04T01:00:00-02:00",
    ],
  ])(
    "the second before a change in %s is told from the one after it",
    (zone, at, before, after) => {
      const instant = Date.parse(at);
      expect(isoWithOffset(instant - 1, zone)).toBe(before);
      expect(isoWithOffset(instant, zone)).toBe(after);
      expect(isoWithOffset(instant - 1, zone)).toBe(before);
    },
  );

  test("the clock is the runtime's, at any second and in any zone, whatever was asked before", () => {
    const zones = ["America/Sao_Paulo", "America/St_Johns", "Asia/Gaza", "Africa/Monrovia", "UTC"];
    const clocks = new Map(
      zones.map((timeZone) => [
        timeZone,
        new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }),
      ]),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(1960, 0), max: Date.UTC(2050, 0) }),
        fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 4 }),
        (instant, later) => {
          for (const zone of zones)
            for (const ms of [0, ...later]) {
              const { day, time } = localTime(instant + ms, zone);
              expect(`${day} ${time}`).toBe(clocks.get(zone)?.format(instant + ms));
            }
        },
      ),
    );
  });

  test("an unknown zone is known to be unknown", () => {
    expect(isZone("America/Sao_Paulo")).toBe(true);
    expect(isZone("America/Atlantis")).toBe(false);
  });
});

describe("days and months", () => {
  test("days that do not exist are no days", () => {
    expect(isDay("2026-02-29")).toBe(false);
    expect(isDay("2028-02-29")).toBe(true);
    expect(isDay("2026-13-01")).toBe(false);
    expect(isDay("21/11/2026")).toBe(false);
  });

  test("moving over the ends of months and years", () => {
    expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
    expect(addMonths("2026-01", -1)).toBe("2025-12");
    expect(addMonths("2026-12", 1)).toBe("2027-01");
    expect(lastDayOf("2028-02")).toBe("2028-02-29");
    expect(weekday("2026-11-21")).toBe(6);
  });
});
