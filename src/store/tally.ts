/** A count of data keys by the entry that wraps them. */
import type { KeyCensus } from "./port.ts";
import { entryOf, type KeyRing } from "./seal.ts";

export class Tally {
  readonly #ring: KeyRing;
  readonly #keys = new Map<string, number>();
  #rewrapped = 0;

  constructor(ring: KeyRing) {
    this.#ring = ring;
    for (const entry of ring.entries) this.#keys.set(entry, 0);
  }

  /** Whether this key should and can be wrapped anew. */
  isDue(wrapped: string): boolean {
    return this.#ring.isStale(wrapped) && this.#ring.entries.includes(entryOf(wrapped));
  }

  add(wrapped: string, rewrapped = false): void {
    const entry = entryOf(wrapped);
    this.#keys.set(entry, (this.#keys.get(entry) ?? 0) + 1);
    if (rewrapped) this.#rewrapped += 1;
  }

  /** `inUse`: entries that running processes wrap with, besides this one's active entry. */
  result(inUse: ReadonlySet<string> = new Set()): KeyCensus {
    const { active, entries: given } = this.#ring;
    return {
      active,
      entries: [...this.#keys].map(([entry, keys]) => ({
        ...{ entry, keys, given: given.includes(entry) },
        inUse: entry === active || inUse.has(entry),
      })),
      rewrapped: this.#rewrapped,
    };
  }
}
