/** Listeners for work that became ready. Hints only: a listener that throws or a hint that is lost costs time, not work. */
export type Work = "turns" | "outbox";

export class Wake {
  readonly #listeners = new Set<(what: Work) => void>();

  on(listener: (what: Work) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(what: Work): void {
    for (const listener of this.#listeners) {
      try {
        listener(what);
      } catch {
        // A listener that throws does not stop the others.
      }
    }
  }
}
