/** The keeper of a rotation: over a real store, with the entry that is new and the one that goes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore, type KeyCensus, type Store } from "../../../src/store/index.ts";
import { createKeyKeeper } from "../../../src/worker/index.ts";
import { until } from "../../sandbox/stage.ts";
import { newContact } from "../../store/contract.ts";

const key = (kid: string, byte: number) => `${kid}:${Buffer.alloc(32, byte).toString("base64")}`;
const [OLD, NEW] = [key("old", 7), key("new", 9)];

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "prosa-keeper-"));
  const before = await openStore({ dataDir: folder, keys: OLD });
  await newContact(before);
  await before.documents.put("accounts", "demo", { name: "Demo" });
  await before.close();
  store = await openStore({ dataDir: folder, keys: `${NEW},${OLD}` });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs one until it has counted. */
async function counted(first: string): Promise<{ census: KeyCensus; said: string[] }> {
  const told: KeyCensus[] = [];
  const said: string[] = [];
  const quiet = () => undefined;
  const log = {
    debug: quiet,
    info: (_: object, text: string) => said.push(text),
    warn: quiet,
    error: quiet,
  };
  const keeper = createKeyKeeper({
    ...{ store, log, first, firstMs: 5 },
    counted: (census) => told.push(census),
  });
  keeper.start();
  const census = await until(async () => told[0]);
  await keeper.stop();
  return { census, said };
}
const keysOf = (census: KeyCensus, name: string) =>
  census.entries.find(({ entry }) => entry === name)?.keys ?? 0;

test("wraps anew what nobody uses, until the old entry wraps nothing, and says so", async () => {
  expect(keysOf(await store.census(), "old")).toBeGreaterThan(0);

  const { census, said } = await counted("new");

  expect(keysOf(census, "old")).toBe(0);
  expect(keysOf(census, "new")).toBeGreaterThan(1);
  expect(said).toEqual(["all data keys are wrapped by the first entry of PROSA_KEYS"]);
});

test("only counts while another entry is the active one: it would wrap the wrong way", async () => {
  const before = keysOf(await store.census(), "old");

  const { census, said } = await counted("of-tomorrow");

  expect(keysOf(census, "old")).toBe(before);
  expect(said).toEqual([]);
});
