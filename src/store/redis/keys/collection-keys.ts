/**
 * Data keys of collections as this process knows them. A fail-over may lose the key that stands in the store: then another
 * process makes another one, and what is sealed with the one remembered here would open nowhere once this process ends.
 */
import { type DataKey, isChanged, isOneKey, unwrapped } from "../../sealing/seal.ts";
import type { Hub } from "../connection/hub.ts";

/** Tries to write a key down: others do so only for a moment, after a loss and while keys are rotated. */
const TRIES = 4;

export interface CollectionKey {
  readonly key: DataKey;
  readonly wrapped: string;
}

export class CollectionKeys {
  readonly #hub: Hub;
  readonly #known = new Map<string, CollectionKey>();
  readonly #asked = new Map<string, Promise<CollectionKey>>();

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  /** From memory, where it was met before: whoever writes tells the store which key that was. */
  async of(collection: string): Promise<CollectionKey> {
    return this.#known.get(collection) ?? this.#ask(collection);
  }

  /** As it stands in the store by now, for who found `was` of no use; asked once for all who find so together. */
  async anew(collection: string, was: CollectionKey): Promise<CollectionKey> {
    const known = this.#known.get(collection);
    return known === undefined || known === was ? this.#ask(collection) : known;
  }

  #ask(collection: string): Promise<CollectionKey> {
    const asked = this.#asked.get(collection);
    if (asked) return asked;
    const found = this.#read(collection)
      .then((read) => {
        this.#known.set(collection, read);
        return read;
      })
      .finally(() => this.#asked.delete(collection));
    this.#asked.set(collection, found);
    return found;
  }

  /** Made once: of two processes that make one at the same time, the first one's stays. One that was lost goes back. */
  async #read(collection: string): Promise<CollectionKey> {
    const { work, ring } = this.#hub;
    const [meta, owner] = [`${prefixOf(collection)}meta`, `collection ${collection}`];
    const known = this.#known.get(collection);
    for (let tries = 1; ; tries += 1) {
      const stored =
        (await work.ask((client) => client.hget(meta, "k"))) ??
        String(
          await work.script("first-field", meta, "k", known?.wrapped ?? ring.make(owner).wrapped),
        );
      const wanted = this.#wanted(owner, stored, known);
      const isThere =
        wanted === stored || (await work.script("rewrap-field", meta, "k", stored, wanted)) === 1;
      // It is known all the same: what is written under another key than stands there is refused.
      if (isThere || tries === TRIES)
        return { key: ring.unwrap(owner, wanted).key, wrapped: wanted };
    }
  }

  /**
   * What is to stand there: wrapped by the entry in force, and behind it what was lost here and is still known, for the
   * documents it sealed.
   */
  #wanted(owner: string, stored: string, known: CollectionKey | undefined): string {
    const { ring } = this.#hub;
    try {
      const { stale } = unwrapped(ring, owner, stored);
      const whole = known ? ring.keep(owner, stored, known.wrapped) : stored;
      return whole === stored && stale ? ring.rewrap(owner, stored) : whole;
    } catch (error) {
      // Its wrapping was changed, and it was opened here before.
      if (known && isChanged(error) && isOneKey(stored, known.wrapped)) return known.wrapped;
      throw error;
    }
  }
}

/** Braces in a collection's name would choose another slot. */
export function prefixOf(collection: string): string {
  return `prosa:{d:${encodeURIComponent(collection)}}:`;
}
