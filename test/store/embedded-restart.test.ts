/** What a restart of the embedded store settles at once, because only one process can have had the file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { memoryStore, openStore } from "../../src/store/index.ts";
import {
  accept,
  ACCOUNT,
  beginAll,
  claimOne,
  message,
  newContact,
  withEffects,
} from "./contract.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "prosa-embedded-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a send that a dead process had in flight is judged when the file is opened, not after its lease", async () => {
  const before = await openStore({ dataDir: folder, keys: KEYS });
  const contact = await withEffects(before, [message("cut-off")]);
  expect(await beginAll(before)).toHaveLength(1);
  expect(await before.effects.reap({ limit: 10, leaseMs: 60_000 })).toEqual([]);
  await before.close();

  const after = await openStore({ dataDir: folder, keys: KEYS });
  const reaped = await after.effects.reap({ limit: 10, leaseMs: 60_000 });
  expect(reaped).toMatchObject([{ id: "cut-off", contact, attempt: 1 }]);
  expect(await after.effects.reap({ limit: 10, leaseMs: 60_000 })).toEqual([]);
  await after.close();
});

test("mail that a dead process had claimed is claimed again when the file is opened", async () => {
  const before = await openStore({ dataDir: folder, keys: KEYS });
  const contact = await newContact(before);
  await accept(before, contact, "m1");
  const lost = await claimOne(before);
  await before.close();

  const after = await openStore({ dataDir: folder, keys: KEYS });
  const again = await claimOne(after);
  expect(again).toMatchObject({ contact, failedClaims: 1 });
  expect(again.epoch).toBeGreaterThan(lost.epoch);
  await after.close();
});

test("a store in memory is found again by the next process, with its own time and names, and empty once closed", async () => {
  let now = 1_000;
  const own = { now: () => now, contactId: () => "c1" };
  const memory = await memoryStore(own);
  expect(await memory.open().contacts.identify(ACCOUNT, ["phone:1"])).toBe("c1");
  now += 5;
  const next = memory.open();
  expect(await next.now()).toBe(1_005);
  expect(await next.contacts.lookup(ACCOUNT, "phone:1")).toBe("c1");
  memory.close();

  const other = await memoryStore(own);
  expect(await other.open().contacts.lookup(ACCOUNT, "phone:1")).toBeNull();
  other.close();
});
