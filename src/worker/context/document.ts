/** A small document of the store, changed by compare-and-set however many processes change it. */
import type { JsonObject } from "../../base/index.ts";
import { itemsOf } from "../../store/index.ts";
import type { Store } from "../../store/port/port.ts";

/** Tries to write what other processes change at the same time. */
const WRITE_TRIES = 8;

/** Changes of this process to one document wait for each other, so that many at once do not conflict. */
const queues = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Changes a document, or leaves it (`change` gives null). Answers what is stored afterwards; null when there is none.
 * Throws what the store throws, and when other processes change the document again and again.
 */
export function changeDocument(
  store: Pick<Store, "documents">,
  collection: string,
  id: string,
  change: (value: JsonObject | null) => JsonObject | null,
): Promise<JsonObject | null> {
  const queue = queues.get(store) ?? new Map<string, Promise<unknown>>();
  queues.set(store, queue);
  const name = `${collection} ${id}`;
  const before = queue.get(name) ?? Promise.resolve();
  const changed = before
    .catch(() => undefined)
    .then(() => changeNow(store, collection, id, change))
    .finally(() => {
      if (queue.get(name) === changed) queue.delete(name);
    });
  queue.set(name, changed);
  return changed;
}

async function changeNow(
  store: Pick<Store, "documents">,
  collection: string,
  id: string,
  change: (value: JsonObject | null) => JsonObject | null,
): Promise<JsonObject | null> {
  for (let tries = 0; tries < WRITE_TRIES; tries++) {
    const found = await store.documents.get(collection, id);
    const next = change(found?.value ?? null);
    if (!next) return found?.value ?? null;
    const put = await store.documents.put(collection, id, next, found?.rev ?? 0);
    if (put !== "conflict") return next;
  }
  throw new Error(`a document of ${collection} was changed by others again and again`);
}

/** Every document of a collection, page by page. */
export function documentsOf({ documents }: Pick<Store, "documents">, collection: string) {
  return itemsOf((after) => documents.list(collection, { after }));
}
