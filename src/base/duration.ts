/** Durations as people write them in flows and settings: `90s`, `15m`, `2h`, `3d`. */

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Texts that were read before: a flow says the same few with every question. */
const known = new Map<string, number | null>();
const KNOWN_MAX = 500;
/** What is no duration may be of any length. */
const LONGEST = 20;

/** Milliseconds of a duration, or null when the text is none. At most 10 years. */
export function durationMs(text: string): number | null {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= KNOWN_MAX) known.clear();
  const ms = read(text);
  if (text.length <= LONGEST) known.set(text, ms);
  return ms;
}

function read(text: string): number | null {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(s|m|h|d)$/.exec(text.trim());
  if (!match) return null;
  const ms = Math.round(Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS]);
  return ms <= 3_650 * UNIT_MS.d ? ms : null;
}
