/**
 * How fast messages of one device may leave, and which wait: a token bucket for each scope. Pure: time is an argument, real
 * ms. A clock that jumps back adds no tokens and takes none.
 *
 * A scope whose bucket was once empty has a queue, and new messages join it. The queue is released in rounds, the oldest
 * first, until a round finds fewer messages than it may send.
 */
import { trim } from "../../../base/index.ts";

export interface PaceLimit {
  /** Messages a second that leave in the long run. */
  readonly perSecond: number;
  /** Messages that may leave at once after a rest. */
  readonly burst: number;
}

/** Time between two rounds of a scope with a queue: long enough to cost little, short enough to look even, ms. */
const ROUND_MS = 100;
/** Scopes remembered; one that is forgotten begins with a full bucket. */
const SCOPES = 2_000;

interface Bucket {
  tokens: number;
  /** Time at which `tokens` was right, ms. */
  at: number;
  limit: PaceLimit;
}

export class Pace {
  readonly #buckets = new Map<string, Bucket>();
  /** Scopes with a queue, and the time of their next round. */
  readonly #queues = new Map<string, number>();

  /** Whether one message may leave now that no earlier message waits for. */
  take(scope: string, limit: PaceLimit, now: number): boolean {
    if (this.#queues.has(scope)) return false;
    return this.takeQueued(scope, limit, now);
  }

  /** Whether one of the waiting messages may leave now. False: from now on the scope has a queue. */
  takeQueued(scope: string, limit: PaceLimit, now: number): boolean {
    const bucket = this.#filled(scope, limit, now);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return true;
    }
    if (!this.#queues.has(scope)) this.#queues.set(scope, now + waitMs(bucket));
    return false;
  }

  /** Scopes with a queue. */
  get queued(): readonly string[] {
    return [...this.#queues.keys()];
  }

  isQueued(scope: string): boolean {
    return this.#queues.has(scope);
  }

  /**
   * Queues whose round has come, each with how many messages may leave; the time of their next round is set. Queues that
   * did not fit into `room` keep their turn and come first next time.
   */
  round(now: number, room = Infinity): ReadonlyMap<string, number> {
    const open = new Map<string, number>();
    let left = room;
    for (const [scope, next] of [...this.#queues]) {
      if (left <= 0) break;
      const known = this.#buckets.get(scope);
      if (!known) this.#queues.delete(scope);
      // After a clock jumped back, a queue must not stay closed for as long as the jump.
      if (!known || (now < next && next - now <= waitMs(known))) continue;
      const bucket = this.#filled(scope, known.limit, now);
      const count = Math.min(left, Math.floor(bucket.tokens));
      if (count > 0) open.set(scope, count);
      left -= count;
      this.#queues.delete(scope);
      this.#queues.set(scope, now + waitMs({ ...bucket, tokens: bucket.tokens - count }));
    }
    return open;
  }

  /** No message of this scope waits any more. */
  ease(scope: string): void {
    this.#queues.delete(scope);
  }

  /** Ms until the next round of any queue; undefined while there is none. */
  nextMs(now: number): number | undefined {
    if (this.#queues.size === 0) return undefined;
    return Math.max(1, Math.min(...this.#queues.values()) - now);
  }

  #filled(scope: string, limit: PaceLimit, now: number): Bucket {
    const bucket = this.#buckets.get(scope) ?? { tokens: limit.burst, at: now, limit };
    const grown = (Math.max(0, now - bucket.at) * limit.perSecond) / 1_000;
    bucket.tokens = Math.min(limit.burst, bucket.tokens + grown);
    bucket.at = now;
    bucket.limit = limit;
    // The scope used last is moved to the end, so that the memory forgets those at rest.
    this.#buckets.delete(scope);
    this.#buckets.set(scope, bucket);
    trim(this.#buckets, SCOPES);
    return bucket;
  }
}

/** Until there is a whole token, and not before the next round. */
function waitMs({ tokens, limit }: Pick<Bucket, "tokens" | "limit">): number {
  return Math.max(ROUND_MS, Math.ceil(((1 - tokens) * 1_000) / limit.perSecond));
}
