/** Pages of lists, and where each ends. */
import type { Page } from "./port/port.ts";

/** Score and name of a page's last entry. Opaque to callers. */
interface Cursor {
  readonly score: number;
  readonly member: string;
}

export function cursorOf(score: number, member: string): string {
  return `${score}~${member}`;
}

/** Undefined for a cursor that is not one: then the first page is read. */
export function readCursor(text: string | undefined): Cursor | undefined {
  const match = /^(\d{1,15})~(.+)$/.exec(text ?? "");
  return match?.[1] && match[2] ? { score: Number(match[1]), member: match[2] } : undefined;
}

/** Names in the order of Redis and SQLite: by code unit. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A page of rows that were read with one more than its limit. */
export function pageOf<T>(rows: readonly T[], limit: number, cursor: (last: T) => string): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? cursor(last) : undefined };
}

/** The items of all pages, page by page. */
export async function* itemsOf<T>(
  read: (after: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T> {
  let after: string | undefined;
  do {
    const page = await read(after);
    yield* page.items;
    after = page.next;
  } while (after !== undefined);
}
