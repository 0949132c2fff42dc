/**
 * Reading request bodies, once for each call: JSON, also on GET and DELETE; no body is an empty object. What no honest
 * client sends is refused with a reason: broken text, keys twice, `__proto__`, half characters, nesting without end.
 */
import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { endOfString, type Json } from "../../base/index.ts";
import { clip, isSecret, TEXT_KEPT } from "./bounded.ts";
import type { z } from "zod";

/** Bytes of one request: 16 MiB of media as Base64, with room for the rest. */
export const BODY_LIMIT_BYTES = 24 * 1_024 * 1_024;

/** Deepest nesting taken: far beyond any real body, far below any stack's end. */
const DEPTH_LIMIT = 64;

export type BodyReading =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The value as it may be remembered: long texts cut, secrets left out. */
      readonly kept: Json;
    }
  | { readonly ok: false; readonly status: 400 | 415; readonly reason: string };

const NOTHING: BodyReading = { ok: true, value: {}, kept: {} };

/** Makes every body arrive as raw bytes, for {@link readBody}. */
export function takeRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, next) => next(null, body));
  app.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
}

/**
 * Reads the bytes of one body. With `contentType` given, a body declared as anything but JSON is refused with 415: the
 * gateway takes forms for forms. The controls do not look at it, so that a line typed by hand works.
 */
export function readBody(raw: unknown, contentType?: string): BodyReading {
  if (!Buffer.isBuffer(raw) || raw.length === 0) return NOTHING;
  if (contentType !== undefined && !isJsonType(contentType))
    return { ok: false, status: 415, reason: "O corpo deve ser application/json." };
  if (!isUtf8(raw)) return broken("o texto não é UTF-8");
  const text = raw.toString("utf8");
  const shape = shapeOf(text);
  if (shape.empty) return NOTHING;
  if (shape.depth > DEPTH_LIMIT) return broken(`mais de ${DEPTH_LIMIT} níveis`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return broken("sintaxe");
  }
  const found: Findings = { members: 0, secrets: false, problem: undefined };
  // Half a character comes into a text of valid UTF-8 only by an escape.
  survey(value, found, text.includes("\\u"));
  if (found.problem !== undefined) return broken(found.problem);
  if (found.members !== shape.members) return broken("chave repetida");
  const small = text.length <= TEXT_KEPT && !found.secrets;
  return { ok: true, value, kept: small ? (value as Json) : clip(value) };
}

function broken(what: string): BodyReading {
  return { ok: false, status: 400, reason: `Corpo JSON inválido: ${what}.` };
}

function isJsonType(contentType: string): boolean {
  return (
    contentType === "application/json" ||
    /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType)
  );
}

interface Shape {
  readonly empty: boolean;
  readonly depth: number;
  /** Keys of all objects, as written. */
  readonly members: number;
}

/** Depth and number of keys, without building anything. Right for every text that parses. */
function shapeOf(text: string): Shape {
  let [depth, deepest, members, something] = [0, 0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char > 32) something = true;
    if (char === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) break;
    } else if (char === COLON) members += 1;
    else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      depth += 1;
      if (depth > deepest) deepest = depth;
      if (deepest > DEPTH_LIMIT) break;
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) depth -= 1;
  }
  return { empty: !something, depth: deepest, members };
}

const QUOTE = 34;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

interface Findings {
  members: number;
  secrets: boolean;
  problem: string | undefined;
}

const HALF_CHARACTER = /\p{Surrogate}/u;

function survey(value: unknown, found: Findings, escaped: boolean): void {
  if (typeof value === "string") {
    if (escaped && HALF_CHARACTER.test(value)) found.problem = "caractere pela metade";
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) survey(item, found, escaped);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    found.members += 1;
    if (key === "__proto__") found.problem = "chave __proto__";
    else if (isSecret(key)) found.secrets = true;
    if (escaped) survey(key, found, escaped);
    survey(item, found, escaped);
  }
}

/** Validates the body, or answers 422 and gives undefined. */
export function bodyOf<S extends z.ZodType>(
  request: FastifyRequest,
  reply: FastifyReply,
  schema: S,
): z.output<S> | undefined {
  const read = readBody(request.body);
  if (!read.ok) {
    refuse(
      reply,
      400,
      "The body is no JSON in good order (a key twice, __proto__, half a character).",
    );
    return undefined;
  }
  const parsed = schema.safeParse(read.value);
  if (parsed.success) return parsed.data;
  refuse(reply, 422, sentenceOf(parsed.error.issues));
  return undefined;
}

/** A sentence names this many problems. */
const PROBLEMS_TOLD = 5;

/** Paths and reasons on one line: it is read in a terminal, and in the answer of a failed test. */
function sentenceOf(issues: readonly z.core.$ZodIssue[]): string {
  const told = issues.slice(0, PROBLEMS_TOLD).map(({ path, message }) => {
    const place = path.length === 0 ? "the body" : path.map(String).join(".");
    return `${place}: ${message}`;
  });
  return `${told.join("; ")}.`;
}

export function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ error: true, message });
}
