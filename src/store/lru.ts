import { trim } from "../base/index.ts";

/** A map that drops the entries not used for longest. */
export class Lru<K, V> {
  readonly #size: number;
  readonly #entries = new Map<K, V>();

  constructor(size: number) {
    this.#size = size;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    trim(this.#entries, this.#size);
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }
}
