/**
 * One declaration per operation of the operator API. From it come the HTTP route, its checks, its audit row and its part
 * of the OpenAPI document.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import type { Audit } from "../access/audit.ts";
import type { ServerDeps } from "../deps.ts";
import type { EventStreams } from "../events.ts";
import type { Problem } from "../problem.ts";

export interface ApiContext {
  readonly deps: ServerDeps;
  readonly audit: Audit;
  readonly streams: EventStreams;
  /** The OpenAPI document of this listener. */
  readonly openapi: () => JsonObject;
}

interface Call<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly actor: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** JSON to answer, a problem, or `sent` when the handler has answered by itself. */
export type Answer = Json | Problem | typeof SENT;
export const SENT = Symbol("sent");

type Method = "GET" | "POST" | "PUT" | "DELETE";

interface Spec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly method: Method;
  /** Under `/api`, with `:name` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** `sandbox`: 404 against a real gateway. Whoever may use the operator API may use it, also from elsewhere by a token. */
  readonly only?: "sandbox";
  /**
   * For operations that the sandbox itself calls, which has no token: open to this machine even when there is an admin
   * token. `also`: an operator with a token may call it, too, from anywhere. `alone`: only the sandbox.
   */
  readonly open?: "also" | "alone";
  /** Media type of the answer, where it is not JSON. */
  readonly answers?: "text/csv" | "text/event-stream";
  /** Name of the deed; every method but GET has one. With GET: audited when the query asks to reveal, and when the path ends in `/export`. */
  readonly deed?: string;
  readonly handle: (
    call: Call<z.output<P>, z.output<Q>, z.output<B>>,
    context: ApiContext,
  ) => Promise<Answer>;
}

export interface ApiRoute extends Omit<Spec<z.ZodType, z.ZodType, z.ZodType>, "handle"> {
  readonly handle: (call: Call<unknown, unknown, unknown>, context: ApiContext) => Promise<Answer>;
}

/** Declares one operation; parameters, query and body reach the handler as their schemas' output. */
export function route<
  P extends z.ZodType = z.ZodType<Record<string, never>>,
  Q extends z.ZodType = z.ZodType<Record<string, never>>,
  B extends z.ZodType = z.ZodType<undefined>,
>(spec: Spec<P, Q, B>): ApiRoute {
  // The registrar parses by these very schemas before it calls, so the types hold.
  return spec as unknown as ApiRoute;
}

export const AccountId = z.string().regex(/^[a-z][a-z0-9-]{1,40}$/);
const ContactId = z.string().regex(/^[0-9a-f]{32}$/);

export const AccountPath = z.object({ id: AccountId });
export const ContactPath = z.object({ account: AccountId, contact: ContactId });
export const EffectPath = ContactPath.extend({ id: z.string().min(1).max(300) });

/** Said by `1` or `true`. */
export const flag = z
  .enum(["0", "1", "true", "false", ""])
  .default("0")
  .transform((value) => value === "1" || value === "true");

/** `?reveal=1` shows people's numbers and is written into the audit log. */
export const reveal = flag;

/** Rows per answer. */
export function limit(most: number, usual: number) {
  return z.coerce.number().int().min(1).max(most).default(usual);
}

export const Reason = z.string().trim().min(1).max(500);
export const WithReason = z.object({ reason: Reason });

/** What was decided about. It is told again where the decision does not fit any more. */
export const Rev = z
  .number()
  .int()
  .min(0)
  .describe(
    "the number `rev` that was shown with it (list and detail tell it), so that nothing is decided that changed since",
  );
export const MayRev = Rev.optional().describe(
  `${Rev.description ?? ""}; demanded of what costs or files taxes`,
);

/** For deeds that need no reason. */
export const MayReason = z
  .object({ reason: z.string().trim().max(500).default("") })
  .default({ reason: "" });
