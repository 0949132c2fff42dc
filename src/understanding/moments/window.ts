/** The values that a question takes: from one to another, both included. */
import { localDay } from "../../brazil/index.ts";
import type { Hint, TextContext, Within } from "../understood.ts";
import type { Around } from "./day-meaning.ts";

export function isWithin(value: string, { from, to }: Within): boolean {
  return (from === undefined || value >= from) && (to === undefined || value <= to);
}

/** What is wrong with values none of which is taken; the nearest decides. */
export function outside(values: readonly string[], { from, to }: Within): Hint {
  const before = values.flatMap((value) =>
    from !== undefined && value < from ? [apart(value, from)] : [],
  );
  const after = values.flatMap((value) =>
    to !== undefined && value > to ? [apart(to, value)] : [],
  );
  return Math.min(...before, Infinity) <= Math.min(...after, Infinity) ? "too-early" : "too-late";
}

/** How far two days, or two times, are from each other. */
function apart(from: string, to: string): number {
  const at = (value: string): number =>
    Date.parse(value.includes(":") ? `1970-01-01T${value}Z` : `${value}T00:00Z`);
  return at(to) - at(from);
}

export function aroundOf(
  { now, zone }: Pick<TextContext, "now" | "zone">,
  { from, to }: Within,
): Around {
  const today = localDay(now, zone);
  return {
    today,
    since: from !== undefined && from > today ? from : today,
    until: to !== undefined && to < today ? to : today,
  };
}

/** The text with blanks in place of what was found in it: places stay. */
export function without(
  text: string,
  found: readonly { readonly start: number; readonly end: number }[],
): string {
  return found.reduce(
    (rest, { start, end }) => rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end),
    text,
  );
}
