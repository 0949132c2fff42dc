/** Whoever wants to hear of something, so that a part can tell of it before those who listen are made. */
export class Listeners<T> {
  readonly #all = new Set<(value: T) => void>();

  /** Returns what takes the listener off again. */
  add(listener: (value: T) => void): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  tell(value: T): void {
    for (const listener of this.#all) listener(value);
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }
}
