/** Reading the body of a control, and refusing it, alike everywhere under `/sandbox`. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { readBody } from "./request-body.ts";

/** Validates the body, or answers 422 and gives undefined. */
export function bodyOf<S extends z.ZodType>(
  request: FastifyRequest,
  reply: FastifyReply,
  schema: S,
): z.output<S> | undefined {
  const read = readBody(request.body);
  if (!read.ok) {
    void reply.code(400).send({ error: true, message: "The body is not JSON." });
    return undefined;
  }
  const parsed = schema.safeParse(read.value);
  if (parsed.success) return parsed.data;
  void reply.code(422).send({ error: true, message: z.prettifyError(parsed.error) });
  return undefined;
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
