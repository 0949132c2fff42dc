/** Work that became ready. A hint: a lost one costs time, no work. */
export type Work = "turns" | "outbox";

/** Whoever wants to hear of something. A listener that throws stops neither the others nor what is told of. */
export class Listeners<T> {
  readonly #all = new Set<(value: T) => void>();

  /** Returns what takes the listener off again. */
  add(listener: (value: T) => void): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  tell(value: T): void {
    for (const listener of this.#all) {
      try {
        listener(value);
      } catch {
        // The others are told all the same.
      }
    }
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }
}
