/** What all renderings share: bold text without its stars, and texts fitted to a channel's limit without losing the choices. */
import { withNumbers, type Outbound } from "../../engine/index.ts";
import { hash } from "node:crypto";

/** Longest text one send takes, UTF-16 units: what engine A documents, and what the gateway lets through for all. */
export const SEND_LIMIT = 5_000;

/** Longest caption under media. */
export const CAPTION_LIMIT = 1_024;

const CUT = "…";

const BOLD = /(^|[\s(“"'])\*(?=\S)([^*\n]{1,400}?)(?<=\S)\*(?=$|[\s).,;:!?”"'])/gm;

/** `*bold*` as `show` makes it; a lone star, `2 * 3` and the stars of a masked document stay. */
export function withBold(text: string, show: (words: string) => string): string {
  if (!text.includes("*")) return text;
  return text.replace(BOLD, (_, before: string, words: string) => before + show(words));
}

/** `*bold*` without its stars. */
export function withoutBold(text: string): string {
  return withBold(text, (words) => words);
}

/** Typing time of one letter, and the longest pause before a message, ms. */
const LETTER_MS = 18;
const TYPING_MS = 1_500;

/** How long a person would be seen typing this, whole ms: words come neither at once nor late. */
export function typingMs({ text, media }: Pick<Outbound, "text" | "media">): number {
  return media ? 0 : Math.min(TYPING_MS, text.length * LETTER_MS);
}

/** Cut to `limit` UTF-16 units, never inside a surrogate pair. */
export function cutTo(text: string, limit: number, mark = CUT): string {
  if (text.length <= limit) return text;
  if (limit < mark.length) return "";
  const kept = text.slice(0, limit - mark.length);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}${mark}`;
}

/** The whole message as one text: numbered choices at the end are kept, the words before them are cut. */
export function numberedText(message: Outbound, limit: number, bold: boolean, mark = CUT): string {
  const shown = bold ? message : { ...message, text: withoutBold(message.text) };
  const whole = withNumbers(shown);
  if (whole.length <= limit) return whole;
  const rows = withNumbers({ ...shown, text: "" });
  if (rows.length >= limit) return cutTo(whole, limit, mark);
  return `${cutTo(shown.text, limit - rows.length, mark)}${rows}`;
}

/** A place with the name and the address without which engines refuse it. */
export function namedPlace(place: NonNullable<Outbound["location"]>) {
  const { latitude, longitude, name = "📍", address = `${latitude}, ${longitude}` } = place;
  return { name, address, latitude, longitude };
}

/** A place as words and a link that every phone opens. */
export function placeInWords(place: NonNullable<Outbound["location"]>): string {
  const { latitude, longitude, name, address } = place;
  const link = `https://www.google.com/maps?q=${latitude},${longitude}`;
  return [name, address, link].filter(Boolean).join("\n");
}

/** Only the beginning counts: engines cut long texts at different places. Unit: UTF-16 units. */
const ECHO_LENGTH = 1_000;

/** Hash of a text, 128 bits in hex, equal for its echo: white space and stars differ between engines. */
export function echoHash(text: string): string {
  const plain = withoutBold(text).normalize("NFC").replace(/\s+/g, " ").trim();
  return hash("sha256", plain.slice(0, ECHO_LENGTH)).slice(0, 32);
}
