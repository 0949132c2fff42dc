/** Small sealed documents on Redis, each collection in a slot of its own. */
import { Fault, type JsonObject } from "../../base/index.ts";
import { associatedData } from "../names.ts";
import { pageOf } from "../page.ts";
import type { DocumentStore, Page } from "../port/port.ts";
import { type DataKey, isChanged, isOneKey, unwrapped } from "../sealing/seal.ts";
import { DamagedDocuments } from "../sealing/unreadable.ts";
import type { RedisContext } from "./connection/redis-context.ts";
import { type Reply, list, number, text } from "./connection/script-calls.ts";

interface Doc {
  readonly value: JsonObject;
  readonly rev: number;
}

interface Row {
  readonly id: string;
  readonly stored: string;
}

const DEFAULT_PAGE = 100;
/** Tries to seal under the key in the store: it changes only after one was lost. */
const KEY_TRIES = 4;

export class Documents implements DocumentStore {
  readonly #context: RedisContext;
  readonly #keys: CollectionKeys;
  readonly damaged = new DamagedDocuments();

  constructor(context: RedisContext) {
    this.#context = context;
    this.#keys = new CollectionKeys(context);
  }

  async get(collection: string, id: string): Promise<Doc | null> {
    const stored = await this.#context.work.ask((client) =>
      client.hget(`${prefixOf(collection)}docs`, id),
    );
    if (stored === null) return null;
    return this.#opened(collection, (key) => openedBy(key, collection, id, stored));
  }

  async put(
    collection: string,
    id: string,
    value: JsonObject,
    expect?: number,
  ): Promise<number | "conflict"> {
    let known = await this.#keys.of(collection);
    for (let tries = 1; ; tries += 1) {
      const { key } = known;
      const sealed = key.seal(associatedData.doc(collection, id), value);
      const values = [id, sealed, expect ?? "", key.id];
      const rev = await this.#context.work.script("put", prefixOf(collection), ...values);
      if (rev !== "key") return rev === 0 ? "conflict" : number(rev);
      if (tries === KEY_TRIES)
        throw new Fault("STORE_UNAVAILABLE", "The data key of a collection keeps changing.");
      known = await this.#keys.anew(collection, known);
    }
  }

  async remove(collection: string, id: string): Promise<boolean> {
    return (await this.#context.work.script("remove", prefixOf(collection), id)) === 1;
  }

  async list(
    collection: string,
    options: { after?: string; limit?: number } = {},
  ): Promise<Page<Doc & { readonly id: string }>> {
    const { items: rows, next } = await this.#rows(collection, options);
    if (rows.length === 0) return { items: [], next };
    const opened = (key: DataKey, { id, stored }: Row) => ({
      id,
      ...openedBy(key, collection, id, stored),
    });
    const items = await this.#opened(
      collection,
      (key) => rows.map((row) => opened(key, row)),
      (key) =>
        rows.flatMap((row) => this.damaged.readable(collection, row.id, () => opened(key, row))),
    );
    return { items, next };
  }

  async ids(
    collection: string,
    options: { after?: string; limit?: number } = {},
  ): Promise<Page<string>> {
    const { items, ...next } = await this.#rows(collection, options);
    return { items: items.map(({ id }) => id), ...next };
  }

  /** With the known key. What it does not open was changed, or is sealed with a key that replaced it. */
  async #opened<T>(
    collection: string,
    open: (key: DataKey) => T,
    openAgain: (key: DataKey) => T = open,
  ): Promise<T> {
    const known = await this.#keys.of(collection);
    try {
      return open(known.key);
    } catch (error) {
      if (!isChanged(error)) throw error;
      return openAgain((await this.#keys.anew(collection, known)).key);
    }
  }

  /** A page as it is stored. */
  async #rows(
    collection: string,
    { after = "", limit = DEFAULT_PAGE }: { after?: string; limit?: number },
  ): Promise<Page<Row>> {
    const answer = await this.#context.work.script("list", prefixOf(collection), after, limit + 1);
    const flat = list(answer).map(text);
    const rows: Row[] = [];
    for (let index = 0; index < flat.length; index += 2)
      rows.push({ id: flat[index] ?? "", stored: flat[index + 1] ?? "" });
    return pageOf(rows, limit, ({ id }) => id);
  }
}

function openedBy(key: DataKey, collection: string, id: string, stored: Reply): Doc {
  const [, rev = "0", sealed = ""] = /^(\d+)\|(.*)$/.exec(text(stored)) ?? [];
  const value = key.open(associatedData.doc(collection, id), sealed) as JsonObject;
  return { value, rev: Number(rev) };
}

/** Tries to write a key: others write only for a moment, after a loss and while keys are rotated. */
const TRIES = 4;

interface CollectionKey {
  readonly key: DataKey;
  readonly wrapped: string;
}

/**
 * Data keys of collections as this process knows them. A fail-over may lose the key in the store. Then another process
 * makes another key, and what is sealed with the one remembered here would be unreadable once this process ends.
 */
class CollectionKeys {
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
function prefixOf(collection: string): string {
  return `prosa:{d:${encodeURIComponent(collection)}}:`;
}
