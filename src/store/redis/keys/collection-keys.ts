/**
 * Data keys of collections as this process knows them. A fail-over may lose the key in the store. Then another process
 * makes another key, and what is sealed with the one remembered here would be unreadable once this process ends.
 */
import { type DataKey, isChanged, isOneKey, unwrapped } from "../../sealing/seal.ts";
import type { RedisContext } from "../connection/redis-context.ts";

/** Tries to write a key: others write only for a moment, after a loss and while keys are rotated. */
const TRIES = 4;

export interface CollectionKey {
  readonly key: DataKey;
  readonly wrapped: string;
}

export class CollectionKeys {
  readonly #context: RedisContext;
  readonly #known = new Map<string, CollectionKey>();
  readonly #asked = new Map<string, Promise<CollectionKey>>();

  constructor(context: RedisContext) {
    this.#context = context;
  }

  /** From memory, if it was met before: whoever writes tells the store which key that was. */
  async of(collection: string): Promise<CollectionKey> {
    return this.#known.get(collection) ?? this.#ask(collection);
  }

  /** The key in the store now, for callers that found `was` of no use; read once for all of them. */
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

  /** Made once: of two processes that make one at the same time, the first one's stays. A lost key is put back. */
  async #read(collection: string): Promise<CollectionKey> {
    const { work, ring } = this.#context;
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
      // It is remembered all the same: the store refuses what is written under another key than its own.
      if (isThere || tries === TRIES)
        return { key: ring.unwrap(owner, wanted).key, wrapped: wanted };
    }
  }

  /**
   * What the store should have: the key wrapped by the active entry, and after it a key that was lost here and is still
   * known, for the documents it sealed.
   */
  #wanted(owner: string, stored: string, known: CollectionKey | undefined): string {
    const { ring } = this.#context;
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
