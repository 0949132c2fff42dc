/** Event ids of whoever fell silent leave the embedded file after their eight days, a slice at a time, and none before. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openStore, type Store } from "../../src/store/index.ts";
import { Base } from "../../src/store/embedded/file/base.ts";
import { OldIds } from "../../src/store/embedded/contacts/old-ids.ts";
import { SCHEMA } from "../../src/store/embedded/file/schema.ts";
import { SqlFile } from "../../src/store/embedded/file/sql-file.ts";
import { LIMITS } from "../../src/store/limits.ts";
import { KeyRing } from "../../src/store/sealing/seal.ts";
import { Listeners, type Work } from "../../src/store/listeners.ts";
import { accept, ACCOUNT } from "./contract.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
const DAY = 86_400_000;
/** Between two slices. */
const SLICE_MS = 10_000;

let folder: string;
let store: Store;
let now: number;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "prosa-ids-"));
  store = await openStore({ dataDir: folder, keys: KEYS });
  now = Date.now();
  vi.spyOn(Date, "now").mockImplementation(() => now);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await store.close().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
});

const tick = (after: number) => {
  now += after;
  return store.mail.tick({ offsetMs: 0, limit: 10 });
};
const contact = (number: number) => store.contacts.identify(ACCOUNT, [`phone:55119${number}`]);

/** What lies in the file: ids, and what each contact's own count says. */
async function ids() {
  await store.close();
  const file = new SqlFile(folder, "");
  const one = (sql: string) => file.get<{ n: number }>(sql)?.n ?? 0;
  const found = {
    rows: one("SELECT COUNT(*) AS n FROM dedupe"),
    counted: one("SELECT SUM(ids) AS n FROM contact"),
  };
  file.close();
  store = await openStore({ dataDir: folder, keys: KEYS });
  return found;
}

test("A silent contact's ids are forgotten once they are eight days old, and the message would be taken again", async () => {
  const silent = await contact(1);
  for (const event of ["a", "b", "c"]) await accept(store, silent, "oi", event);
  await tick(8 * DAY - 1);
  expect(await accept(store, silent, "oi", "a")).toBe("duplicate");
  expect(await ids()).toEqual({ rows: 3, counted: 3 });
  await tick(1 + SLICE_MS);
  expect(await ids()).toEqual({ rows: 0, counted: 0 });
  expect(await accept(store, silent, "oi", "a")).toBe("new");
});

test("Only what is old goes, of whomever", async () => {
  const both = [await contact(1), await contact(2)];
  for (const one of both) await accept(store, one, "oi", "old");
  now += 5 * DAY;
  for (const one of both) await accept(store, one, "oi", "young");
  await tick(3 * DAY + 1);
  expect(await ids()).toEqual({ rows: 2, counted: 2 });
  for (const one of both) expect(await accept(store, one, "oi", "young")).toBe("duplicate");
});

test("A slice is bounded, and the next goes on where it ended, round and round", () => {
  const file = new SqlFile(path.join(folder, "apart"), SCHEMA);
  const base = new Base({
    file,
    ring: new KeyRing(KEYS),
    limits: LIMITS,
    wake: new Listeners<Work>(),
  });
  const oldIds = new OldIds(base);
  const rows = () => file.get<{ n: number }>("SELECT COUNT(*) AS n FROM dedupe")?.n;
  const fill = (contacts: number, each: number) => {
    file.run("BEGIN");
    for (let number = 0; number < contacts; number++) {
      const id = `c${String(number).padStart(5, "0")}`;
      file.run(
        "INSERT OR REPLACE INTO contact (id, account, dkey, ids) VALUES (?, 'a', '', ?)",
        ...[id, each],
      );
      for (let event = 0; event < each; event++)
        file.run("INSERT INTO dedupe (contact, event, at) VALUES (?, ?, ?)", id, `e${event}`, now);
    }
    file.run("COMMIT");
  };
  const slice = (after: number) => {
    now += after;
    file.run("BEGIN");
    const place = oldIds.forget();
    file.run("COMMIT");
    oldIds.wentTo(place);
    return rows();
  };
  // Two contacts have 1,800 of the 2,000 ids that a slice may hold.
  fill(5, 900);
  expect(slice(9 * DAY)).toBe(2_700);
  expect(slice(1)).toBe(2_700);
  expect(slice(SLICE_MS)).toBe(900);
  expect(slice(SLICE_MS)).toBe(0);
  // Many contacts bound it as well.
  fill(1_100, 1);
  expect([slice(9 * DAY), slice(SLICE_MS), slice(SLICE_MS)]).toEqual([600, 100, 0]);
  // One who has more alone is a slice, and nobody waits behind them for ever.
  fill(2, 2_500);
  expect([slice(9 * DAY), slice(SLICE_MS)]).toEqual([2_500, 0]);
  file.close();
});

test("A slice that was not written is made again", () => {
  const file = new SqlFile(path.join(folder, "apart"), SCHEMA);
  const base = new Base({
    file,
    ring: new KeyRing(KEYS),
    limits: LIMITS,
    wake: new Listeners<Work>(),
  });
  const oldIds = new OldIds(base);
  file.run("INSERT INTO contact (id, account, dkey, ids) VALUES ('c', 'a', '', 1)");
  file.run("INSERT INTO dedupe (contact, event, at) VALUES ('c', 'e', ?)", now - 9 * DAY);
  const rows = () => file.get<{ n: number }>("SELECT COUNT(*) AS n FROM dedupe")?.n;
  file.run("BEGIN");
  oldIds.forget();
  expect(rows()).toBe(0);
  file.run("ROLLBACK");
  expect(rows()).toBe(1);
  oldIds.forget();
  expect(rows()).toBe(0);
  file.close();
});
