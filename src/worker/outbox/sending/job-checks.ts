/**
 * How often this process looked at each job, and since when the gateway does not know it. Bounded: when full, new jobs wait
 * until a remembered one has its end. Forgetting one instead would mean that no job is looked at twice.
 */

export interface Looked {
  times: number;
  /** Virtual time since when the gateway does not know the job. */
  unknownSince?: number;
}

export class Looks {
  readonly #most: number;
  readonly #looked = new Map<string, Looked & { tour: number }>();
  #tour = 0;

  /** `most`: sends that are remembered. */
  constructor(most: number) {
    this.#most = most;
  }

  /** What is known of this send. When the memory is full it counts as never looked at. */
  of(id: string): Looked {
    const known = this.#looked.get(id);
    if (known) return known;
    const made = { times: 0, tour: this.#tour };
    if (this.#looked.size < this.#most) this.#looked.set(id, made);
    return made;
  }

  /** Whether the gateway did not know its job when it was asked last. */
  isDoubtful(id: string): boolean {
    return this.#looked.get(id)?.unknownSince !== undefined;
  }

  /** It was on a page of this tour, so it is still enqueued. */
  seen(id: string): void {
    const known = this.#looked.get(id);
    if (known) known.tour = this.#tour;
  }

  forget(id: string): void {
    this.#looked.delete(id);
  }

  /** All pages were read: a send that was on none of them has its end. */
  toured(): void {
    for (const [id, { tour }] of this.#looked) if (tour !== this.#tour) this.#looked.delete(id);
    this.#tour++;
  }
}
