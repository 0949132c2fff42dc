/** Reading company certificates: every form that exists, and nothing that a file asks for beyond that. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { fitting } from "../../../../src/plugins/invoicing/certificates/certificates.ts";
import { readPfx } from "../../../../src/plugins/invoicing/certificates/pfx.ts";
import { PFX_LIMIT_BYTES } from "../../../../src/plugins/invoicing/certificates/pfx-reading.ts";
import { PfxReader } from "../../../../src/plugins/invoicing/certificates/pfx-reader.ts";
import { pfx, type PfxOptions } from "../../../sandbox/certificates.ts";
import { hasOpenssl, opensslPfx } from "./openssl.ts";

const CNPJ = "11222333000181";
const LETTERS = "12ABC34501DE35";
const FROM = Date.UTC(2026, 0, 1);
const UNTIL = Date.UTC(2027, 10, 20);
const made = (options: Partial<PfxOptions> = {}) =>
  Buffer.from(
    pfx({ cnpj: CNPJ, password: "segredo", from: FROM, until: UNTIL, ...options }),
    "base64",
  );

/** Every place where these bytes stand, as others of the same length. */
function changed(file: Buffer, from: string, to: string): Buffer {
  const hex = file.toString("hex");
  expect(hex).toContain(from);
  return Buffer.from(hex.replaceAll(from, to), "hex");
}

test.each([
  ["the old form, RC2 and 3DES", { form: "legacy", in: "name" }],
  ["the old form with the CNPJ among the names", { form: "legacy", in: "alternative" }],
  ["today's form, AES", { form: "modern", in: "name" }],
  ["a CNPJ with letters", { form: "modern", in: "alternative", cnpj: LETTERS }],
  ["a password with accents, old form", { form: "legacy", password: "São João ç" }],
  ["a password with accents, today's form", { form: "modern", password: "São João ç" }],
] as const)("%s: the company and its time are read", (_name, options) => {
  const { cnpj, password } = { cnpj: CNPJ, password: "segredo", ...options };

  expect(readPfx(made(options), password)).toEqual({
    ok: true,
    facts: { cnpj, holder: "EMPRESA DE TESTE LTDA", from: FROM, until: UNTIL },
  });
  expect(readPfx(made(options), `${password} `)).toEqual({ ok: false, reason: "password" });
});

const OPENSSL: readonly (readonly [string, "rsa" | "ec", readonly string[]])[] = [
  ["OpenSSL's default", "rsa", []],
  ["OpenSSL's old form", "rsa", ["-legacy"]],
  ["a key on an elliptic curve", "ec", []],
  ["a seal of SHA-512 and very many rounds", "rsa", ["-macalg", "sha512", "-iter", "12000"]],
  ["a file without a seal", "rsa", ["-nomac"]],
];
test.each(hasOpenssl ? OPENSSL : [])("%s is read", (_name, key, options) => {
  const file = opensslPfx({ cnpj: LETTERS, password: "açaí 1", key, options });

  expect(readPfx(file, "açaí 1")).toMatchObject({
    ok: true,
    facts: { cnpj: LETTERS, holder: "PADARIA SAO JOAO LTDA" },
  });
  // Without a seal nobody can tell a wrong password from a form that is not known.
  const reason = options.includes("-nomac") ? "unsure" : "password";
  expect(readPfx(file, "acai 1")).toEqual({ ok: false, reason });
});

test("a form that cannot be read is never called a wrong password", () => {
  // A cipher that nobody knows, under a good seal: only the seal can say that the password is wrong.
  const otherCipher = made({ form: "legacy", cipher: "1.2.840.113549.1.12.1.99" });
  expect(readPfx(otherCipher, "segredo")).toEqual({ ok: false, reason: "unsupported" });
  expect(readPfx(otherCipher, "errada")).toEqual({ ok: false, reason: "password" });

  // A seal by a digest that does not exist says nothing at all.
  const otherSeal = changed(made({ form: "legacy" }), "06052b0e03021a", "06052b0e03027a");
  expect(readPfx(otherSeal, "segredo")).toEqual({ ok: false, reason: "unsupported" });
  expect(readPfx(otherSeal, "errada")).toEqual({ ok: false, reason: "unsupported" });
});

