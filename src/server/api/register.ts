/** Turns declarations into HTTP routes: access, checks, audit row, answer. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { accessOf, openAccess, type Access } from "../access/admin-access.ts";
import { parseGuarded } from "../body.ts";
import { isProblem, MALFORMED, NOT_FOUND, refuse, send } from "../problem.ts";
import { SENT, type Answer, type ApiContext, type ApiRoute } from "./route.ts";

/** Changes are small; documents go through the sandbox proxy, which has its own limit. Bytes. */
const BODY_LIMIT = 1024 * 1024;

const FROM_HERE = "Only a sandbox on this machine asks for this, under a loopback name.";

type Checked =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly where: string };

/** What a field is, in the words of its schema, as in the OpenAPI document. */
function wordsOf(schema: z.ZodType | undefined, field: PropertyKey | undefined): string {
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  const inner = field === undefined ? undefined : (shape[String(field)] as z.ZodType | undefined);
  return inner?.description === undefined ? "" : ` (${inner.description})`;
}

/** Only the places of wrong fields are told, never the values. */
function check(schema: z.ZodType | undefined, value: unknown, place: string): Checked {
  const parsed = (schema ?? z.unknown()).safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const paths = parsed.error.issues
    .slice(0, 5)
    .map(({ path }) => `${path.join(".")}${wordsOf(schema, path[0])}`);
  return { ok: false, where: [place, ...paths.filter(Boolean)].join(" ") };
}

function bodyOf(request: FastifyRequest): Checked {
  if (!Buffer.isBuffer(request.body) || request.body.length === 0)
    return { ok: true, value: undefined };
  const json = parseGuarded(request.body);
  return json.ok ? json : { ok: false, where: "body" };
}

function accessTo(route: ApiRoute, request: FastifyRequest, context: ApiContext): Access {
  if (route.open !== undefined) {
    // The sandbox moves our clock without a token; it runs on this machine, so its request must come from here.
    const open = openAccess(request);
    if (open.ok) return open;
    if (route.open === "alone") return { ...open, message: FROM_HERE };
  }
  return accessOf(request, context.deps.adminToken, Date.now());
}

function isRevealing(query: unknown): boolean {
  return typeof query === "object" && query !== null && "reveal" in query && query.reveal === true;
}

async function run(
  route: ApiRoute,
  call: Parameters<ApiRoute["handle"]>[0],
  context: ApiContext,
): Promise<Answer> {
  const isAudited =
    route.deed !== undefined &&
    (route.method !== "GET" || isRevealing(call.query) || route.path.endsWith("/export"));
  if (!isAudited || !route.deed) return route.handle(call, context);
  const reason =
    typeof call.body === "object" && call.body !== null && "reason" in call.body
      ? { reason: String(call.body.reason) }
      : {};
  const target = Object.values(call.params as Record<string, unknown>).join("/");
  const close = await context.audit.begin({
    actor: call.actor,
    action: route.deed,
    target,
    ...reason,
  });
  try {
    const answer = await route.handle(call, context);
    await close(isProblem(answer) ? "refused" : "done");
    return answer;
  } catch (error) {
    await close("failed");
    throw error;
  }
}

export async function registerApi(
  app: FastifyInstance,
  routes: readonly ApiRoute[],
  context: ApiContext,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
      done(null, body);
    });
    for (const route of routes)
      scope.route({
        method: route.method,
        url: `/api${route.path}`,
        bodyLimit: BODY_LIMIT,
        // Access is checked before a byte of the body is read.
        onRequest: async (request, reply) => {
          const access = accessTo(route, request, context);
          if (!access.ok) {
            const code = access.status === 401 ? "UNAUTHORIZED" : "FORBIDDEN";
            return send(reply, refuse(code, access.message, access.status));
          }
          if (route.only === "sandbox" && context.deps.sandboxUrl === null)
            return send(reply, NOT_FOUND);
          return undefined;
        },
        handler: async (request, reply) => {
          const access = accessTo(route, request, context);
          const params = check(route.params ?? z.object({}), request.params, "path");
          const query = check(route.query ?? z.object({}), request.query, "query");
          const raw = bodyOf(request);
          const body = raw.ok && route.body ? check(route.body, raw.value, "body") : raw;
          const bad = [params, query, body].find((one) => !one.ok);
          if (bad && !bad.ok)
            return send(reply, { ...MALFORMED, message: `Does not fit: ${bad.where}.` });
          if (!params.ok || !query.ok || !body.ok || !access.ok) return send(reply, MALFORMED);
          const call = {
            params: params.value,
            query: query.value,
            body: body.value,
            actor: access.actor,
            request,
            reply,
          };
          const answer = await run(route, call, context);
          if (answer === SENT) return reply;
          if (isProblem(answer)) return send(reply, answer);
          return reply.type("application/json; charset=utf-8").send(JSON.stringify(answer));
        },
      });
  });
}
