/**
 * How long an effect is certainly ours. A process may be stopped at any instruction and go on minutes later; by then
 * another one has judged its effects. So right before a request leaves, the time since its lease was asked for is checked.
 */
import type { Begun, Store } from "../../store/port/port.ts";
import type { VirtualClock } from "../clock.ts";
import type { Log } from "../ports.ts";
import type { Heartbeat, HeartbeatPart } from "../loop.ts";

/** A moment on both of the machine's clocks, ms. */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export function moment(clock: Pick<VirtualClock, "real">): Moment {
  return { wall: clock.real(), steady: performance.now() };
}

export class EffectLease {
  readonly #clock: Pick<VirtualClock, "real">;
  #since: Moment;
  #ms: number;

  /** `since`: taken before the store was asked, so that its lease cannot be the older one. `ms`: not counting a margin. */
  constructor(clock: Pick<VirtualClock, "real">, since: Moment, ms: number) {
    this.#clock = clock;
    this.#since = since;
    this.#ms = ms;
  }

  /** The lease was renewed. */
  extend(since: Moment, ms: number): void {
    this.#since = since;
    this.#ms = ms;
  }

  /** The store said that another worker has it. */
  end(): void {
    this.#ms = 0;
  }

  /**
   * Whether a request may still leave. The steady clock cannot be set but stands still while the machine is suspended; the
   * wall clock goes on. The larger difference counts: in doubt the request does not leave, and the effect is done later.
   */
  readonly isHeld = (): boolean => {
    const now = moment(this.#clock);
    return Math.max(now.steady - this.#since.steady, now.wall - this.#since.wall) < this.#ms;
  };
}

/** An effect in hand. */
export interface Held extends Begun {
  readonly lease: EffectLease;
}

/** Lease, ms. Two renewals may fail before a running call counts as lost. */
export const SHORT_LEASE_MS = 6_000;
/** A request leaves only with this much of its lease left, ms, so it is on its way before it is judged. */
export const LEAVE_MARGIN_MS = 1_000;

interface LeaseContext {
  readonly store: Pick<Store, "effects">;
  readonly log: Pick<Log, "error">;
  readonly clock: Pick<VirtualClock, "real">;
}

/**
 * Leases of effects that may be repeated: short, and renewed while their calls run. So the effects of a dead process are
 * judged within seconds, however long a call may take.
 */
export class Leases implements HeartbeatPart {
  /** Between two renewals, ms. */
  readonly everyMs = 2_000;
  readonly #heartbeat: Heartbeat;
  readonly #context: LeaseContext;
  readonly #held = new Set<Held>();
  /** Effects whose renewal was not answered yet. */
  readonly #asked = new Map<Held, Promise<unknown>>();

  constructor(context: LeaseContext, heartbeat: Heartbeat) {
    this.#heartbeat = heartbeat;
    this.#context = context;
  }

  /** Renewed from now on, until {@link drop}. */
  hold(begun: Held): void {
    this.#held.add(begun);
    this.#heartbeat.add(this);
  }

  drop(begun: Held): void {
    this.#held.delete(begun);
  }

  /**
   * Renews all that are held, each by itself, because one node that hangs would let all other leases run out. Errors go to
   * the log. When a renewal is refused, a call that left goes on and the token decides whether its end counts; a call that
   * did not leave will not.
   */
  async renew(): Promise<void> {
    const errors = (await Promise.all([...this.#held].map((one) => this.#renewed(one)))).filter(
      (error) => error !== undefined,
    );
    const calls = errors.length;
    if (calls > 0)
      this.#context.log.error(
        { err: errors[0], calls },
        "leases of calls on their way could not be renewed",
      );
  }

  /** Ends all renewals: other workers take over what is still held. */
  stop(): void {
    this.#held.clear();
    this.#heartbeat.remove(this);
  }

  async beat(): Promise<void> {
    if (this.#held.size === 0) this.#heartbeat.remove(this);
    else await this.renew();
  }

  /** The error, if there was one. */
  #renewed(one: Held): Promise<unknown> {
    const known = this.#asked.get(one);
    if (known) return known;
    const asked = this.#renew(one)
      .then(
        () => undefined,
        (error: unknown) => error,
      )
      .finally(() => this.#asked.delete(one));
    this.#asked.set(one, asked);
    return asked;
  }

  async #renew(one: Held): Promise<void> {
    const since = moment(this.#context.clock);
    const [ours] = await this.#context.store.effects.renew([one], SHORT_LEASE_MS);
    if (ours === true) one.lease.extend(since, SHORT_LEASE_MS - LEAVE_MARGIN_MS);
    else if (ours === false) one.lease.end();
  }
}
