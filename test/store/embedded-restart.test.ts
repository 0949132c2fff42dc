/** What a restart of the embedded store settles at once, because only one process can have had the file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { beginAll, message, withEffects } from "./contract.ts";

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
  expect(await before.reap({ limit: 10, leaseMs: 60_000 })).toEqual([]);
  await before.close();

  const after = await openStore({ dataDir: folder, keys: KEYS });
  const reaped = await after.reap({ limit: 10, leaseMs: 60_000 });
  expect(reaped).toMatchObject([{ id: "cut-off", contact, attempt: 1 }]);
  expect(await after.reap({ limit: 10, leaseMs: 60_000 })).toEqual([]);
  await after.close();
});
