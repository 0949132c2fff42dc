/** What a server says of its append-only file and of its rewrites. */
import { Cluster, type Redis } from "ioredis";
import type { Client } from "../connection/client.ts";

export interface LogNode {
  /** The same for every process: its address in a Cluster; else there is one. */
  readonly name: string;
  readonly redis: Redis;
}

export interface LogState {
  /** Changes with each restart, which ends a rewrite under way. */
  readonly run: string;
  /** Whether there is such a file. */
  readonly isLogging: boolean;
  /** A rewrite runs, or begins once other work of the server is done. */
  readonly isRewriting: boolean;
  /** Whether the last rewrite ended well. */
  readonly isWell: boolean;
  readonly isReplica: boolean;
  /** Name of the history that it has, and how far. */
  readonly history: string;
  readonly offset: number;
}

/**
 * Replicas of a Cluster have files of their own; those behind one address or behind Sentinels are not known here. `all`:
 * whether the Cluster has no further server. One that failed or has no slots still has its file, and counts
 * until an operator has the Cluster forget it (`CLUSTER FORGET`). Throws `STORE_UNAVAILABLE`.
 */
export async function logNodes(
  client: Client,
): Promise<{ readonly nodes: readonly LogNode[]; readonly all: boolean }> {
  const { raw } = client;
  if (!(raw instanceof Cluster)) return { nodes: [{ name: "server", redis: raw }], all: true };
  // The client asks for the list once, and does not get a replica that has copied nothing yet.
  await new Promise<void>((done) => raw.refreshSlotsCache(() => done()));
  const nodes = raw.nodes("all").map((redis) => {
    const { host = "", port = 0 } = redis.options;
    return { name: `${host}:${port}`, redis };
  });
  const [primary] = raw.nodes("master");
  if (!primary) return { nodes, all: false };
  const known = await client.ask(() => primary.call("CLUSTER", "NODES"));
  return { nodes, all: knowsAll(String(known), new Set(nodes.map(({ name }) => name))) };
}

/**
 * Whether every server of `CLUSTER NODES` (lines of name, address, flags, …) that may have a file is among these, compared
 * by `host:port`, because two views of a changing Cluster may have the same number of other servers. A primary without
 * slots counts, because it has the file it wrote before; so does one whose address was lost. One that only introduces
 * itself (`handshake`) is not part of the Cluster yet.
 */
export function knowsAll(lines: string, names: ReadonlySet<string>): boolean {
  return lines.split("\n").every((line) => {
    const [, address = "", flags = ""] = line.trim().split(" ");
    if (flags === "" || flags.split(",").includes("handshake")) return true;
    // `ip:port@bus port,host name,…`; an answer may name either.
    const [, ip = "", port = "", host] = /^(.*):(\d+)(?:@\d+)?(?:,([^,]*))?/.exec(address) ?? [];
    return names.has(`${ip}:${port}`) || (host !== undefined && names.has(`${host}:${port}`));
  });
}

/** Throws `STORE_UNAVAILABLE`. */
export async function logState(client: Client, { redis }: LogNode): Promise<LogState> {
  const info = await client.ask(() => redis.info());
  const field = (name: string) => new RegExp(`^${name}:(.*)$`, "m").exec(info)?.[1]?.trim() ?? "";
  const isSet = (name: string) => field(name) !== "0";
  const isReplica = field("role") !== "master";
  return {
    run: field("run_id"),
    isLogging: isSet("aof_enabled"),
    isRewriting: isSet("aof_rewrite_in_progress") || isSet("aof_rewrite_scheduled"),
    isWell: field("aof_last_bgrewrite_status") === "ok",
    isReplica,
    history: field("master_replid"),
    offset: Number(field(isReplica ? "slave_repl_offset" : "master_repl_offset")),
  };
}
