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
import { Fault } from "../../base/index.ts";
import { openStore } from "../../store/index.ts";
import type { Store } from "../../store/port/port.ts";
import type { Keys } from "../../worker/index.ts";
import type { Settings } from "../settings.ts";

/** Journal records kept per contact: ten slim ones on Redis, all of a long session on the developer's disk. */
const JOURNAL_REDIS = 10;
const JOURNAL_EMBEDDED = 200;

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
  return openStore({
    keys: keysOf(settings),
    journalLimit: settings.redisUrl ? JOURNAL_REDIS : JOURNAL_EMBEDDED,
    ...(settings.redisUrl
      ? { redisUrl: settings.redisUrl, marks: settings.dataDir }
      : { dataDir: settings.dataDir }),
  });
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
