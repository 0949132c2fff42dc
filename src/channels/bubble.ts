/**
 * What all renderings share: stars taken out, and texts fitted to a channel's limit without losing the choices.
 */
import { withNumbers, type Outbound } from "../engine/index.ts";

/** Longest text one send takes, UTF-16 units: what engine A documents, and what the gateway lets through for all. */
export const SEND_LIMIT = 5_000;

const CUT = "…";

/** `*bold*` without its stars; a lone star and `2 * 3` stay. */
export function withoutBold(text: string): string {
  return text.replace(
    /(^|[\s(“"'])\*(?=\S)([^*\n]{1,400}?)(?<=\S)\*(?=$|[\s).,;:!?”"'])/gm,
    "$1$2",
  );
}

/** Cut to `limit` UTF-16 units, never inside a surrogate pair. */
export function cutTo(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, Math.max(0, limit - CUT.length));
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}${CUT}`;
}

/** The whole bubble as one text: numbered choices at the end are kept, the words before them give way. */
export function numberedText(message: Outbound, limit: number, bold: boolean): string {
  const shown = bold ? message : { ...message, text: withoutBold(message.text) };
  const whole = withNumbers(shown);
  if (whole.length <= limit) return whole;
  const rows = withNumbers({ ...shown, text: "" });
  if (rows.length >= limit) return cutTo(whole, limit);
  return `${cutTo(shown.text, limit - rows.length)}${rows}`;
}