test("a person's certificate, another company's and one out of its time are each told apart", () => {
  expect(readPfx(made({ cnpj: "52998224725" }), "segredo")).toEqual({
    ok: false,
    reason: "person",
  });

  const reading = readPfx(made(), "segredo");
  const day = 86_400_000;
  const reason = (cnpj: string, now: number) => {
    const fits = fitting(reading, cnpj, now);
    return fits.ok ? "ok" : fits.reason;
  };
  expect(reason(CNPJ, FROM + day)).toBe("ok");
  // Branches share the certificate of their head office.
  expect(reason("11222333000262", FROM + day)).toBe("ok");
  expect(reason("11444777000161", FROM + day)).toBe("other-company");
  expect(reason(CNPJ, UNTIL)).toBe("expired");
  expect(reason(CNPJ, FROM - day)).toBe("not-yet");
});

test("what is no PFX, or only the beginning of one, is unreadable", () => {
  const file = made();
  const others = [
    Buffer.alloc(0),
    Buffer.from("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"),
    Buffer.from("%PDF-1.7"),
    Buffer.from("30820000", "hex"),
    file.subarray(0, 40),
  ];
  for (const other of others)
    expect(readPfx(other, "segredo")).toEqual({ ok: false, reason: "unreadable" });
  expect(readPfx(Buffer.alloc(PFX_LIMIT_BYTES + 1), "x")).toEqual({
    ok: false,
    reason: "too-large",
  });
});

test("every broken byte gives an answer, and none an exception", () => {
  const file = made({ form: "legacy" });
  for (let at = 0; at < file.length; at += Math.ceil(file.length / 60)) {
    const broken = Buffer.from(file);
    broken[at] = (broken[at] ?? 0) ^ 0xff;
    expect(() => readPfx(broken, "segredo"), `byte ${at}`).not.toThrow();
  }
});

test("a file that asks for a billion rounds, or nests without end, costs nothing", async () => {
  expect(readPfx(made({ rounds: 1_000_000_000 }), "segredo")).toEqual({
    ok: false,
    reason: "unsupported",
  });
  // A sequence in a sequence, 20,000 times.
  let nested = Buffer.from([0x05, 0x00]);
  const heads: Buffer[] = [];
  for (let depth = 0, length = 2; depth < 20_000 && length < PFX_LIMIT_BYTES - 8; depth++) {
    const head = Buffer.from([0x30, 0x83, (length >> 16) & 255, (length >> 8) & 255, length & 255]);
    heads.unshift(head);
    length += head.length;
  }
  nested = Buffer.concat([...heads, nested]);
  const reading = await new PfxReader().read(nested, "x");
  expect(reading.ok ? "ok" : reading.reason).toMatch(/^(?:unreadable|unsupported)$/);
});

test("a thread reads it, several wait for each other, and too many are told to come again", async () => {
  const reader = new PfxReader({ waiting: 1 });
  const file = made();
  const all = await Promise.all(
    Array.from({ length: 5 }, (_, index) => reader.read(file, index < 2 ? "segredo" : "errada")),
  );

  expect(all.filter(({ ok }) => ok)).toHaveLength(2);
  expect(all.filter((one) => !one.ok && one.reason === "busy")).toHaveLength(2);
  const slow = await new PfxReader({ readMs: 1 }).read(file, "segredo");
  expect(slow).toEqual({ ok: false, reason: "too-slow" });
});

test("this Node reads them without OpenSSL's own legacy provider", () => {
  // Node's own reader is the one that cannot: that is why the library is there.
  const script = `require("node:tls").createSecureContext({ pfx: require("fs").readFileSync(0), passphrase: "segredo" })`;
  const own = spawnSync(process.execPath, ["-e", script], { input: made({ form: "legacy" }) });

  expect(own.status).not.toBe(0);
  expect(readPfx(made({ form: "legacy" }), "segredo").ok).toBe(true);
});
