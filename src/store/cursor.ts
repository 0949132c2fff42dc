/** Where a page ended: score and name of its last entry. Opaque to callers. */
export interface Cursor {
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
