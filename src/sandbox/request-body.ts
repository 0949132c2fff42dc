/** Reading request bodies: JSON whatever the content type says, also on GET and DELETE; no body is an empty object. */
import type { FastifyInstance } from "fastify";

/** Bytes of one request: 16 MiB of media as Base64, with room for the rest. */
export const BODY_LIMIT_BYTES = 24 * 1_024 * 1_024;

/** Deepest nesting taken: far beyond any real body, far below any stack's end. */
const DEPTH_LIMIT = 64;

export type BodyReading = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/** Makes every body arrive as raw bytes, for {@link readBody}. */
export function takeRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, next) => next(null, body));
  app.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
}

export function readBody(raw: unknown): BodyReading {
  const text = Buffer.isBuffer(raw) ? raw.toString("utf8") : "";
  if (text.trim() === "") return { ok: true, value: {} };
  if (tooDeep(text)) return { ok: false };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}

function tooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (quoted) {
      if (char === 92) at += 1;
      else if (char === 34) quoted = false;
    } else if (char === 34) quoted = true;
    else if (char === 123 || char === 91) {
      depth += 1;
      if (depth > DEPTH_LIMIT) return true;
    } else if (char === 125 || char === 93) depth -= 1;
  }
  return false;
}
