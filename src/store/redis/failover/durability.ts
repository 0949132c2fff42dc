/** How durable this Redis is, as read at start and told to people; and the wait for replicas where they are required. */
import { Cluster, type Redis } from "ioredis";
import type { StoreInfo } from "../../port/port.ts";
import type { Client } from "../connection/client.ts";
import { Fault } from "../../../base/index.ts";

export interface Profile extends StoreInfo {
  /** Replicas whose confirmation answers wait for; 0: none. */
  readonly replicas: number;
}

const SENTENCES = {
  D0: "Redis answers before the append-only file is on disk: a crash loses what it had answered. Set appendonly yes and appendfsync always.",
  D1: "Redis answers after fsync; it survives the process and the system, not the disk.",
  D2: "Redis answers after fsync and a replica's receipt; it survives the loss of the primary.",
  unknown:
    "This user may not read Redis' configuration (it lacks config|get), so durability is unknown and nothing is promised beyond D0: ACL SETUSER <name> +config|get.",
} as const;

const KEEPS = "noeviction";

interface Node {
  readonly version: string;
  /** What Redis does when its memory is full; only `noeviction` is right. */
  readonly policy: string;
  /** Keys it evicted for want of memory since it started. */
  readonly evicted: number;
  /** Undefined where the configuration may not be read. */
  readonly always: boolean | undefined;
  readonly replicas: number;
}

/**
 * In a Cluster the weakest primary counts. Replicas are required where `min-replicas-to-write` says so, connected now or
 * not, because after a fail-over there may be none for a while. Configuration that may not be read is reported and no
 * failure. Throws only when Redis cannot be reached.
 */
export async function readProfile(client: Client): Promise<Profile> {
  const { raw } = client;
  const primaries = raw instanceof Cluster ? raw.nodes("master") : [raw];
  const nodes = await Promise.all(primaries.map((node) => readNode(client, node)));
  const known = nodes.every(({ always }) => always !== undefined);
  const always = nodes.every((node) => node.always === true);
  const replicas = always ? Math.min(...nodes.map((node) => node.replicas)) : 0;
  const evicts = nodes.map(({ policy }) => policy).find((policy) => policy !== KEEPS);
  const durability = evicts ? "D0" : replicas > 0 ? "D2" : always ? "D1" : "D0";
  const sentence = evicts
    ? `Redis throws keys away when its memory is full (maxmemory-policy ${evicts}), and with them what was accepted. Set maxmemory-policy noeviction.`
    : SENTENCES[known ? durability : "unknown"];
  return {
    kind: "redis",
    version: nodes[0]?.version ?? "",
    durability,
    sentence,
    replicas,
    fix: evicts
      ? "set maxmemory-policy noeviction"
      : known
        ? "set appendonly yes and appendfsync always"
        : "let the user read the configuration: ACL SETUSER <name> +config|get",
    evicted: nodes.reduce((sum, node) => sum + node.evicted, 0),
    evicts,
  };
}

async function readNode(client: Client, node: Redis): Promise<Node> {
  const info = await client.ask(() => node.info());
  const field = (name: string) => new RegExp(`^${name}:(.*)$`, "m").exec(info)?.[1]?.trim() ?? "";
  const version = field("valkey_version") || field("redis_version");
  const config = await configuration(client, node);
  return {
    version,
    policy: field("maxmemory_policy") || KEEPS,
    evicted: Number(field("evicted_keys")),
    always: config && config.get("appendonly") === "yes" && config.get("appendfsync") === "always",
    replicas: Number(config?.get("min-replicas-to-write") ?? 0),
  };
}

async function configuration(
  client: Client,
  node: Redis,
): Promise<ReadonlyMap<string, string> | undefined> {
  const wanted = ["appendonly", "appendfsync", "min-replicas-to-write"] as const;
  try {
    const map = new Map<string, string>();
    for (const name of wanted) {
      const answer = (await client.ask(() => node.config("GET", name))) as unknown;
      if (Array.isArray(answer)) map.set(name, String(answer[1]));
    }
    return map;
  } catch {
    return undefined;
  }
}

/** A healthy replica answers within milliseconds; past this the write counts as not confirmed. Ms. */
const WAIT_MS = 1_000;

/**
 * Waits until the required replicas have what was written. Callers of one moment share one `WAIT`, which covers everything
 * written before on this connection. In a Cluster every primary is asked, each for its own.
 */
export class Barrier {
  readonly #client: Client;
  readonly #replicas: number;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #short = false;

  /** `replicas`: how many have to answer for each primary; 0: no wait. */
  constructor(client: Client, replicas: number) {
    this.#client = client;
    this.#replicas = replicas;
  }

  /**
   * Throws `STORE_UNAVAILABLE` when too few replicas confirmed in time, or when a connection was lost after `since`, the
   * moment at which the caller began to write: the server of the new connection may never have had what was written.
   */
  async pass(since: number): Promise<void> {
    if (this.#replicas === 0) return;
    // The running wait may have begun before the caller's write; the next one did not.
    this.#next ??= this.#after(this.#running);
    await this.#next;
    if (this.#client.lostAt < since) return;
    throw new Fault("STORE_UNAVAILABLE", "The connection was lost before replicas confirmed.");
  }

  /** Whether too few replicas answered last. */
  get short(): boolean {
    return this.#short;
  }

  async #after(running: Promise<void> | undefined): Promise<void> {
    await running?.catch(() => undefined);
    const mine = this.#wait();
    this.#running = mine;
    this.#next = undefined;
    return mine;
  }

  async #wait(): Promise<void> {
    const confirmed = await this.#client.ask(async (redis) => {
      const nodes = redis instanceof Cluster ? redis.nodes("master") : [redis];
      return Math.min(
        ...(nodes.length === 0 ? [0] : []),
        ...(await Promise.all(nodes.map((node) => node.wait(this.#replicas, WAIT_MS)))),
      );
    });
    this.#short = confirmed < this.#replicas;
    if (!this.#short) return;
    throw new Fault(
      "STORE_UNAVAILABLE",
      `${confirmed} of ${this.#replicas} required replicas confirmed the write in time.`,
    );
  }
}
