/**
 * Which servers this process saw hold the partitions, in the order in which it saw them. Outside a Cluster one server holds
 * all, so what one partition showed holds for the others, and a lost look leaves none with an old server.
 */
import { isSame, type Server } from "./judge.ts";

interface Seen extends Server {
  /** Counts what was seen; clocks of two servers cannot be compared. */
  readonly order: number;
}

/** Matches no server, so that the script's look is always judged. */
const ANY_IS_NEWS = "?";

export class SeenServers {
  readonly #of = new Map<number, Seen>();
  /**
   * The server seen last in any partition, and the last other one before it. Neither in a Cluster, where each partition has
   * its own.
   */
  #latest: Seen | undefined;
  #other: Seen | undefined;
  #order = 0;

  /** The server of the partition that this process accepted last. */
  of(partition: number): Server | undefined {
    return this.#of.get(partition);
  }

  /** For `begin.lua`: the only server on which it may begin effects unasked; "": any that is written down. */
  expected(partition: number): string {
    const server = this.#latest ?? this.#of.get(partition);
    if (!server) return "";
    const before = this.#since(partition, server);
    return !before || isSame(before, server) ? `${server.run}.${server.history}` : ANY_IS_NEWS;
  }

  /** Who held the partition last, as far as this process can tell, when `now` holds it. */
  before(partition: number, now: Pick<Server, "run" | "history">): Server | undefined {
    return this.#since(partition, now);
  }

  settle(partition: number, server: Server, isCluster: boolean): void {
    this.#order += 1;
    const seen = { ...server, order: this.#order };
    this.#of.set(partition, seen);
    if (isCluster) return;
    if (this.#latest && !isSame(this.#latest, seen)) this.#other = this.#latest;
    this.#latest = seen;
  }

  /** Another server than `now` that held any partition after this one was settled; else the partition's own. */
  #since(partition: number, now: Pick<Server, "run" | "history">): Seen | undefined {
    const mine = this.#of.get(partition);
    const another = this.#latest && !isSame(this.#latest, now) ? this.#latest : this.#other;
    return another && another.order > (mine?.order ?? 0) ? another : mine;
  }
}
