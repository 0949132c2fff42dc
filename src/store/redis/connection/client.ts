/** One connection (or one per Cluster node), with the settings that keep answers honest. */
import { Cluster, Redis, type RedisOptions } from "ioredis";
import { Fault } from "../../../base/index.ts";
import { setTimeout as pause } from "node:timers/promises";
import { type Reply, ScriptCalls } from "./script-calls.ts";
import { connectFault, isLasting, NO_ANSWER, sentenceOf } from "./trouble.ts";
import { callables, commandOf, keyBeside, type ScriptName, scripts } from "../scripts.ts";
import type { RedisPlace } from "./url.ts";

/** A command without an answer within this time counts as unknown, ms. Far above any script, far below a person's patience. */
const COMMAND_MS = 2_000;
/**
 * A connection that is silent for this long is dropped and made anew, ms. A firewall that forgot it sends nothing, and the
 * kernel alone would wait for a quarter of an hour. Longer than a command's time, so that waiting commands fail first.
 */
const SILENT_MS = 3_000;
const CONNECT_MS = 5_000;
/** A start waits this long for the first connection, ms: whoever typed a wrong address wants to know. */
const FIRST_MS = 6_000;
/** The pause between attempts to connect grows to this, ms: the client is back within a second of the server. */
const RECONNECT_MS = 500;

const reconnect = (attempt: number): number => Math.min(attempt * 50, RECONNECT_MS);

/**
 * No offline queue: while the server is away every command fails at once, and none is carried out later, when its caller no
 * longer waits. The client re-sends nothing: whether a command took effect is for the caller to decide.
 */
function optionsFor(place: RedisPlace, role: string) {
  return {
    autoResendUnfulfilledCommands: false,
    // An unhandled failure of a command of the library itself would end the process, so the caller subscribes by itself at
    // each ready.
    autoResubscribe: false,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    commandTimeout: COMMAND_MS,
    socketTimeout: SILENT_MS,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: reconnect,
    // A primary that became a replica: connect again, to the new one.
    reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
    connectionName: `prosa-${role}`,
    protocol: 2,
    lazyConnect: true,
    ...(place.username === undefined ? {} : { username: place.username }),
    ...(place.password === undefined ? {} : { password: place.password }),
    ...(place.tls ? { tls: {} } : {}),
  } satisfies RedisOptions;
}

function connection(place: RedisPlace, role: string): Redis | Cluster {
  const options = optionsFor(place, role);
  switch (place.kind) {
    case "single":
      return new Redis({ ...options, ...place.at, db: place.database });
    case "sentinel":
      return new Redis({
        ...options,
        sentinels: [...place.sentinels],
        name: place.name,
        db: place.database,
        sentinelRetryStrategy: reconnect,
        sentinelCommandTimeout: COMMAND_MS,
      });
    case "cluster": {
      const { lazyConnect, enableOfflineQueue, enableAutoPipelining, retryStrategy, ...node } =
        options;
      return new Cluster([...place.nodes], {
        lazyConnect,
        enableOfflineQueue,
        enableAutoPipelining,
        clusterRetryStrategy: retryStrategy,
        redisOptions: node,
        scripts: scripts(2),
      });
    }
  }
}

/** A slot with few keys moves within milliseconds; past this its work waits for the next round. */
const MOVING_TRIES = 15;
const MOVING_PAUSE_MS = 100;

/** The slot is on another node, or moving: the command was not carried out. */
function isElsewhere(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /^(MOVED|ASK|TRYAGAIN) |same slots allocation group/.test(error.message);
}

type Command = (...values: readonly (string | number)[]) => Promise<Reply>;

export class Client {
  readonly raw: Redis | Cluster;
  readonly isCluster: boolean;
  /** In a Cluster the library finds the node of each call. */
  readonly #calls: ScriptCalls | undefined;
  /** When a connection was lost last (in a Cluster: to any node), ms of `performance.now()`. */
  #lostAt = -Infinity;
  /** The last failure that tells a cause, as a sentence. */
  #trouble: string | undefined;
  readonly #database: number;

