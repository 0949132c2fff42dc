/** Small sealed documents on Redis, each collection in a slot of its own. */
import { Fault, type JsonObject } from "../../base/index.ts";
import { associatedData } from "../names.ts";
import { pageOf } from "../page.ts";
import type { DocumentStore, Page } from "../port/port.ts";
import { type DataKey, isChanged } from "../sealing/seal.ts";
import { DamagedDocuments } from "../sealing/unreadable.ts";
import { CollectionKeys, prefixOf } from "./keys/collection-keys.ts";
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
