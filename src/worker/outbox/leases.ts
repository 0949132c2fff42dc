/**
 * Leases of effects that may be repeated: short, and renewed while their calls run. So what a dead process left behind is
 * judged in seconds, however long a call may take.
 */
import type { WorkerContext } from "../context/worker-context.ts";
import { type Held, moment } from "../fleet/tenure.ts";

/** The tail after a crash. Two renewals may fail before a call that still runs is taken for lost. */
export const SHORT_LEASE_MS = 6_000;
const RENEW_MS = 2_000;
/** A request that leaves has this much of its lease left at least: it is on its way before anybody judges it. */
export const LEAVE_MARGIN_MS = 1_000;

export class Leases {
  readonly #context: Pick<WorkerContext, "store" | "log" | "clock">;
  readonly #held = new Set<Held>();
  /** Those whose renewal is not answered yet. */
  readonly #asked = new Map<Held, Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(context: Pick<WorkerContext, "store" | "log" | "clock">) {
    this.#context = context;
  }

  /** Renewed from now on, until {@link drop}. */
  hold(begun: Held): void {
    this.#held.add(begun);
    this.#timer ??= setInterval(() => void this.#tick(), RENEW_MS).unref();
  }

  drop(begun: Held): void {
    this.#held.delete(begun);
  }

  /**
   * Renews all that are held, each by itself, since a node that hangs would let all others' run out; errors are told in the
   * log. A refused one goes on where its call was made, and only the token decides whether its end counts; else nothing
   * leaves any more.
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

  /** Nothing is renewed any more: what is still held is left to others. */
  stop(): void {
    this.#held.clear();
    this.#rest();
  }

  async #tick(): Promise<void> {
    if (this.#held.size === 0) this.#rest();
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
    const [ours] = await this.#context.store.renew([one], SHORT_LEASE_MS);
    if (ours === true) one.tenure.extend(since, SHORT_LEASE_MS - LEAVE_MARGIN_MS);
    else if (ours === false) one.tenure.end();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