  constructor(place: RedisPlace, role: string) {
    this.raw = connection(place, role);
    this.isCluster = place.kind === "cluster";
    this.#calls = this.raw instanceof Cluster ? undefined : new ScriptCalls(this.raw);
    // Every command reports its own failure; without a listener the event would end the process.
    const heard = (error: unknown) => (this.#trouble = sentenceOf(error) ?? this.#trouble);
    this.raw.on("error", heard);
    if (this.raw instanceof Cluster) this.raw.on("node error", heard);
    this.#database = place.kind === "cluster" ? 0 : place.database;
    this.raw.on(this.isCluster ? "-node" : "close", () => (this.#lostAt = performance.now()));
  }

  get lostAt(): number {
    return this.#lostAt;
  }

  /** Throws `STORE_UNAVAILABLE` with one sentence, after {@link FIRST_MS} at most. */
  async connect(): Promise<void> {
    const late = new AbortController();
    let isLate = false;
    try {
      await Promise.race([
        this.#open(),
        pause(FIRST_MS, undefined, { signal: late.signal }).then(
          () => Promise.reject(((isLate = true), new Error("late"))),
          () => undefined,
        ),
      ]);
    } catch (error) {
      this.close();
      // "Connection is closed" tells no cause; the cause was reported before.
      const said = sentenceOf(error) ?? this.#trouble;
      throw connectFault(said ?? (isLate ? NO_ANSWER : undefined));
    } finally {
      late.abort();
    }
  }

  async #open(): Promise<void> {
    await this.raw.connect();
    // The library only reports that a database does not exist or is not allowed, and goes on in the first one.
    if (this.raw instanceof Redis && this.#database > 0) await this.raw.select(this.#database);
  }

  /** Runs a script. Throws `STORE_FULL` (nothing written) or `STORE_UNAVAILABLE` (unknown, when no answer came). */
  async script(
    name: ScriptName,
    key: string,
    ...values: readonly (string | number)[]
  ): Promise<Reply> {
    try {
      if (this.#calls) return (await this.#calls.run(callables()[name], key, values)) as Reply;
      const command = (this.raw as unknown as Record<string, Command>)[commandOf(name)] as Command;
      const all = [key, keyBeside(key), ...values];
      return await command.call(this.raw, ...all).catch((error: unknown) => {
        if (!isElsewhere(error)) throw error;
        return this.#alone(this.raw as Cluster, name, all);
      });
    } catch (error) {
      throw faultOf(error);
    }
  }

  /**
   * Asks again by itself. The client follows a moved slot only when all commands of a pipeline are redirected; otherwise it
   * is left to us. Nothing was carried out, so asking again is no repeat.
   */
  async #alone(
    cluster: Cluster,
    name: ScriptName,
    values: readonly (string | number)[],
  ): Promise<Reply> {
    for (let left = MOVING_TRIES; ; left -= 1) {
      const pipeline = cluster.pipeline();
      (pipeline as unknown as Record<string, (...all: typeof values) => unknown>)[
        commandOf(name)
      ]?.(...values);
      const [answer] = (await pipeline.exec()) ?? [];
      const [error, reply] = answer ?? [];
      if (!error) return reply as Reply;
      if (left <= 0 || !isElsewhere(error)) throw error;
      await pause(MOVING_PAUSE_MS);
    }
  }

  /** A plain command, with the same Faults. */
  async ask<T>(command: (client: Redis | Cluster) => Promise<T>): Promise<T> {
    for (let left = MOVING_TRIES; ; left -= 1)
      try {
        return await command(this.raw);
      } catch (error) {
        if (!(this.raw instanceof Cluster) || !isElsewhere(error) || left <= 0)
          throw faultOf(error);
        await this.#learn(this.raw);
      }
  }

  /** Where the slots are now. */
  async #learn(cluster: Cluster): Promise<void> {
    await pause(MOVING_PAUSE_MS);
    await new Promise<void>((done) => cluster.refreshSlotsCache(() => done()));
  }

  close(): void {
    this.raw.disconnect();
  }
}

/** Redis' own words are kept, cut short: they name commands and limits, never values. */
function faultOf(error: unknown): Fault {
  if (Fault.is(error)) return error;
  if (isLasting(error)) return connectFault(sentenceOf(error));
  const words = error instanceof Error ? error.message : String(error);
  const said = words.slice(0, 200);
  if (/^OOM\b|OOM command not allowed/.test(words))
    return new Fault("STORE_FULL", `Redis is out of memory (${said}).`);
  if (words.includes("MISCONF")) return new Fault("STORE_FULL", `Redis cannot write (${said}).`);
  return new Fault("STORE_UNAVAILABLE", `Redis did not answer as it should (${said}).`);
}
