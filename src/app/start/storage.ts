/** The store these settings ask for, with its keys. */
import { createHmac, randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { Gauge, type Registry } from "prom-client";
import { Fault } from "../../base/index.ts";
import {
  JOURNAL_DEVELOPMENT,
  JOURNAL_PRODUCTION,
  KeyRing,
  openStore,
  type Store,
} from "../../store/index.ts";
import { createKeyKeeper, type Keys, type Log } from "../../worker/index.ts";
import type { Settings } from "../settings.ts";

/** `PROSA_KEYS`, or the key made at the first start and kept in the data folder, readable by its owner only. */
export function keysOf(settings: Settings): string {
  if (settings.keys !== undefined) return settings.keys;
  const file = path.join(settings.dataDir, "keys");
  if (!existsSync(file)) makeKeys(file);
  return readFileSync(file, "utf8").trim();
}

/** Whole or not at all, and by one process only: of two that start at once, the second uses the key of the first. */
function makeKeys(file: string): void {
  const made = `${file}.${process.pid}`;
  writeFileSync(made, `local:${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  try {
    linkSync(made, file);
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  } finally {
    rmSync(made);
  }
}

/** Makes the data folder. Step by step: where a folder cannot be, Node's recursive form may try for ever (`/proc`). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

function checkDataDir(folder: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Fault("SETTING_INVALID", "PROSA_DATA_DIR must be a folder that can be written to.", {
      cause: error,
    });
  }
}

/** Throws `SETTING_INVALID` for a data folder that cannot be written, and what opening the store throws. */
export async function openConfiguredStore(settings: Settings): Promise<Store> {
  checkDataDir(settings.dataDir);
  const { redisUrl, dataDir } = settings;
  const keys = keysOf(settings);
  // Ten slim records of a contact on Redis, all of a long session on the developer's disk.
  if (redisUrl)
    return openStore({ keys, journalLimit: JOURNAL_PRODUCTION, redisUrl, marks: dataDir });
  return openStore({ keys, journalLimit: JOURNAL_DEVELOPMENT, dataDir });
}

/** Throws `SETTING_INVALID` where people are to be served: a store that throws away what it accepted is no store. */
export async function refuseEviction(store: Store, { demo }: Settings): Promise<void> {
  const { evicts, sentence } = await store.info();
  if (evicts !== undefined && !demo) throw new Fault("SETTING_INVALID", sentence);
}

/**
 * Hashes business keys and echoes by a secret of this installation. It never rotates: business keys made before a rotation must
 * still meet.
 */
export async function stableKeys(store: Store): Promise<Keys> {
  const made = { secret: randomBytes(32).toString("base64") };
  await store.documents.put("meta", "hash-key", made, 0);
  const kept = await store.documents.get("meta", "hash-key");
  const secret = kept?.value["secret"];
  if (typeof secret !== "string")
    throw new Fault("STORE_INCOMPATIBLE", "The store has no key for hashes.");
  const key = Buffer.from(secret, "base64");
  return { hash: (text) => createHmac("sha256", key).update(text).digest("hex").slice(0, 32) };
}

/**
 * During a rotation of `PROSA_KEYS`, when there is more than one entry: wraps anew what nobody uses, and shows on the metrics page
 * what is left to do. Answers what ends it.
 */
export function keepKeys(
  settings: Settings,
  of: { readonly store: Store; readonly log: Log; readonly registry: Registry },
): () => Promise<void> {
  const { entries, active: first } = new KeyRing(keysOf(settings));
  if (entries.length < 2) return async () => undefined;
  // Names of entries are settings, no secrets.
  const gauge = new Gauge({
    name: "prosa_data_keys",
    help: "Data keys by the entry of PROSA_KEYS that wraps them, counted while there is more than one",
    labelNames: ["entry"],
    registers: [of.registry],
  });
  const keeper = createKeyKeeper({
    store: of.store,
    log: of.log,
    first,
    counted: (census) => {
      for (const { entry, keys } of census.entries) gauge.set({ entry }, keys);
    },
  });
  keeper.start();
  return () => keeper.stop();
}
