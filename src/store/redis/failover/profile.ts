/** How durable this Redis is: read at start, told to people, and made stronger by replicas' answers where they are required. */
import { Cluster, type Redis } from "ioredis";
import type { StoreInfo } from "../../port/port.ts";
import type { Client } from "../connection/client.ts";

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
