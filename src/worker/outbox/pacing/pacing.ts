/**
 * The pace at which a device's messages leave. Engines cut off numbers that write too fast, or to too many people who never
 * wrote. Upstream servers were seen to refuse thirty messages within one second; the default of an account stays below
 * that.
 *
 * Replies share one bucket for each device and worker; the workers of a store share the pace evenly. A message that was not
 * asked for gets a time of its own, drawn around an even distance and stored with it. Waiting uses up no attempt, and no
 * message overtakes an earlier one of its contact.
 */
import type { Account, Session } from "../../../engine/index.ts";
import type { Begun } from "../../../store/port/port.ts";
import type { WorkerRegistry } from "../../fleet/worker-registry.ts";
import type { VirtualClock } from "../../clock.ts";
import { lookedAt, type Work } from "../entry.ts";
import type { Random } from "../../ports.ts";
import { trim } from "../../../base/index.ts";

/** A person who was silent for longer did not ask for this message, virtual ms. */
const ASKED_MS = 24 * 3_600_000;
/** Distances are drawn from half to one and a half times the even one. */
const JITTER = 1_000;
/** A time that passed longer ago than this, during an outage, is drawn again, so that not all leave at once. Virtual ms. */
const MISSED_MS = 60_000;

export class Pacing {
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #workers: Pick<WorkerRegistry, "count">;
  readonly #pace = new Pace();
  /** Virtual time from which the next message that was not asked for may leave, by scope. */
  readonly #next = new Map<string, number>();

  constructor(clock: VirtualClock, random: Random, workers: Pick<WorkerRegistry, "count">) {
    this.#clock = clock;
    this.#random = random;
    this.#workers = workers;
  }

  /** Whether a message that no earlier one waits for may leave with the commit of its turn. */
  admits(account: Account, scope: string): boolean {
    const limit = this.#share(account);
    return limit === null || this.#pace.take(scope, limit, this.#clock.real());
  }

  /**
   * Virtual time before which a message must not leave, stored with it. A message that was not asked for has a time of its
   * own; where others wait for the pace, it is its place among them.
   */
  placeOf(
    account: Account,
    scope: string,
    { at, unasked }: { at: number; unasked: boolean },
  ): number | undefined {
    if (account.pace === null) return undefined;
    if (unasked) return this.#slot(account.pace, scope);
    return this.#pace.isQueued(scope) ? at : undefined;
  }

  /** The new time of a message that missed its own; undefined when it did not, or may leave at once. */
  missed(begun: Begun, account: Account, work: Work): number | undefined {
    const now = this.#clock.now();
    if (account.pace === null || work.slot === undefined || begun.attempt > 1) return undefined;
    if (work.slot > now - MISSED_MS) return undefined;
    const slot = this.#slot(account.pace, begun.scope);
    return slot > now ? slot : undefined;
  }

  /** Virtual time at which such a message is looked at again; undefined when its time has come. */
  early(begun: Begun, work: Work): number | undefined {
    const now = this.#clock.now();
    // A message asked for in the future was asked for before the clock was set back.
    if (work.slot === undefined || begun.attempt > 1 || work.at > now) return undefined;
    return work.slot > now ? lookedAt(work.slot, now) : undefined;
  }

  /** Whether a message that was begun may leave now; if not, it leaves in a later round. */
  mayLeave(begun: Begun, account: Account): boolean {
    const limit = this.#share(account);
    return limit === null || this.#pace.takeQueued(begun.scope, limit, this.#clock.real());
  }

  /** Scopes in which messages wait for the pace. */
  get queued(): readonly string[] {
    return this.#pace.queued;
  }

  isQueued(scope: string): boolean {
    return this.#pace.isQueued(scope);
  }

  /** Scopes with a queue whose round has come, and how many messages of each may leave now. `room`: of all of them together. */
  round(room: number): ReadonlyMap<string, number> {
    return this.#pace.round(this.#clock.real(), room);
  }

  ease(scope: string): void {
    this.#pace.ease(scope);
  }

  /** Real ms until more may leave; undefined while nothing waits. */
  get nextMs(): number | undefined {
    return this.#pace.nextMs(this.#clock.real());
  }

  #share(account: Account): PaceLimit | null {
    if (account.pace === null) return null;
    const { perSecond, burst } = account.pace;
    const { count } = this.#workers;
    return {
      perSecond: perSecond / count,
      burst: Math.max(1, Math.floor(burst / count)),
    };
  }

  #slot({ unaskedPerMinute }: NonNullable<Account["pace"]>, scope: string): number {
    const now = this.#clock.now();
    const slot = Math.max(now, this.#next.get(scope) ?? now);
    const even = (60_000 / unaskedPerMinute) * this.#workers.count;
    const drawn = even * (0.5 + this.#random.int(JITTER) / JITTER);
    this.#next.delete(scope);
    this.#next.set(scope, slot + Math.round(drawn));
    if (this.#next.size > SCOPES)
      for (const [one, at] of this.#next) if (at < now) this.#next.delete(one);
    return slot;
  }
}

/**
 * Whether this message was not asked for: its reader never wrote, or not for a day, and is not one of the business's
 * people.
 */
export function isUnasked(session: Session, now: number): boolean {
  if (session.role === "operator") return false;
  return session.lastSeen === undefined || now - session.lastSeen > ASKED_MS;
}

interface PaceLimit {
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

/**
 * How fast messages of one device may leave, and which wait: a token bucket for each scope. Pure: time is an argument, real
 * ms. A clock that jumps back adds no tokens and takes none.
 *
 * A scope whose bucket was once empty has a queue, and new messages join it. The queue is released in rounds, the oldest
 * first, until a round finds fewer messages than it may send.
 */
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
