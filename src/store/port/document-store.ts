import type { JsonObject } from "../../base/index.ts";
import type { Page } from "./store-views.ts";

/**
 * Small sealed documents: accounts, users, flow ASTs, records of plugins, audit. Each collection has a data key of its
 * own (`name:account` keeps accounts apart). Collections and ids are stored as they are, so hash what names a person.
 * Revisions start at 1 and never repeat for an id; `expect` is the revision for compare-and-set, 0 for "must not exist".
 */
export interface DocumentStore {
  get(
    collection: string,
    id: string,
  ): Promise<{ readonly value: JsonObject; readonly rev: number } | null>;
  put(
    collection: string,
    id: string,
    value: JsonObject,
    expect?: number,
  ): Promise<number | "conflict">;
  remove(collection: string, id: string): Promise<boolean>;
  list(
    collection: string,
    options?: { after?: string; limit?: number },
  ): Promise<Page<{ readonly id: string; readonly value: JsonObject; readonly rev: number }>>;
  /** As `list`, ids alone, also of documents that cannot be opened. */
  ids(collection: string, options?: { after?: string; limit?: number }): Promise<Page<string>>;
}
