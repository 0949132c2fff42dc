/** Small sealed documents of the embedded store. */
import type { JsonObject } from "../../base/index.ts";
import { associatedData } from "../names.ts";
import { pageOf } from "../page.ts";
import type { DocumentStore, Page } from "../port/port.ts";
import { type DataKey, unwrapped } from "../sealing/seal.ts";
import { DamagedDocuments } from "../sealing/unreadable.ts";
import type { Base } from "./file/base.ts";

interface DocRow {
  readonly id: string;
  readonly rev: number;
  readonly sealed: string;
}
interface Doc {
  readonly value: JsonObject;
  readonly rev: number;
}
const DEFAULT_PAGE = 100;

export class Documents implements DocumentStore {
  readonly #base: Base;
  /** Opened with the key as it was wrapped: a step that is undone takes back a key that was made in it. */
  readonly #keys = new Map<string, { readonly key: DataKey; readonly wrapped: string }>();
  readonly damaged = new DamagedDocuments();

  constructor(base: Base) {
    this.#base = base;
  }

  async get(collection: string, id: string): Promise<Doc | null> {
    const row = this.#row(collection, id);
    return row ? { value: this.#open(collection, row), rev: row.rev } : null;
  }

  put(
    collection: string,
    id: string,
    value: JsonObject,
    expect?: number,
  ): Promise<number | "conflict"> {
    const { file } = this.#base;
    return file.commit(() => {
      const key = this.#keyOf(collection, true);
      const rev = this.#row(collection, id)?.rev ?? 0;
      if (expect !== undefined && expect !== rev) return "conflict";
      const floor = file.get<{ floor: number }>(
        "SELECT floor FROM collection WHERE name = ?",
        collection,
      )?.floor;
      const next = (rev === 0 ? (floor ?? 0) : rev) + 1;
      const sealed = key?.seal(associatedData.doc(collection, id), value) ?? "";
      file.run(
        "INSERT OR REPLACE INTO doc (collection, id, rev, sealed) VALUES (?, ?, ?, ?)",
        collection,
        id,
        next,
        sealed,
      );
      return next;
    });
  }

  remove(collection: string, id: string): Promise<boolean> {
    const { file } = this.#base;
    return file.commit(() => {
      const row = this.#row(collection, id);
      if (!row) return false;
      file.run("DELETE FROM doc WHERE collection = ? AND id = ?", collection, id);
      // A document made again starts above every revision it ever had, so that an old reader does not mistake it for the one
      // it knew.
      file.run("UPDATE collection SET floor = MAX(floor, ?) WHERE name = ?", row.rev, collection);
      return true;
    });
  }

  async list(
    collection: string,
    options: { after?: string; limit?: number } = {},
  ): Promise<Page<Doc & { readonly id: string }>> {
    const { items, ...next } = this.#rows(collection, options);
    // When the collection's key does not open, the whole list is refused, because no document is at fault.
    if (items.length > 0) this.#keyOf(collection, false);
    const opened = items.flatMap((row) =>
      this.damaged.readable(collection, row.id, () => {
        return { id: row.id, value: this.#open(collection, row), rev: row.rev };
      }),
    );
    return { items: opened, ...next };
  }

  async ids(
    collection: string,
    options: { after?: string; limit?: number } = {},
  ): Promise<Page<string>> {
    const { items, ...next } = this.#rows(collection, options);
    return { items: items.map(({ id }) => id), ...next };
  }

  /** A page as it is stored. */
  #rows(
    collection: string,
    { after = "", limit = DEFAULT_PAGE }: { after?: string; limit?: number },
  ): Page<DocRow> {
    const rows = this.#base.file.all<DocRow>(
      "SELECT id, rev, sealed FROM doc WHERE collection = ? AND id > ? ORDER BY id LIMIT ?",
      collection,
      after,
      limit + 1,
    );
    return pageOf(rows, limit, ({ id }) => id);
  }

  #row(collection: string, id: string): DocRow | undefined {
    return this.#base.file.get<DocRow>(
      "SELECT id, rev, sealed FROM doc WHERE collection = ? AND id = ?",
      collection,
      id,
    );
  }

  #open(collection: string, row: DocRow): JsonObject {
    const key = this.#keyOf(collection, false);
    return key?.open(associatedData.doc(collection, row.id), row.sealed) as JsonObject;
  }

  #keyOf(collection: string, make: boolean): DataKey | undefined {
    const { file, ring } = this.#base;
    const owner = `collection ${collection}`;
    const row = file.get<{ dkey: string }>(
      "SELECT dkey FROM collection WHERE name = ?",
      collection,
    );
    if (!row && !make) return undefined;
    const known = this.#keys.get(collection);
    if (row && row.dkey === known?.wrapped) return known.key;
    const wrapped = row?.dkey ?? ring.make(owner).wrapped;
    const { key, stale } = unwrapped(ring, owner, wrapped);
    this.#keys.set(collection, { key, wrapped });
    if (!row)
      file.run("INSERT INTO collection (name, dkey, floor) VALUES (?, ?, 0)", collection, wrapped);
    if (stale)
      file.run(
        "UPDATE collection SET dkey = ? WHERE name = ?",
        ring.rewrap(owner, wrapped),
        collection,
      );
    return key;
  }
}
