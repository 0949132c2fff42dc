import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { channels } from "../../src/channels/index.ts";
import { HmacSettings } from "../../src/engine/index.ts";

const raw = Buffer.from('{"wook":"RECEIVE_MESSAGE",  "content":"não"}');
const sign = (secret: string, algorithm = "sha256", encoding: "hex" | "base64" = "hex") =>
  createHmac(algorithm, secret).update(raw).digest(encoding);
const settings = (more: Partial<HmacSettings> = {}) =>
  HmacSettings.parse({ secrets: ["old-secret", "new-secret"], ...more });
const verify = (header: string, more: Partial<HmacSettings> = {}, body: Uint8Array = raw) =>
  channels["engine-a"].verify({ "X-Signature": header }, body, settings(more));

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
      channels["engine-a"].verify(headers, raw, settings());
    expect(check({})).toBe(false);
    expect(check({ "x-signature": [sign("new-secret"), sign("new-secret")] })).toBe(false);
  });
});
