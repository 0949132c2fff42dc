/**
 * Asks Redis to rewrite its append-only file after an erasure: until then the file still holds what was erased, with the
 * wrapped data key. The step that erases writes down that a rewrite is owed (`owed` of the partition names its last
 * erasure). It stays until a rewrite that began afterwards has ended well on every server, over any crash or restart.
 * Whichever process looks next sees to it: soon after an erasure of its own, after its start, and ten times in the span in
 * which a server is asked once, because a rewrite forks it.
 */
import type { RedisContext } from "../connection/redis-context.ts";
import { Cluster, type Redis } from "ioredis";
import type { Client } from "../connection/client.ts";

/** Writes of the erasure itself have ended by then, ms. */
const SOON_MS = 100;
const LOOKS = 10;
/** Spans for which a server's progress is remembered, so that one that left is forgotten. */
const REMEMBERED = 144;

/** Erasures, each as `<partition>:<name>`. */
type Covered = readonly string[];

/** A server's progress, written down for all processes. */
interface Progress {
  /** A rewrite that began after these has ended well. */
  readonly done: Covered;
  /** One that began after these was asked for. */
  readonly asked?: { readonly run: string; readonly covers: Covered };
}

export class LogRewrite {
  readonly #context: RedisContext;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #isSooner = false;
  #isClosed = false;

  constructor(context: RedisContext) {
    this.#context = context;
    this.#everyMs = context.limits.logRewriteMs;
    this.#wait(SOON_MS);
  }

  /** To be called after an erasure; without it the erasure is only noticed later. */
  due(): void {
    this.#isSooner = true;
    if (!this.#looking) this.#wait(SOON_MS);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    this.#looking = true;
    this.#isSooner = false;
    // A server that is away is looked at again; the rewrite stays owed.
    await this.#round().catch(() => undefined);
    this.#looking = false;
    this.#wait(this.#isSooner ? SOON_MS : this.#everyMs / LOOKS);
  }

  async #round(): Promise<void> {
    const owed = await this.#owed();
    if (owed.length === 0) return;
    // In this order: the server's own state is newer than its written progress and than what is owed, and a replica is
    // looked at after its primary.
    const { nodes, all } = await logNodes(this.#context.work);
    const known = await Promise.all(nodes.map(({ name }) => this.#progressOf(name)));
    const states = await this.#states(nodes);
    const done = await Promise.all(
      nodes.map((node, at) => this.#node(node, states[at], { progress: known[at], owed, states })),
    );
    if (!all) return;
    for (const erasure of owed)
      if (done.every((covered) => covered.includes(erasure))) await this.#paid(erasure);
  }

  /** The erasures for which this server's file was rewritten; asks for a rewrite where it was not. */
  async #node(
    node: LogNode,
    state: LogState | undefined,
    of: {
      readonly progress: Progress | undefined;
      readonly owed: Covered;
      readonly states: readonly (LogState | undefined)[];
    },
  ): Promise<Covered> {
    const { owed } = of;
    if (state?.isLogging === false) return owed;
    let progress = of.progress ?? { done: [] };
    const { asked } = progress;
    if (!state || state.isRewriting) return progress.done;
    if (asked) {
      // A rewrite that failed, or that a restart cut off, does not count.
      progress =
        asked.run === state.run && state.isWell ? { done: asked.covers } : { done: progress.done };
      await this.#keep(node, progress);
    }
    if (owed.every((erasure) => progress.done.includes(erasure))) return progress.done;
    if (hasErasures(state, of.states)) await this.#ask(node, state.run, { ...progress, owed });
    return progress.done;
  }

  /**
   * At most once in its span, whichever process asks. A user without the right is refused; then Redis' own rewrite does it
   * some day.
   */
  async #ask(
    node: LogNode,
    run: string,
    { done, owed }: { readonly done: Covered; readonly owed: Covered },
  ): Promise<void> {
    const { work, origin } = this.#context;
    const stamp = `${keyOf(node)}:asked`;
    if ((await work.script("set-for", stamp, origin, this.#everyMs, 1)) !== 1) return;
    try {
      await work.ask(() => node.redis.bgrewriteaof());
    } catch (error) {
      // One is running that may have begun before the erasure: another is asked for once it has ended.
      if (error instanceof Error && error.message.includes("already in progress"))
        await work.ask((client) => client.del(stamp));
      return;
    }
    await this.#keep(node, { done, asked: { run, covers: owed } });
  }

  /** Undefined for a server that does not answer. */
  async #states(nodes: readonly LogNode[]): Promise<readonly (LogState | undefined)[]> {
    const stateOf = (node: LogNode) => logState(this.#context.work, node).catch(() => undefined);
    const first = await Promise.all(nodes.map(stateOf));
    return Promise.all(
      nodes.map(async (node, at) => (first[at]?.isReplica === true ? stateOf(node) : first[at])),
    );
  }

  /** A partition that does not answer is asked in another round, and does not delay the others. */
  async #owed(): Promise<Covered> {
    const { work } = this.#context;
    const read = (at: number) => work.ask((client) => client.hget(this.#countOf(at), "owed"));
    const names = await Promise.all(
      this.#context.all().map(async (at) => await read(at).catch(() => null)),
    );
    return names.flatMap((name, at) => (name === null ? [] : [`${at}:${name}`]));
  }

  /** Unless another erasure came since. */
  async #paid(erasure: string): Promise<void> {
    const [partition = "", name = ""] = erasure.split(":");
    await this.#context.work.script("drop-field", this.#countOf(Number(partition)), "owed", name);
  }

  async #progressOf(name: string): Promise<Progress | undefined> {
    const written = await this.#context.work.ask((client) => client.get(keyOf({ name })));
    return written === null ? undefined : (JSON.parse(written) as Progress);
  }

  async #keep(node: LogNode, progress: Progress): Promise<void> {
    const ms = this.#everyMs * REMEMBERED;
    await this.#context.work.script("set-for", keyOf(node), JSON.stringify(progress), ms, 0);
  }

  #countOf(partition: number): string {
    return `${this.#context.prefix(partition)}count`;
  }
}

function keyOf({ name }: Pick<LogNode, "name">): string {
  return `prosa:log:${name}`;
}

/** A rewrite of a replica that lags would write what was erased once more. */
function hasErasures(state: LogState, all: readonly (LogState | undefined)[]): boolean {
  if (!state.isReplica) return true;
  const primary = all.find((one) => one?.isReplica === false && one.history === state.history);
  return primary !== undefined && state.offset >= primary.offset;
}

interface LogNode {
  /** The same for every process: its address in a Cluster; else there is one. */
  readonly name: string;
  readonly redis: Redis;
}

/** What a server says of its append-only file and of its rewrites. */
interface LogState {
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
async function logNodes(
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
async function logState(client: Client, { redis }: LogNode): Promise<LogState> {
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
