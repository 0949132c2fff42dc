/**
 * How often this process looked at each job, and since when the gateway does not know it. Bounded: when full, newcomers wait
 * until one of those that are remembered has its end. Were others forgotten for them, no job would ever be looked at twice.
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

  /** What is known of this send. There is no room for it: as if it was never looked at. */
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

  /** It rests still, as a page of this tour says. */
  seen(id: string): void {
    const known = this.#looked.get(id);
    if (known) known.tour = this.#tour;
  }

  forget(id: string): void {
    this.#looked.delete(id);
  }

  /** All that rests was read: what no page held has its end. */
  toured(): void {
    for (const [id, { tour }] of this.#looked) if (tour !== this.#tour) this.#looked.delete(id);
    this.#tour++;
  }
}
