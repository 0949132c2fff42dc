/** A count of data keys by the entry that wraps them. */
import type { KeyCensus } from "./port/port.ts";
import { entryOf, isChanged, type KeyRing } from "./sealing/seal.ts";

export class KeyTally {
  readonly #ring: KeyRing;
  readonly #keys = new Map<string, number>();
  #damaged = 0;
  #rewrapped = 0;

  constructor(ring: KeyRing) {
    this.#ring = ring;
    for (const entry of ring.entries) this.#keys.set(entry, 0);
  }

  /**
   * What to store in place of a key's wrapping; undefined when it is right, or cannot be opened here. Never throws, so that
   * one damaged key does not keep the others from being wrapped anew.
   */
  anew(owner: string, wrapped: string): string | undefined {
    const ring = this.#ring;
    if (stateOf(ring, owner, wrapped) !== "open") return ring.renamed(owner, wrapped);
    return ring.isStale(wrapped) ? ring.rewrap(owner, wrapped) : undefined;
  }

  add(owner: string, wrapped: string, rewrapped = false): void {
    if (rewrapped) this.#rewrapped += 1;
    if (stateOf(this.#ring, owner, wrapped) === "changed") {
      this.#damaged += 1;
      return;
    }
    const entry = entryOf(wrapped);
    this.#keys.set(entry, (this.#keys.get(entry) ?? 0) + 1);
  }

  /** `inUse`: entries that running processes wrap with, besides this one's active entry. */
  result(inUse: ReadonlySet<string> = new Set()): KeyCensus {
    const { active, entries: given } = this.#ring;
    return {
      active,
      entries: [...this.#keys].map(([entry, keys]) => ({
        entry,
        keys,
        given: given.includes(entry),
        inUse: entry === active || inUse.has(entry),
      })),
      damaged: this.#damaged,
      rewrapped: this.#rewrapped,
    };
  }
}

/** `changed`: it does not open although its entry is here: its bytes, or those of the entry, are others. */
function stateOf(ring: KeyRing, owner: string, wrapped: string): "open" | "missing" | "changed" {
  try {
    ring.unwrap(owner, wrapped);
    return "open";
  } catch (error) {
    return isChanged(error) ? "changed" : "missing";
  }
}
