/** What doctor says of a store: how durable it is, and whether it threw something away. */
import { expect, test } from "vitest";
import { storeFinding } from "../../src/app/operator/doctor.ts";

const redis = {
  kind: "redis",
  version: "7.2.4",
  durability: "D1",
  sentence: "It is safe.",
  fix: "set appendfsync always",
} as const;

test("one that lost nothing is right", () => {
  const found = "redis 7.2.4: It is safe.";
  expect(storeFinding({ ...redis, evicted: 0 })).toMatchObject({ ok: true, found });
});

test("keys that were thrown away are a fault, also where the policy was mended since", () => {
  const said = storeFinding({ ...redis, evicted: 95 });
  expect(said).toMatchObject({ ok: false });
  expect(said.found).toMatch(/^redis 7\.2\.4: It is safe\. It threw 95 keys away/);
  expect(said.fix).toMatch(/CONFIG RESETSTAT/);
});

test("a policy that still evicts is mended first", () => {
  const fix = "set maxmemory-policy noeviction";
  const evicting = { ...redis, durability: "D0", evicts: "allkeys-lru", fix } as const;
  expect(storeFinding({ ...evicting, evicted: 3 })).toMatchObject({ ok: false, fix });
});
