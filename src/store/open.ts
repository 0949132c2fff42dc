/** Opens the store the settings ask for. */
import { randomBytes } from "node:crypto";
import { Fault } from "../base/index.ts";
import type { SqlFile } from "./embedded/file/sql-file.ts";
import type { Limits } from "./limits.ts";
import type { ContactId, Store } from "./port/port.ts";

export interface StoreOptions {
  /** `redis://`, `rediss://`, several comma-separated = Cluster, `redis+sentinel://…/NAME/0`. */
  readonly redisUrl?: string;
  /** Folder of the embedded store; used when there is no `redisUrl`. */
  readonly dataDir?: string;
  /**
   * Folder for what must be known of a Redis outside of it, so that an old backup is noticed. Without it a backup is not
   * noticed over a restart.
   */
  readonly marks?: string;
  /** `name:base64,…`: AES-256 key-encryption keys, the first one active. */
  readonly keys: string;
  /** Journal records kept per contact. */
  readonly journalLimit?: number;
  /** Partitions of a new Redis install; an existing one must have as many. Default 16. */
  readonly partitions?: number;
  /** Smaller bounds, for tests. */
  readonly limits?: Partial<Limits>;
}

/** A store in memory, gone with its program. */
export interface MemoryStore {
  /** Opens the same data again, as the next process does after a crash. */
  open(): Store;
  close(): void;
}

/** Databases whose stores were closed: to empty one costs less than to make one. */
const idle: SqlFile[] = [];
const IDLE_MAX = 4;

/** `now`: its time, ms. `contactId`: the names of new contacts, in the order in which they come. */
export async function memoryStore(of: {
  readonly now: () => number;
  readonly contactId: () => ContactId;
}): Promise<MemoryStore> {
  const { EmbeddedStore } = await import("./embedded/embedded-store.ts");
  const { SqlFile: File } = await import("./embedded/file/sql-file.ts");
  const { SCHEMA } = await import("./embedded/file/schema.ts");
  const file = idle.pop() ?? new File(undefined, SCHEMA);
  const keys = `memory:${randomBytes(32).toString("base64")}`;
  return {
    open: () => new EmbeddedStore({ memory: { ...of, file }, keys }),
    close: () => {
      if (idle.length >= IDLE_MAX) return file.close();
      file.empty();
      idle.push(file);
    },
  };
}

/**
 * Throws a Fault: `STORE_UNAVAILABLE` (no Redis), `STORE_LOCKED` (embedded file in use), `STORE_INCOMPATIBLE` (another
 * schema or partition count), `KEY_UNKNOWN` (the store was made with keys that are not given), `SETTING_INVALID`.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const limits = {
    ...(options.journalLimit === undefined ? {} : { journal: options.journalLimit }),
    ...options.limits,
  };
  const { redisUrl, dataDir, keys, partitions, marks } = options;
  // Only the store that is asked for is loaded, with its client or its binary.
  if (redisUrl !== undefined) {
    const { openRedisStore } = await import("./redis/redis-store.ts");
    return openRedisStore({
      url: redisUrl,
      keys,
      limits,
      ...(partitions === undefined ? {} : { partitions }),
      ...(marks === undefined ? {} : { marks }),
    });
  }
  if (dataDir !== undefined) {
    const { EmbeddedStore } = await import("./embedded/embedded-store.ts");
    return new EmbeddedStore({ folder: dataDir, keys, limits });
  }
  throw new Fault("SETTING_INVALID", "The store needs REDIS_URL or a data folder.");
}
