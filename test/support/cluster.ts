/** A real Cluster on loopback: nodes with the slots shared out, each primary with as many replicas as asked for. */
import { Redis } from "ioredis";
import { nodePort } from "./ports.ts";
import { startRedis, type TestRedis } from "./redis.ts";

const SLOTS = 16_384;
const TIMEOUT_MS = 20_000;
const HALF_MS = 10;

export interface TestCluster {
  /** As `REDIS_URL` takes it. */
  readonly url: string;
  readonly primaries: readonly TestRedis[];
  readonly replicas: readonly TestRedis[];
  /** A primary that ended, on its own data: once another has its slots it comes back as a replica of that one. */
  again(primary: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startCluster(
  options: { primaries?: number; replicas?: number; args?: readonly string[] } = {},
): Promise<TestCluster> {
  const { primaries: count = 3, replicas: each = 0 } = options;
  const args = [
    ...["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"],
    ...["--repl-diskless-sync-delay", "0", ...(options.args ?? [])],
  ];
  const nodes: TestRedis[] = [];
  const clients: Redis[] = [];
  const stop = async (): Promise<void> => {
    for (const client of clients) client.disconnect();
    for (const node of nodes) await node.stop();
  };
  try {
    for (let index = 0; index < count * (1 + each); index += 1)
      nodes.push(await startRedis({ port: await nodePort(), args }));
    clients.push(...nodes.map(({ url }) => new Redis(url)));
    for (const client of clients) client.on("error", () => undefined);
    const share = Math.ceil(SLOTS / count);
    for (const [index, client] of clients.entries()) {
      const last = Math.min(SLOTS, (index + 1) * share) - 1;
      if (index < count) await client.call("CLUSTER", "ADDSLOTSRANGE", index * share, last);
      await client.call("CLUSTER", "SET-CONFIG-EPOCH", index + 1);
      if (index > 0) await client.call("CLUSTER", "MEET", "127.0.0.1", nodes[0]?.port ?? 0);
    }
    const end = Date.now() + TIMEOUT_MS;
    const until = async (met: () => Promise<boolean>): Promise<void> => {
      while (!(await met().catch(() => false))) {
        if (Date.now() > end) throw new Error("the Cluster did not come together");
        await new Promise((done) => setTimeout(done, 25));
      }
    };
    for (const client of clients)
      await until(async () => {
        const info = String(await client.call("CLUSTER", "INFO"));
        const all = info.includes(`cluster_known_nodes:${nodes.length}`);
        return all && info.includes("cluster_state:ok");
      });
    for (const [index, client] of clients.entries()) {
      if (index < count) continue;
      const id = String(await clients[index % count]?.call("CLUSTER", "MYID"));
      await until(async () => (await client.call("CLUSTER", "REPLICATE", id)) === "OK");
    }
    for (const client of clients.slice(count))
      await until(async () => (await client.info("replication")).includes("master_link_status:up"));
    // Who asks any of them is told of all replicas.
    for (const client of clients)
      await until(async () => {
        const known = String(await client.call("CLUSTER", "NODES")).split("\n");
        return known.filter((line) => line.includes("slave")).length === count * each;
      });
  } catch (error) {
    await stop();
    throw error;
  }
  const primaries = nodes.slice(0, count);
  const again = async (at: number): Promise<void> => {
    const { port, folder = "" } = primaries[at] ?? {};
    if (port === undefined) throw new Error(`there is no primary ${at}`);
    // Its folder goes with the one that had it first.
    nodes.unshift(await startRedis({ port, folder, args }));
  };
  return {
    again,
    ...{ url: primaries.map(({ url }) => url).join(","), primaries, stop },
    replicas: nodes.slice(count),
  };
}

/** The slot of a hash tag moves from one primary to another, key by key, as an operator's tools do it. Answers how many keys. */
export async function moveSlot(
  cluster: TestCluster,
  tag: string,
  { from, to }: { from: number; to: number },
): Promise<number> {
  const clients = cluster.primaries.map(({ url }) => new Redis(url));
  try {
    const [source, target] = [clients[from], clients[to]];
    const port = cluster.primaries[to]?.port ?? 0;
    if (!source || !target) throw new Error("there are not so many primaries");
    const slot = Number(await source.call("CLUSTER", "KEYSLOT", `{${tag}}`));
    const [sourceId, targetId] = [
      String(await source.call("CLUSTER", "MYID")),
      String(await target.call("CLUSTER", "MYID")),
    ];
    const own = String(await source.call("CLUSTER", "NODES"))
      .split("\n")
      .find((line) => line.includes("myself"));
    const ranges = (own ?? "")
      .split(" ")
      .slice(8)
      .map((range) => range.split("-").map(Number));
    if (!ranges.some(([first = -1, last = first]) => slot >= first && slot <= last)) return 0;
    await target.call("CLUSTER", "SETSLOT", slot, "IMPORTING", sourceId);
    await source.call("CLUSTER", "SETSLOT", slot, "MIGRATING", targetId);
    let moved = 0;
    for (;;) {
      const keys = (await source.call("CLUSTER", "GETKEYSINSLOT", slot, 2)) as string[];
      if (keys.length === 0) break;
      await source.call("MIGRATE", "127.0.0.1", port, "", 0, 5_000, "KEYS", ...keys);
      moved += keys.length;
      // Half here and half there for long enough to be met.
      await new Promise((done) => setTimeout(done, HALF_MS));
    }
    for (const client of [target, source, ...clients])
      await client.call("CLUSTER", "SETSLOT", slot, "NODE", targetId);
    return moved;
  } finally {
    for (const client of clients) client.disconnect();
  }
}
