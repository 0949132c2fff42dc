import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifySignature, isTimely } from "../../src/channels/index.ts";
import { HmacSettings } from "../../src/engine/index.ts";

const raw = Buffer.from('{"wook":"RECEIVE_MESSAGE",  "content":"não"}');
const sign = (secret: string, algorithm = "sha256", encoding: "hex" | "base64" = "hex") =>
  createHmac(algorithm, secret).update(raw).digest(encoding);
const settings = (more: Partial<HmacSettings> = {}) =>
  HmacSettings.parse({ secrets: ["old-secret", "new-secret"], ...more });
const verify = (header: string, more: Partial<HmacSettings> = {}, body: Uint8Array = raw) =>
  verifySignature({ "X-Signature": header }, body, settings(more));

describe("a signature over the raw bytes", () => {
  test("is good by any active secret, and by no other", () => {
    expect(verify(sign("old-secret"))).toBe(true);
    expect(verify(sign("new-secret").toUpperCase())).toBe(true);
    expect(verify(sign("stolen"))).toBe(false);
  });

  test("takes algorithm, encoding and prefix from the settings only", () => {
    expect(
      verify(sign("new-secret", "sha512", "base64"), { algorithm: "sha512", encoding: "base64" }),
    ).toBe(true);
    expect(verify(sign("new-secret", "sha512"))).toBe(false);
    expect(verify(`sha256=${sign("new-secret")}`, { prefix: "sha256=" })).toBe(true);
    expect(verify(sign("new-secret"), { prefix: "sha256=" })).toBe(false);
  });

  test("breaks with one byte of the body changed, even white space", () => {
    const spaced = Buffer.from(raw.toString().replace(",  ", ", "));
    expect(verify(sign("new-secret"), {}, spaced)).toBe(false);
  });

  test.each(["", "zz", "a".repeat(64), sign("new-secret").slice(2), "0".repeat(100_000)])(
    "is refused when it is no signature (%#)",
    (header) => {
      expect(verify(header)).toBe(false);
    },
  );

  test("is refused when the header is missing or doubled", () => {
    const check = (headers: Record<string, readonly string[]>) =>
      verifySignature(headers, raw, settings());
    expect(check({})).toBe(false);
    expect(check({ "x-signature": [sign("new-secret"), sign("new-secret")] })).toBe(false);
  });
});

describe("the age of what was signed", () => {
  const NOW = 1_795_262_400_000;
  const timed = (timestamp: HmacSettings["timestamp"]) => settings({ timestamp });
  const inHeader = { header: "X-Sent-At", toleranceSeconds: 300 };
  const timely = (stated: string | undefined, tolerance = inHeader) =>
    isTimely(stated === undefined ? {} : { "x-sent-at": stated }, {}, timed(tolerance), NOW);

  test("is not looked at unless the account asks for it", () => {
    expect(isTimely({}, {}, settings(), NOW)).toBe(true);
  });

  test("counts to both sides, in seconds, milliseconds or as a date", () => {
    for (const good of ["1795262400", "1795262400000", "2026-11-21T09:00:00-03:00", "1795262100"])
      expect(timely(good), good).toBe(true);
    for (const bad of ["1795262099", "1795262701", "2026-11-21T08:00:00-03:00"])
      expect(timely(bad), bad).toBe(false);
  });

  test.each([undefined, "", "soon", "NaN", "-1", "99999999999999999999", "0"])(
    "%s is no time",
    (stated) => {
      expect(timely(stated)).toBe(false);
    },
  );

  test("may stand in a field of the body, where the signature covers it", () => {
    const field = timed({ field: "data.t", toleranceSeconds: 60 });
    expect(isTimely({}, { data: { t: 1_795_262_390 } }, field, NOW)).toBe(true);
    expect(isTimely({}, { data: { t: 1_795_262_000 } }, field, NOW)).toBe(false);
    expect(isTimely({}, { "data.t": 1_795_262_390 }, field, NOW)).toBe(false);
    expect(isTimely({ "data.t": "1795262390" }, null, field, NOW)).toBe(false);
  });

  test("in a header it is covered where the sender signs it together with the body", () => {
    const both = timed({ ...inHeader, joinedBy: "." });
    const mac = createHmac("sha256", "new-secret").update("1795262400.").update(raw).digest("hex");
    const check = (sent: string) =>
      verifySignature({ "x-signature": mac, "x-sent-at": sent }, raw, both);
    expect(check("1795262400")).toBe(true);
    expect(check("1795262460")).toBe(false);
  });

  test("cannot be asked for in two places, nor signed together where it is part of the body", () => {
    const bad = (timestamp: object) =>
      HmacSettings.safeParse({ secrets: ["s"], timestamp }).success;
    expect(bad({ header: "a", field: "b" })).toBe(false);
    expect(bad({})).toBe(false);
    expect(bad({ field: "b", joinedBy: "." })).toBe(false);
    expect(bad({ header: "a" })).toBe(true);
  });
});
