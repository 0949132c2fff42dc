/** Error answers. They are generic; the correlation id leads to the log line with the cause. */
import type { FastifyReply } from "fastify";
import { Fault } from "../base/index.ts";

export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The exact reason, where one code has several: for callers that say it in another language. */
  readonly why?: string;
  /** Seconds until another try makes sense. */
  readonly retryAfter?: number;
}

/** Seconds we ask a sender to wait when the store or this process cannot take more. */
const RETRY_AFTER_SECONDS = 5;

const problem = (status: number, code: string, message: string): Problem => ({
  status,
  code,
  message,
});

export const NOT_FOUND = problem(404, "NOT_FOUND", "There is nothing here.");
export const MALFORMED = problem(400, "MALFORMED", "The body cannot be read.");
export const BAD_SIGNATURE = problem(
  401,
  "BAD_SIGNATURE",
  "The signature does not fit the body, or is too old.",
);
export const TOO_LARGE = problem(413, "TOO_LARGE", "The body is too large.");
export const ENCODED = problem(415, "ENCODED", "Compressed bodies are not taken.");
const INTERNAL = problem(500, "INTERNAL", "Something failed here; the log tells more.");
export const OVERLOADED: Problem = {
  ...problem(503, "UNAVAILABLE", "Not stored; please try again."),
  retryAfter: RETRY_AFTER_SECONDS,
};

export function refuse(code: string, message: string, status = 409, why?: string): Problem {
  return { ...problem(status, code, message), why };
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "status" in value && "code" in value;
}

/** The answer for an exception. It holds none of its text. */
export function problemOf(error: unknown): Problem {
  if (Fault.is(error, "STORE_UNAVAILABLE") || Fault.is(error, "STORE_FULL")) return OVERLOADED;
  const status =
    typeof error === "object" && error !== null && "statusCode" in error ? error.statusCode : 500;
  if (status === 413) return TOO_LARGE;
  if (status === 404) return NOT_FOUND;
  if (status === 503) return OVERLOADED;
  if (typeof status === "number" && status >= 400 && status < 500) return MALFORMED;
  return INTERNAL;
}

export function send(reply: FastifyReply, what: Problem): FastifyReply {
  if (what.retryAfter !== undefined) void reply.header("retry-after", String(what.retryAfter));
  return reply
    .code(what.status)
    .type("application/json; charset=utf-8")
    .send({
      error: { code: what.code, message: what.message, id: reply.request.id, why: what.why },
    });
}
