/** Opens the store the settings ask for. */
import { Fault } from "../base/index.ts";
import type { Limits } from "./limits.ts";
import type { Store } from "./port/port.ts";

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
  /** `kid:base64,…`: AES-256 key-encryption keys, the first one active. */
  readonly keys: string;
  /** Journal records kept per contact. */
  readonly journalLimit?: number;
  /** Partitions of a new Redis install; an existing one must have as many. Default 16. */
  readonly partitions?: number;
  /** Smaller bounds, for tests. */
  readonly limits?: Partial<Limits>;
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
      ...{ url: redisUrl, keys, limits },
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
