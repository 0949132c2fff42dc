import { describe, expect, test } from "vitest";
import { clockView } from "../../src/engine/session/business-clock.ts";
import type { Account } from "../../src/engine/index.ts";

const at = (iso: string, hours?: Account["hours"]) =>
  clockView({ zone: "America/Manaus", hours } as Account, Date.parse(iso));
/** Monday to Friday. */
const HOURS = { days: [1, 2, 3, 4, 5], from: "08:00", to: "18:00" };

describe("the business's clock as flows read it", () => {
  test("has the day, the time and the weekday of its zone", () => {
    expect(at("2026-11-30T02:30:00Z")).toEqual({
      open: true,
      today: "2026-11-29",
      time: "22:30",
      weekday: 0,
    });
  });

  test.each([
    ["2026-11-30T07:59:00-04:00", false],
    ["2026-11-30T08:00:00-04:00", true],
    ["2026-11-30T18:00:00-04:00", false],
    ["2026-11-29T12:00:00-04:00", false],
  ])("says whether it is open at %s", (moment, open) => {
    expect(at(moment, HOURS)["open"]).toBe(open);
    expect(at(moment, { ...HOURS, days: [] })["open"]).toBe(false);
  });
});
