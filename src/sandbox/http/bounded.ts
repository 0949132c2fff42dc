/** What the sandbox remembers is bounded: lists by rows, rows by text length. */
import type { Json, JsonObject } from "../../base/index.ts";

/** Rows of any list a control shows; the oldest leave first. */
const LIST_LIMIT = 10_000;

/** Longest text kept inside a remembered body, in UTF-16 units: media in Base64 would fill the memory. */
export const TEXT_KEPT = 4_096;

/** How much of a longer text stays readable. */
const TEXT_SHOWN = 256;

/** Deepest nesting kept of a remembered body. */
const DEPTH_KEPT = 24;

/** Values of these keys are secrets and are never remembered. */
const SECRETS = new Set(["senha", "certificado", "password"]);

export function isSecret(key: string): boolean {
  return SECRETS.has(key);
}

/** A list that forgets its oldest rows. */
export class BoundedList<T> {
  readonly limit: number;
  #rows: T[] = [];

  constructor(limit: number = LIST_LIMIT) {
    this.limit = limit;
  }

  /** Adds a row and returns the one that had to leave, if any. */
  push(row: T): T | undefined {
    this.#rows.push(row);
    return this.#rows.length > this.limit ? this.#rows.shift() : undefined;
  }

  /** Oldest first. */
  all(): readonly T[] {
    return this.#rows;
  }

  find(test: (row: T) => boolean): T | undefined {
    return this.#rows.findLast(test);
  }
}

/** A bounded list whose rows belong to callers. */
export class OwnedList<T> {
  readonly #rows = new BoundedList<{ readonly row: T; readonly account: string | null }>();

  /** `account` is null for what nobody known has done. */
  push(row: T, account: string | null): void {
    this.#rows.push({ row, account });
  }

  /** Oldest first; one account's only, or everybody's. */
  all(account?: string): readonly T[] {
    const rows = this.#rows.all();
    const own = account === undefined ? rows : rows.filter((entry) => entry.account === account);
    return own.map((entry) => entry.row);
  }
}

/** A file as it is kept: its bytes in Base64. */
export interface StoredFile {
  readonly base64: string;
  readonly mimetype: string;
  readonly fileName?: string;
}

/** Files by key, within a number of Base64 characters; the oldest leave first. */
export class Files {
  readonly #budget: number;
  readonly #byKey = new Map<string, StoredFile>();
  #size = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  add(key: string, file: StoredFile): void {
    this.#byKey.set(key, file);
    this.#size += file.base64.length;
    for (const [oldest, kept] of this.#byKey) {
      if (this.#size <= this.#budget) break;
      this.#byKey.delete(oldest);
      this.#size -= kept.base64.length;
    }
  }

  find(key: string): StoredFile | undefined {
    return this.#byKey.get(key);
  }
}

/** A copy fit for a list: long texts cut, secrets left out, depth bounded. */
export function clip(value: unknown, depth = 0): Json {
  if (typeof value === "string") return clipText(value);
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object") return null;
  if (depth > DEPTH_KEPT) return "…";
  if (Array.isArray(value)) return value.slice(0, LIST_LIMIT).map((item) => clip(item, depth + 1));
  const copy: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value))
    if (item !== undefined && key !== "__proto__")
      copy[key] = isSecret(key) && typeof item === "string" ? "[secret]" : clip(item, depth + 1);
  return copy;
}

function clipText(text: string): string {
  if (text.length <= TEXT_KEPT) return text;
  return `${text.slice(0, TEXT_SHOWN)}…[${text.length} characters]`;
}

/** Whether a value is a plain JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object under a key, or an empty one. */
export function objectAt(body: JsonObject, key: string): JsonObject {
  const value = body[key];
  return isObject(value) ? value : {};
}

/** The text under a key, numbers taken as text; else undefined. */
export function textAt(body: JsonObject, key: string): string | undefined {
  const value = body[key];
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : undefined;
}
