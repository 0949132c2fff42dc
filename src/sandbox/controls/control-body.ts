/** Reading the body of a control, and refusing it, alike everywhere under `/sandbox`. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { readBody } from "../http/request-body.ts";

/** Validates the body, or answers 422 and gives undefined. */
export function bodyOf<S extends z.ZodType>(
  request: FastifyRequest,
  reply: FastifyReply,
  schema: S,
): z.output<S> | undefined {
  const read = readBody(request.body);
  if (!read.ok) {
    const message = "The body is no JSON in good order (a key twice, __proto__, half a character).";
    void reply.code(400).send({ error: true, message });
    return undefined;
  }
  const parsed = schema.safeParse(read.value);
  if (parsed.success) return parsed.data;
  void reply.code(422).send({ error: true, message: sentenceOf(parsed.error.issues) });
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

/** A change without the keys that were not given. */
export function defined<T extends object>(
  change: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
