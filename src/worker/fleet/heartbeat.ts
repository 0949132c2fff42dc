/**
 * The one timer of what a worker does regularly, whatever comes in: it looks at the store, says that it is there, and
 * renews its leases. No part waits for another.
 */

const BEAT_MS = 1_000;

export interface HeartbeatPart {
  /** Between two beats, ms: a multiple of a second. The first one comes a second early at most. */
  readonly everyMs: number;
  /** Never rejects. */
  beat(): Promise<void>;
}

export class Heartbeat {
  /** The parts, and how many of the timer's beats each has seen. */
  readonly #parts = new Map<HeartbeatPart, number>();
  #timer: NodeJS.Timeout | undefined;

  /** Beats from now on, until {@link remove}. A part that was added already keeps its time. */
  add(part: HeartbeatPart): void {
    if (!this.#parts.has(part)) this.#parts.set(part, 0);
    this.#timer ??= setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  /** The timer ends with its last part. */
  remove(part: HeartbeatPart): void {
    this.#parts.delete(part);
    if (this.#parts.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    for (const [part, seen] of this.#parts) {
      this.#parts.set(part, seen + 1);
      if ((seen + 1) % (part.everyMs / BEAT_MS) === 0) void part.beat();
    }
  }
}
