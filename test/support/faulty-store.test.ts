/** The store with death in it: which steps it counts, and of which collection. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { faulty } from "./faulty-store.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
const SLEEP_MS = 120;

test.each(["before", "after"] as const)(
  "a document is taken out at a place of its collection, and it stops %s it",
  async (side) => {
    const folder = mkdtempSync(path.join(tmpdir(), "prosa-faulty-"));
    const real = await openStore({ dataDir: folder, keys: KEYS });
    try {
      const { store } = faulty(real, {
        ...{ point: `documents.remove:${side}`, of: "uncertain", nth: 2, sleepMs: SLEEP_MS },
      });
      const took = async (collection: string, id: string): Promise<number> => {
        await store.documents.put(collection, id, { at: 1 });
        const from = performance.now();
        await store.documents.remove(collection, id);
        return performance.now() - from;
      };
      expect(await took("uncertain", "a")).toBeLessThan(SLEEP_MS);
      expect(await took("files", "b")).toBeLessThan(SLEEP_MS);
      expect(await took("uncertain", "c")).toBeGreaterThanOrEqual(SLEEP_MS - 5);
    } finally {
      await real.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test("what is written about the house counts only once there was work", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "prosa-faulty-"));
  const real = await openStore({ dataDir: folder, keys: KEYS });
  try {
    const { store } = faulty(real, {
      point: "documents.put:before",
      of: "audit",
      sleepMs: SLEEP_MS,
    });
    const put = async (): Promise<number> => {
      const from = performance.now();
      await store.documents.put("audit", "a", { at: 1 });
      return performance.now() - from;
    };
    expect(await put()).toBeLessThan(SLEEP_MS);
    // A look that finds nothing is no work.
    await store.mail.claim({ owner: "w", contacts: 1, events: 1, leaseMs: 1_000 });
    expect(await put()).toBeLessThan(SLEEP_MS);
    await store.mail.accept([{ account: "demo", contact: "c", event: "e1", mail: {} }]);
    expect(await put()).toBeGreaterThanOrEqual(SLEEP_MS - 5);
  } finally {
    await real.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
