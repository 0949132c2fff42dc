/** Wall clocks that are left out or happen twice, ends of months and years, in every zone a business may be in. */
import { describe, expect, test } from "vitest";
import { addDays, instantOf, isoWithOffset, localDay, localTime } from "../../src/brazil/index.ts";
import { Issuer } from "../../src/plugins/invoicing/fiscal/issuer.ts";

const iso = (instant: number): string => new Date(instant).toISOString();

describe("the instant of a wall clock", () => {
  test.each([
    ["America/Rio_Branco", "2026-12-31", "23:59:59", "2027-01-01T04:59:59.000Z"],
    ["America/Noronha", "2027-01-01", "00:00:00", "2027-01-01T02:00:00.000Z"],
    ["America/Sao_Paulo", "2028-02-29", "12:00:00", "2028-02-29T15:00:00.000Z"],
    ["America/New_York", "2026-07-01", "08:00:00", "2026-07-01T12:00:00.000Z"],
    ["America/New_York", "2026-12-01", "08:00:00", "2026-12-01T13:00:00.000Z"],
    ["Pacific/Kiritimati", "2026-01-01", "00:00:00", "2025-12-31T10:00:00.000Z"],
  ])("in %s at %s %s", (zone, day, time, instant) => {
    expect(iso(instantOf(day, time, zone))).toBe(instant);
  });

  test.each([
    ["America/New_York", "2026-11-01", "01:30:00", "2026-11-01T05:30:00.000Z"],
    ["Europe/Berlin", "2026-10-25", "02:30:00", "2026-10-25T00:30:00.000Z"],
    ["America/Sao_Paulo", "2018-02-17", "23:30:00", "2018-02-18T01:30:00.000Z"],
    ["Australia/Lord_Howe", "2026-04-05", "01:45:00", "2026-04-04T14:45:00.000Z"],
  ])("in %s, where %s %s happens twice, is the first of both", (zone, day, time, instant) => {
    expect(iso(instantOf(day, time, zone))).toBe(instant);
  });

  test.each([
    ["America/New_York", "2026-03-08", "02:30:00", "2026-03-08T03:30:00-04:00"],
    ["Europe/Berlin", "2026-03-29", "02:30:00", "2026-03-29T03:30:00+02:00"],
    ["America/Sao_Paulo", "2018-11-04", "00:00:00", "2018-11-04T01:00:00-02:00"],
    ["America/Santiago", "2026-09-06", "00:00:00", "2026-09-06T01:00:00-03:00"],
    ["Africa/Cairo", "2026-04-24", "00:00:00", "2026-04-24T01:00:00+03:00"],
  ])("in %s, where %s %s is left out, is as long after the change", (zone, day, time, text) => {
    expect(isoWithOffset(instantOf(day, time, zone), zone)).toBe(text);
  });
});

/** All of Brazil's, and those whose changes are unusual: at midnight, by half an hour, far from UTC. */
const ZONES = [
  ...[
    "Sao_Paulo",
    "Manaus",
    "Rio_Branco",
    "Eirunepe",
    "Noronha",
    "Campo_Grande",
    "Cuiaba",
    "Belem",
  ],
  ...["Bahia", "Fortaleza", "Araguaina", "New_York", "Santiago", "Havana", "Asuncion", "St_Johns"],
].map((town) => `America/${town}`);
ZONES.push("Europe/Berlin", "Africa/Cairo", "Asia/Beirut", "Australia/Lord_Howe", "UTC");

test("every day begins on itself, one after the other without gap or overlap", () => {
  for (const zone of ZONES)
    for (const [first, count] of [
      ["2018-10-30", 8],
      ["2026-02-27", 3],
      ["2026-03-06", 26],
      ["2026-10-24", 10],
      ["2026-12-30", 4],
      ["2028-02-27", 4],
    ] as const) {
      let day: string = first;
      for (let at = 0; at < count; at += 1, day = addDays(day, 1)) {
        const start = instantOf(day, "00:00:00", zone);
        const wrong = `${zone} ${day} begins at ${isoWithOffset(start, zone)}`;
        expect(localDay(start, zone), wrong).toBe(day);
        expect(localDay(start - 1, zone), wrong).toBe(addDays(day, -1));
        expect(localTime(start, zone).time <= "01:00:00", wrong).toBe(true);
      }
    }
});

test.each([
  ["AC", "1200401", undefined, "America/Rio_Branco"],
  ["SP", "3550308", undefined, "America/Sao_Paulo"],
  ["AC", "1200401", "America/Manaus", "America/Manaus"],
])("an issuer of %s %s goes by its town's zone unless one is given", (uf, town, zone, expected) => {
  const issuer = Issuer.parse({
    ...{ emitente_id: "7d3f4e0a-3f6b-4c53-9a59-2c7f5c1e8b11", cnpj: "11222333000181" },
    ...{ razao: "Estúdio", town, uf, regime: "simples", zone },
  });
  expect(issuer.zone).toBe(expected);
});
