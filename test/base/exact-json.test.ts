import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseExact } from "../../src/base/index.ts";

describe("JSON whose numbers may be ids", () => {
  test.each([
    ['{"id":9007199254740993}', { id: "9007199254740993" }],
    ['{"id":9007199254740992}', { id: "9007199254740992" }],
    ['{"id": -9007199254740993 }', { id: "-9007199254740993" }],
    ["[18446744073709551615,1]", ["18446744073709551615", 1]],
    ["9223372036854775807", "9223372036854775807"],
    ['{"id":1.8446744073709551615e19}', { id: "1.8446744073709551615e19" }],
    ['{"id":1E400}', { id: "1E400" }],
    ['{"id":9007199254740993.0}', { id: "9007199254740993.0" }],
    [
      '{"chave":35261111222333000181550010000000011000000017000000}',
      { chave: "35261111222333000181550010000000011000000017000000" },
    ],
  ])("a number beyond 2^53 is the text it was written as: %s", (text, value) => {
    expect(parseExact(text)).toEqual(value);
  });

  test.each([
    '{"id":9007199254740991,"at":1764547200000000,"value":150.10}',
    '{"rate":0.30000000000000004,"small":1e3,"less":-0,"pi":3.14159265358979312}',
    '{"text":"id 9007199254740993, \\"9007199254740993\\" \\\\","more":"1e99 \\\\\\""}',
    '{"9007199254740993":"9007199254740993"}',
  ])("all else stays what JSON.parse gives: %s", (text) => {
    expect(parseExact(text)).toEqual(JSON.parse(text));
  });

  test.each([
    "{9007199254740993:1}",
    "{9007199254740993 :1}",
    "0009007199254740993",
    "9007199254740993.",
    "9007199254740993e",
    "--9007199254740993",
    "9007199254740993 9007199254740993",
    '"9007199254740993',
    '{"id":9007199254740993"}',
    "+9007199254740993",
    "[9007199254740993,]",
  ])("what is no JSON stays none: %s", (text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(() => parseExact(text)).toThrow(SyntaxError);
  });

  test("whatever the ids, they come back as they were, beside any text", () => {
    const id = fc.bigInt({ min: 2n ** 53n, max: 2n ** 200n });
    fc.assert(
      fc.property(id, fc.jsonValue({ depthSize: "small" }), fc.boolean(), (big, beside, less) => {
        const digits = `${less ? "-" : ""}${big}`;
        const text = `{"a":${JSON.stringify(beside)},"id":${digits},"z":[${digits}]}`;
        expect(parseExact(text)).toMatchObject({ id: digits, z: [digits] });
      }),
    );
  });

  test("reads a million characters in time that grows with their number", () => {
    const before = process.cpuUsage();
    const size = 1024 * 1024;
    for (const text of ["9", "\\", '"', "-", "1e1", "1 "].map((one) =>
      one.repeat(size / one.length),
    ))
      expect(() => parseExact(`{"id":1e99,"x":${text}:`)).toThrow(SyntaxError);
    // It takes 0.2 s of a processor; with the square of the number it would take a quarter of an hour.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });
});
