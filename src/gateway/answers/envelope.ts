/**
 * What an answer says. Success is `error` equal to `false`, nothing else: a missing flag, a text `"false"`, HTML, cut
 * JSON are all unreadable, because a call that may have taken effect must not be called failed, nor done.
 */
import { z } from "zod";
import { fits, type Json } from "../../base/index.ts";
import type { Place } from "../contract/route.ts";
import type { ResponseHeaders } from "../client/exchange.ts";
import { chargesIn } from "../client/charges.ts";
import { hintsDuplicate, codesIn, messageIn } from "./error-words.ts";
import { isRecord, parseJson } from "./json-text.ts";
import type { CallOk, CallOutcome } from "./outcome.ts";

/** Texts of the gateway are cut here before they are passed on. Characters. */
const MESSAGE_LIMIT = 500;

/** Longer texts are cut before masking, at a white space, so that no half of a secret escapes its mask. Characters. */
const MASKED_LIMIT = 16_384;

/** How to read the answer of one call. */
interface Reading {
  readonly schema: z.ZodType;
  readonly envelope: "due" | "optional";
  readonly places: readonly Place[];
  /** Masks credentials and personal data. */
  readonly redact: (text: string) => string;
  readonly ms: number;
  /** Epoch ms, for dates in `Retry-After`. */
  readonly now: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

/** The outcome of an answer that arrived. */
export function readAnswer(answer: Answer, reading: Reading): CallOutcome {
  const { status } = answer;
  const { ms } = reading;
  if (status >= 500) return { kind: "unknown", reason: "server_error", status, ms };
  const body = parseBody(answer);
  if (status >= 300) return refusal(answer, body, reading);
  const unreadable: CallOutcome = { kind: "unknown", reason: "unreadable", status, ms };
  if (body === undefined) return unreadable;
  const envelope = isRecord(body) ? body : {};
  if (envelope["error"] === true || engineFailed(envelope["response"])) {
    const words = { message: "", ...wordsIn(body, reading), ...hintIn(answer) };
    const charges = chargesIn(envelope, (text) => clip(text, reading));
    return { kind: "business_error", ...words, status, ...charges, ms };
  }
  const bare = reading.envelope === "optional" && envelope["error"] === undefined;
  if (envelope["error"] !== false && !bare) return unreadable;
  for (const place of reading.places) {
    const payload = payloadAt(body, place, bare);
    if (payload === undefined) continue;
    if (fits(reading.schema, payload)) return success(payload, payload, envelope, reading, status);
    const parsed = z.safeParse(reading.schema, payload);
    if (parsed.success) return success(parsed.data, payload, envelope, reading, status);
  }
  return unreadable;
}

function success(
  data: unknown,
  raw: Json,
  envelope: Record<string, Json>,
  reading: Reading,
  status: number,
): CallOk<unknown> {
  const message = envelope["message"];
  return {
    kind: "ok",
    status,
    data,
    raw,
    ...(typeof message === "string" ? { message: clip(message, reading) } : {}),
    ...chargesIn(envelope, (text) => clip(text, reading)),
    ms: reading.ms,
  };
}

function refusal(answer: Answer, body: Json | undefined, reading: Reading): CallOutcome {
  const { status } = answer;
  const header = answer.headers["retry-after"];
  const wait = retryAfterMs(Array.isArray(header) ? header[0] : header, reading.now);
  return {
    kind: "refused",
    status,
    ...(body === undefined ? {} : wordsIn(body, reading)),
    ...hintIn(answer),
    ...(isGarbled(answer, body) ? { garbled: true } : {}),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(isRecord(body) ? chargesIn(body, (text) => clip(text, reading)) : {}),
    ms: reading.ms,
  };
}

function hintIn({ body }: Answer): { duplicate?: true; absent?: true } {
  return {
    ...(hintsDuplicate(body) ? { duplicate: true } : {}),
    ...(ABSENT.test(body.toString("latin1")) ? { absent: true } : {}),
  };
}

/** How an engine says that a number is on no messenger, also where its answer was relayed as text. */
const ABSENT = /\\?"exists\\?"\s*:\s*false/;

/**
 * Whether its words were lost on the way: JSON that does not parse, or fewer bytes than were announced. A proxy's page, or
 * an answer without words, is taken as it is.
 */
function isGarbled({ headers, body }: Answer, value: Json | undefined): boolean {
  const isJson = isJsonType(headers) && body.length > 0;
  return (isJson && value === undefined) || Number(headers["content-length"]) > body.length;
}

/** The body as JSON; undefined unless it is declared as JSON, is UTF-8, and parses. */
export function parseBody(answer: Answer): Json | undefined {
  if (!isJsonType(answer.headers)) return undefined;
  let text: string;
  try {
    text = UTF8.decode(answer.body);
  } catch {
    return undefined;
  }
  return parseJson(text);
}

function isJsonType({ "content-type": type }: ResponseHeaders): boolean {
  return (
    typeof type === "string" &&
    /^\s*(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)
  );
}

/** A byte order mark is taken off: some fronts write one, and it changes nothing. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** The envelope's own keys, which are no payload. */
const ENVELOPE_KEYS = new Set([
  "error",
  "message",
  "balance",
  "tax",
  "valor_consulta",
  "extra_charges",
  "api_limit",
  "api_limit_for",
  "api_limit_used",
  "homolog",
]);

function payloadAt(body: Json, place: Place, bare: boolean): Json | undefined {
  if (place === "top") {
    if (bare || !isRecord(body)) return body;
    return Object.fromEntries(Object.entries(body).filter(([key]) => !ENVELOPE_KEYS.has(key)));
  }
  let value: Json | undefined = body;
  for (const key of place.split("."))
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value ?? undefined;
}

/** An engine's own failure inside a 2xx. A text is its name (`Bad Request`), unless it is a no written as text. */
function engineFailed(response: Json | undefined): boolean {
  if (!isRecord(response)) return false;
  const { status, error } = response;
  if (typeof status === "number" && status >= 400) return true;
  if (typeof status === "string" && /^[45]\d\d$/.test(status)) return true;
  if (typeof error === "string") return !/^\s*(?:|0|false|null|no)\s*$/i.test(error);
  return Boolean(error);
}

/** Masked and cut, for every reader. */
function wordsIn(
  body: Json,
  reading: Reading,
): { message?: string; code?: string; codes?: readonly string[] } {
  const message = messageIn(body);
  const codes = codesIn(body).map((code) => clip(code, reading).slice(0, 100));
  const [code] = codes;
  return {
    ...(message === undefined ? {} : { message: clip(message, reading) }),
    ...(code === undefined ? {} : { code }),
    ...(codes.length > 1 ? { codes } : {}),
  };
}

function clip(text: string, reading: Reading): string {
  const read = text.length > MASKED_LIMIT ? text.slice(0, MASKED_LIMIT).replace(/\S+$/, "") : text;
  return reading.redact(read).slice(0, MESSAGE_LIMIT).toWellFormed();
}

/** A longer wait than this is a mistake of the other side: 24 h. */
export const RETRY_AFTER_LIMIT_MS = 24 * 60 * 60 * 1_000;

/** `Retry-After` (RFC 9110 §10.2.3), seconds or an HTTP date, as ms from `now` on, at least 0; undefined for an absent or unreadable value. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const ms = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) * 1_000 : dateMs(text) - now;
  if (!Number.isFinite(ms)) return undefined;
  return Math.min(Math.max(Math.round(ms), 0), RETRY_AFTER_LIMIT_MS);
}

/** Only texts with letters: a date parser would also take `-5` for a year. */
function dateMs(text: string): number {
  return /[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
}
