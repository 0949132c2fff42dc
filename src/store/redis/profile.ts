/** How durable this Redis is: read at start, told to people, and made stronger by a replica's answer where there is one. */
import type { StoreInfo } from "../port.ts";
import type { Client } from "./client.ts";

export interface Profile extends StoreInfo {
  /** Whether answers wait for a replica. */
  readonly replicas: boolean;
}

const SENTENCES = {
  D0: "Redis answers before the append-only file is on disk: a crash loses what it had answered. Set appendonly yes and appendfsync always.",
  D1: "Redis answers after fsync; it survives the process and the system, not the disk.",
  D2: "Redis answers after fsync and a replica's receipt; it survives the loss of the primary.",
  unknown:
    "This user may not read Redis' configuration, so durability is unknown; nothing is promised beyond D0.",
} as const;

/** Configuration that may not be read is no failure: it is told. Throws only when Redis cannot be reached. */
export async function readProfile(client: Client): Promise<Profile> {
  const info = await client.ask((redis) => redis.info());
  const field = (name: string) => new RegExp(`^${name}:(.*)$`, "m").exec(info)?.[1]?.trim() ?? "";
  const version = field("valkey_version") || field("redis_version");
  const config = await configuration(client);
  const always = config?.get("appendonly") === "yes" && config.get("appendfsync") === "always";
  // In a Cluster each node would have to be asked; there replication stays as the operator set it up.
  const replicas =
    always &&
    !client.isCluster &&
    Number(field("connected_slaves")) > 0 &&
    Number(config.get("min-replicas-to-write") ?? 0) > 0;
  const durability = replicas ? "D2" : always ? "D1" : "D0";
  const sentence = SENTENCES[config ? durability : "unknown"];
  return { kind: "redis", version, durability, sentence, replicas };
}

async function configuration(client: Client): Promise<ReadonlyMap<string, string> | null> {
  const wanted = ["appendonly", "appendfsync", "min-replicas-to-write"] as const;
  try {
    const map = new Map<string, string>();
    for (const name of wanted) {
      const answer = (await client.ask((redis) => redis.config("GET", name))) as unknown;
      if (Array.isArray(answer)) map.set(name, String(answer[1]));
    }
    return map;
  } catch {
    return null;
  }
}
