/**
 * Judges what it means that a server holds a partition, given which one held it before. Pure.
 *
 * Redis has no identity that outlives a restart, so three facts are combined: the run (one start of one process), the
 * history (`master_replid`: one stream of writes; a promotion begins a new one and names the old), and when the run began.
 * Another server that was up before the known one was last heard of was a replica then.
 */

/** A server as it was known to hold the partition. */
export interface Server {
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

export type Verdict =
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
export interface Knowledge {
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

export function isSame(a: Pick<Server, "run" | "history">, b: Pick<Server, "run" | "history">) {
  return a.run === b.run && a.history === b.history;
}
