import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isKeyOf, nfeKey, nfseKey, readAccessKey } from "../../src/gateway/index.ts";

const NFSE = "21113002200574753000100000000000146726037032711025";

describe("reading a key", () => {
  test("takes a published key of a national service invoice apart", () => {
    expect(readAccessKey(NFSE)).toEqual({
      ok: true,
      key: {
        key: NFSE,
        kind: "nfse",
        issuer: "00574753000100",
        aamm: "2603",
        number: "1467",
        place: "2111300",
      },
    });
  });

  test.each([
    "15054862244827692000111000000000001625125368470067",
    "52060433009911002506550120000007800267301615",
    "3526050X0J92JY000196570010000000006041448679011",
    "35261112ABC34501DE35550010000000011123456785",
    "35503082212ABC34501DE35000000000000126111234567891",
  ])("accepts the published or worked key %s", (key) => {
    const expected = key.length === 44 || key.length === 50;
    expect(readAccessKey(key).ok).toBe(expected);
  });

  test("tolerates prefix, spaces and lower case", () => {
    expect(readAccessKey(`NFS ${NFSE.match(/.{1,4}/g)?.join(" ")}`)).toMatchObject({ ok: true });
    expect(readAccessKey("35503082212abc34501de35000000000000126111234567891").ok).toBe(true);
  });

  test("says what is wrong", () => {
    expect(readAccessKey(NFSE.slice(1))).toEqual({ ok: false, reason: "length" });
    expect(readAccessKey(`${NFSE.slice(0, 49)}6`)).toEqual({ ok: false, reason: "check-digit" });
    expect(readAccessKey(`9${NFSE.slice(1)}`)).toEqual({ ok: false, reason: "form" });
    expect(readAccessKey(NFSE.replace("2603", "2613"))).toEqual({ ok: false, reason: "form" });
  });
});

describe("making a key", () => {
  test("any parts give a key that reads back to them", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("11222333000181", "12ABC34501DE35", "52998224725"),
        fc.integer({ min: 1, max: 9_999_999_999_999 }),
        fc.stringMatching(/^\d{9}$/),
        (issuer, number, random) => {
          const key = nfseKey({
            town: "3550308",
            generator: 2,
            issuer,
            number,
            emitted: "2026-11-21",
            random,
          });
          expect(key).toHaveLength(50);
          expect(readAccessKey(key)).toMatchObject({
            ok: true,
            key: { issuer, number: String(number), aamm: "2611", place: "3550308" },
          });
        },
      ),
    );
  });

  test("the 44-position form, with letters too", () => {
    const key = nfeKey({
      place: "35",
      emitted: "2026-11",
      issuer: "12ABC34501DE35",
      model: "55",
      series: 1,
      number: 1,
      emission: 1,
      code: "12345678",
    });
    expect(key).toBe("35261112ABC34501DE35550010000000011123456785");
  });

  test("parts that cannot make a key are a programming error", () => {
    const parts = {
      town: "3550308",
      generator: 2,
      issuer: "11222333000181",
      number: 1,
      emitted: "2026-11-21",
    } as const;
    expect(() => nfseKey({ ...parts, random: "12" })).toThrow(TypeError);
    expect(() => nfseKey({ ...parts, issuer: "1", random: "123456789" })).toThrow(TypeError);
  });
});

describe("checking a claimed key", () => {
  const expected = { issuer: "00574753000100", aamm: ["2602", "2603"], town: "2111300" };

  test("accepts the issuer, month and town of the note", () => {
    expect(isKeyOf(NFSE, expected)).toBe(true);
  });

  test.each([
    ["another issuer", { ...expected, issuer: "11222333000181" }],
    ["another month", { ...expected, aamm: ["2604"] }],
    ["another town", { ...expected, town: "3550308" }],
  ])("refuses %s", (_name, other) => expect(isKeyOf(NFSE, other)).toBe(false));
});
