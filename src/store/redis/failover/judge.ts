/**
 * Judges what it means that a server holds a partition, given which one held it before. Pure.
 *
 * Redis has no identity that outlives a restart, so three facts are combined: the run (one start of one process), the
 * history (`master_replid`: one stream of writes; a promotion begins a new one and names the old), and when the run began.
 * Another server that was up before the known one was last heard of was a replica then.
 */

/** A server as it was known to hold the partition. */
interface Server {
  readonly run: string;
  readonly history: string;
  /** When it was last heard of, ms of its own clock. */
  readonly at: number;
}

export interface Look {
  /** Whether server, memory and hold are as this process expected: then there is nothing to judge. */
  readonly fits: boolean;
  readonly run: string;
  readonly history: string;
  /** The history it went on with when it was promoted; "" when it never was. */
  readonly continued: string;
  /** Ms, rounded down to a second. */
  readonly started: number;
  readonly cluster: boolean;
  /** The server that the data itself names; null where no guarded effect was begun yet. */
  readonly noted: Server | null;
  /** Guarded effects begun so far. */
  readonly guarded: number;
  readonly held: readonly string[];
  readonly now: number;
}

type Verdict =
  /** The same server, or one that was judged already. */
  | "known"
  /** The first server, or one that took the slots over while both were alive. */
  | "new"
  /** Restarted on its own data. */
  | "restart"
  | "failover"
  | "restored";

/** Redis tells when it started in whole seconds. */
const SECOND_MS = 1_000;

/** What a process knows when it judges a look at one partition. */
interface Knowledge {
  /** Whether this process ever accepted a server there. */
  readonly isKnown: boolean;
  /** Who held the partition last, as far as it can tell. */
  readonly before: Server | undefined;
  /** How many guarded effects it knows to have begun there. */
  readonly guarded: number;
}

export function judge(look: Look, { isKnown, before: last, guarded }: Knowledge): Verdict {
  const { noted } = look;
  // A server that was known and is written down nowhere was lost, too.
  const lost = look.guarded < guarded || (!noted && isKnown);
  const verdict = noted ? ofServer(look, noted, last) : last ? change(look, last) : "new";
  return lost && verdict !== "failover" ? "restored" : verdict;
}

function ofServer(look: Look, noted: Server, last: Server | undefined): Verdict {
  if (isSame(look, noted)) {
    if (!last || isSame(look, last)) return "known";
    // Accepted after we last heard of the other one; otherwise this is the data of an earlier time.
    return noted.at >= last.at ? "known" : "failover";
  }
  return change(look, last && last.at > noted.at ? last : noted);
}

function change(look: Look, last: Server): Verdict {
  // The same process with another history: promoted once more, or it only forgot that it ever had replicas.
  if (look.run === last.run) return look.continued === "" ? "new" : "failover";
  const promoted = look.continued === last.history && look.started <= last.at;
  if (promoted) return "failover";
  if (look.started + SECOND_MS > last.at) return "restart";
  // In a Cluster a slot may move between two servers that were primaries all along.
  return look.cluster && look.continued === "" ? "new" : "failover";
}

function isSame(a: Pick<Server, "run" | "history">, b: Pick<Server, "run" | "history">) {
  return a.run === b.run && a.history === b.history;
}

interface Seen extends Server {
  /** Counts what was seen; clocks of two servers cannot be compared. */
  readonly order: number;
}

/** Matches no server, so that the script's look is always judged. */
const ANY_IS_NEWS = "?";

/**
 * Which servers this process saw hold the partitions, in the order in which it saw them. Outside a Cluster one server holds
 * all, so what one partition showed holds for the others, and a lost look leaves none with an old server.
 */
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
