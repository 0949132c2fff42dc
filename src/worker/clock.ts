/**
 * The time of conversations: the system's clock, corrected to the store's, plus an offset that only a sandbox moves.
 *
 * Turns, timers and not-before times read it. HTTP time-outs, leases and polling never do.
 */
export class VirtualClock {
  readonly #system: () => number;
  #skew = 0;
  #synced = false;
  #offset = 0;
  readonly #moved = new Set<() => void>();

  constructor(system: () => number = Date.now) {
    this.#system = system;
  }

  /** Ms since the epoch, virtual. */
  now(): number {
    return this.#system() + this.#skew + this.#offset;
  }

  /** Ms since the epoch, real, by the store's clock: for times that several processes read. */
  shared(): number {
    return this.#system() + this.#skew;
  }

  /** Ms since the epoch, real: for what a person or a network waits for. */
  real(): number {
    return this.#system();
  }

  /** What `mail.tick` and `effects.begin` of the store add to the store's own clock. Zero against a real gateway. */
  get offsetMs(): number {
    return this.#offset;
  }

  /**
   * Measures how far this machine's clock is from the store's, so that a wrong clock here moves no timer. An answer that
   * took long is imprecise; it changes the offset only where the clocks must differ. Answers the store's time, ms.
   */
  async sync(store: { now(): Promise<number> }): Promise<number> {
    const before = this.#system();
    const told = await store.now();
    const after = this.#system();
    const skew = Math.round(told - (before + after) / 2);
    const unsure = (after - before) / 2;
    if (!this.#synced || Math.abs(skew - this.#skew) > unsure) this.#skew = skew;
    this.#synced = true;
    return told;
  }

  /**
   * Moves virtual time to `time`. An earlier time changes nothing unless the clock is set `back`, because reports of moves
   * may arrive out of order.
   */
  moveTo(time: number, back = false): void {
    const ahead = Math.round(time - this.now());
    if (back ? ahead === 0 : ahead <= 0) return;
    this.#offset += ahead;
    for (const listener of this.#moved) listener();
  }

  /** Called after each move. Returns what takes the listener off again. */
  onMove(listener: () => void): () => void {
    this.#moved.add(listener);
    return () => this.#moved.delete(listener);
  }
}
