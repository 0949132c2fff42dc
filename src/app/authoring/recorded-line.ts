/** What a journal holds, as lines of a chat file write it. Every word passes through the masker. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { JournalRecord } from "../../engine/index.ts";
import type { Masker } from "./masker.ts";

type Content = Extract<
  Extract<JournalRecord["mail"], { kind: "inbound" }>["event"],
  { kind: "message" }
>["content"];

/** Words as somebody typed them: further lines are indented, and brackets at the beginning are no action of a phone. */
export function typed(text: string): string {
  return continued(text.replace(/^\[/, "\\["));
}

/** A message of a person. */
export function written(content: Content, masker: Masker): string {
  switch (content.type) {
    case "text":
      return typed(masker.mask(content.text));
    case "choice": {
      const [pick] = content.picks;
      const label = masker.mask(pick?.label ?? "");
      return content.via === "poll" ? `[vote "${label}"]` : `[button ${pick?.id ?? ""} "${label}"]`;
    }
    case "media": {
      const caption = content.caption ? ` ${continued(masker.mask(content.caption))}` : "";
      return `[${content.media === "audio" ? "audio 5s" : `${content.media} file`}]${caption}`;
    }
    case "location":
      return `[location -23.5,-46.6]`;
    case "contacts":
      return `[contact "Ana" ${masker.mask(content.contacts[0]?.phone ?? "")}]`;
    case "other":
      return "[sticker]";
  }
}

/** A reaction; undefined for one that was taken away, which no line writes. */
export function reaction(emoji: string): string | undefined {
  return /^[^\]\s"\\]+$/.test(emoji) ? `[reaction ${emoji}]` : undefined;
}

/** What came of a call: words as `name="…"`, everything else as `name:=JSON`. */
export function fields(out: JsonObject, masker: Masker): string {
  return Object.entries(out)
    .map(([name, value]) => {
      const hidden = masked(value ?? null, masker);
      return typeof hidden === "string"
        ? ` ${name}=${quoted(hidden)}`
        : ` ${name}:=${quoted(JSON.stringify(hidden))}`;
    })
    .join("");
}

/** Only what cannot be written in one word is quoted more than once; a quoted text may have several lines. */
function quoted(text: string): string {
  return `"${continued(text.replace(/[\\"]/g, "\\$&"))}"`;
}

function masked(value: Json, masker: Masker): Json {
  if (typeof value === "string") return masker.mask(value);
  if (typeof value === "number") {
    // A document or a phone may stand there as a number.
    const hidden = Number(masker.mask(String(value)));
    return Number.isNaN(hidden) ? 0 : hidden;
  }
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => masked(one, masker));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, masked(one ?? null, masker)]),
  );
}

/** Lines after the first one continue it. */
export function continued(text: string): string {
  return text.split(/\r?\n/).join("\n  ");
}

/** How long nothing happened, whole seconds. */
export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds % 3_600 === 0) return `${seconds / 3_600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
